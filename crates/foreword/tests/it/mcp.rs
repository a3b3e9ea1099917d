//! `foreword mcp` as agents' clients use it: one JSON message a line.

mod agent;
mod answers;
mod clients;
mod eras;
mod forms;
mod reads;
mod roots;
mod secrets;
mod unread;
mod wire;

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

pub(crate) use clients::{asked_by_the_sdk, inspected};

use crate::Repository;

pub(crate) const LATEST: &str = "2026-07-28";

/// A client with its own server process.
pub(crate) struct Client {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    last: u64,
    /// Notifications and requests of the server that came before an answer.
    other: Vec<Value>,
}

impl Client {
    pub(crate) fn of(repository: &Repository) -> Self {
        Self::start(repository, &repository.root(), &[])
    }

    fn start(repository: &Repository, directory: &Path, args: &[&str]) -> Self {
        Self::run(repository, directory, args, &[])
    }

    /// With arguments of the command.
    pub(crate) fn with_arguments(repository: &Repository, directory: &Path, args: &[&str]) -> Self {
        Self::run(repository, directory, &[], args)
    }

    fn run(repository: &Repository, directory: &Path, global: &[&str], own: &[&str]) -> Self {
        let mut command = crate::foreword(directory, &repository.index());
        command.args(global).arg("mcp").args(own);
        Self::spawn(command)
    }

    pub(crate) fn spawn(mut command: Command) -> Self {
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (input, output) = (child.stdin.take(), child.stdout.take().unwrap());
        Self { child, input, output: BufReader::new(output), last: 0, other: Vec::new() }
    }

    fn send(&mut self, message: &Value) {
        self.send_line(message.to_string().as_bytes());
    }

    fn send_line(&mut self, line: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(line).unwrap();
        input.write_all(b"\n").unwrap();
        input.flush().unwrap();
    }

    /// The next message; `None` when the server has ended.
    fn receive(&mut self) -> Option<Value> {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        (!line.is_empty())
            .then(|| serde_json::from_str(&line).unwrap_or_else(|_| panic!("not JSON: {line}")))
    }

    /// Sends a request unchanged and waits for its answer.
    #[track_caller]
    fn ask_plainly(&mut self, method: &str, params: &Value) -> Value {
        self.last += 1;
        let id = self.last;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        loop {
            let message = self.receive().expect("the server is there");
            if message["id"] == id && message.get("method").is_none() {
                return message;
            }
            self.other.push(message);
        }
    }

    /// A request of the latest revision.
    #[track_caller]
    pub(crate) fn ask(&mut self, method: &str, mut params: Value) -> Value {
        params["_meta"] = meta();
        self.ask_plainly(method, &params)
    }

    /// Calls a tool and waits as long as indexing takes.
    #[track_caller]
    fn call(&mut self, tool: &str, mut arguments: Value) -> Value {
        if arguments.get("wait_ms").is_none() {
            arguments["wait_ms"] = 60_000.into();
        }
        let answer = self.ask("tools/call", json!({ "name": tool, "arguments": arguments }));
        assert_eq!(answer["result"]["resultType"], "complete", "{answer}");
        answer["result"].clone()
    }

    /// The text and the structured value of an answer without error.
    #[track_caller]
    pub(crate) fn answer(&mut self, tool: &str, arguments: Value) -> (String, Value) {
        let res = self.call(tool, arguments);
        assert_eq!(res["isError"], false, "{res}");
        (text_of(&res), res["structuredContent"].clone())
    }

    /// The error of a tool for wrong arguments.
    #[track_caller]
    pub(crate) fn refusal(&mut self, tool: &str, arguments: Value) -> String {
        let res = self.call(tool, arguments);
        assert_eq!(res["isError"], true, "{res}");
        text_of(&res)
    }

    /// The paths that a search finds.
    #[track_caller]
    fn paths(&mut self, query: &str) -> Vec<String> {
        let (_, found) = self.answer("search", json!({ "query": query }));
        assert_eq!(found["complete"], true, "{found}");
        crate::paths(&found).into_iter().map(str::to_owned).collect()
    }

    /// Closes the input and waits for the end of the process, which must not have panicked.
    pub(crate) fn end(mut self) {
        self.input = None;
        while let Some(message) = self.receive() {
            drop(message);
        }
        assert!(self.child.wait().unwrap().success());
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(crate) fn meta() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": LATEST,
        "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
    })
}

pub(crate) fn text_of(result: &Value) -> String {
    result["content"][0]["text"].as_str().unwrap().to_owned()
}

pub(crate) const SMALL: &str = "
//- src/session.py
from src.clock import now

class Session:
    '''A login of one user.'''

    def expire(self):
        self.ended = now()

def open_session(user):
    return Session(user)
//- src/clock.py
def now():
    return 42
//- tests/test_session.py
from src.session import open_session

def test_a_session_expires():
    open_session('u').expire()
";

/// So many files that indexing takes a while.
pub(crate) fn many() -> Repository {
    many_with(60)
}

/// 300 files with so many functions each. A debug build indexes 60 in a third of a second on a quiet machine.
pub(crate) fn many_with(functions: usize) -> Repository {
    let repository = Repository::new("//- needle.py\ndef needle_in_haystack():\n    pass\n");
    for n in 0..300 {
        let function = |it: usize| {
            format!("def function_{n}_{it}(value):\n    return other_{it}(value, {n})\n\n")
        };
        let text: String = (0..functions).map(function).collect();
        repository.write(&format!("src/m{}/f{n}.py", n % 20), &text);
    }
    repository
}
