//! `foreword lsp`, spoken to as editors do.

mod clients;
#[cfg(feature = "gguf")]
mod gguf;
mod interactions;
mod log;
mod menu;
mod menu_clients;
mod neovim;
mod next_edits;
mod noise;
mod pages;
pub(crate) mod server_model;
mod session;
mod setup;
mod suggestions;
mod unread;

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use crate::Repository;

/// An editor with a server of its own.
pub(crate) struct Editor {
    pub(crate) child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    last: u64,
    /// What the server told and asked beside its answers.
    aside: Vec<Value>,
}

/// Settings of somebody who waits, however busy the machine is that tests.
fn patient() -> Value {
    json!({ "deadlineMs": 10_000 })
}

impl Editor {
    /// An editor with ghost text, at work in the repository.
    pub(crate) fn of(repository: &Repository) -> Self {
        let capabilities = json!({ "textDocument": { "inlineCompletion": {} } });
        Self::with(repository, &capabilities, &patient()).0
    }

    /// An editor with these capabilities; gives what the server said of itself.
    fn with(repository: &Repository, capabilities: &Value, options: &Value) -> (Self, Value) {
        let mut res = Self::start(repository);
        let opened = res.initialize(repository, capabilities, options);
        (res, opened)
    }

    fn initialize(
        &mut self,
        repository: &Repository,
        capabilities: &Value,
        options: &Value,
    ) -> Value {
        let uri = uri(repository, "");
        let opened = self.ask(
            "initialize",
            &json!({
                "processId": null,
                "rootUri": uri,
                "workspaceFolders": [{ "uri": uri, "name": "it" }],
                "capabilities": capabilities,
                "initializationOptions": options,
            }),
        );
        self.tell("initialized", &json!({}));
        opened["result"].clone()
    }

    /// An editor of this command, with ghost text and a status bar.
    pub(crate) fn with_status(command: Command, repository: &Repository) -> Self {
        let capabilities = json!({
            "textDocument": { "inlineCompletion": {} },
            "experimental": { "forewordStatus": true },
        });
        let mut res = Self::run(command);
        res.initialize(repository, &capabilities, &patient());
        res
    }

    /// The last status of a suggestion.
    pub(crate) fn last_status(&self) -> Value {
        let told = self.aside.iter().rev().find(|it| it["method"] == "foreword/status");
        told.unwrap_or_else(|| panic!("{:?}", self.aside))["params"].clone()
    }

    /// The page that explains the prompt at a place.
    pub(crate) fn context_page(
        &mut self,
        repository: &Repository,
        path: &str,
        at: (u32, u32),
    ) -> String {
        let uri = self.show_page(repository, path, at);
        std::fs::read_to_string(uri.strip_prefix("file://").unwrap()).unwrap()
    }

    /// Opens that page; gives its URI.
    fn show_page(&mut self, repository: &Repository, path: &str, at: (u32, u32)) -> String {
        let document = json!({ "uri": uri(repository, path) });
        let cursor = json!({ "line": at.0, "character": at.1 });
        let range = json!({ "start": cursor, "end": cursor });
        let ask =
            json!({ "textDocument": document, "range": range, "context": { "diagnostics": [] } });
        let action = self.ask("textDocument/codeAction", &ask)["result"][0].clone();
        assert_eq!(action["title"], "foreword: show context here", "{action}");
        let answer = self.ask("workspace/executeCommand", &action["command"]);
        answer["result"]["uri"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
    }

    /// Waits until all of these functions are known.
    pub(crate) fn ready(&mut self, functions: &[&str]) {
        suggestions::ready_with(self, functions);
    }

    fn start(repository: &Repository) -> Self {
        // Many tests make mistakes on purpose.
        Self::run(repository.command(&["lsp", "--log", "error"]))
    }

    pub(crate) fn run(mut command: Command) -> Self {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (input, output) = (child.stdin.take(), child.stdout.take().unwrap());
        Self { child, input, output: BufReader::new(output), last: 0, aside: Vec::new() }
    }

    fn send(&mut self, message: &Value) {
        let body = message.to_string();
        self.send_bytes(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
    }

    fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(bytes).unwrap();
        input.flush().unwrap();
    }

    fn tell(&mut self, method: &str, params: &Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// Sends a request without waiting; gives its id.
    fn request(&mut self, method: &str, params: &Value) -> Value {
        self.last += 1;
        let id = json!(self.last);
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        id
    }

    #[track_caller]
    pub(crate) fn ask(&mut self, method: &str, params: &Value) -> Value {
        let id = self.request(method, params);
        self.answer_to(&id)
    }

    #[track_caller]
    fn answer_to(&mut self, id: &Value) -> Value {
        loop {
            let message = self.receive().expect("the server is there");
            if message["id"] == *id && message.get("method").is_none() {
                return message;
            }
            self.aside.push(message);
        }
    }

    /// The next message; `None` when the server has ended.
    fn receive(&mut self) -> Option<Value> {
        let mut length = 0;
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line).unwrap() == 0 {
                return None;
            }
            match line.trim().strip_prefix("Content-Length: ") {
                Some(it) => length = it.parse().unwrap(),
                None if line.trim().is_empty() => break,
                None => panic!("no header: {line}"),
            }
        }
        let mut body = vec![0; length];
        self.output.read_exact(&mut body).unwrap();
        Some(serde_json::from_slice(&body).unwrap())
    }

    pub(crate) fn open(&mut self, repository: &Repository, path: &str, text: &str) {
        let uri = uri(repository, path);
        let document = json!({ "uri": uri, "languageId": "x", "version": 0, "text": text });
        self.tell("textDocument/didOpen", &json!({ "textDocument": document }));
    }

    fn change(&mut self, repository: &Repository, path: &str, change: &Value) {
        let document = json!({ "uri": uri(repository, path), "version": 1 });
        let params = json!({ "textDocument": document, "contentChanges": [change] });
        self.tell("textDocument/didChange", &params);
    }

    /// The ghost text at a place, asked for by hand; waits for the first index.
    #[track_caller]
    pub(crate) fn ghost(
        &mut self,
        repository: &Repository,
        path: &str,
        at: (u32, u32),
    ) -> Option<Value> {
        let answer = self.ask("textDocument/inlineCompletion", &place(repository, path, at));
        assert!(answer.get("error").is_none(), "{answer}");
        answer["result"]["items"].as_array().map(|it| it[0].clone())
    }

    /// `shutdown` and `exit`, as it should be.
    pub(crate) fn end(mut self) {
        self.ask("shutdown", &Value::Null);
        self.tell("exit", &Value::Null);
        assert!(self.child.wait().unwrap().success());
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn uri(repository: &Repository, path: &str) -> String {
    let root = repository.root().canonicalize().unwrap();
    format!("file://{}", root.join(path).display()).replace(' ', "%20")
}

fn place(repository: &Repository, path: &str, at: (u32, u32)) -> Value {
    json!({
        "textDocument": { "uri": uri(repository, path) },
        "position": { "line": at.0, "character": at.1 },
        "context": { "triggerKind": 1 },
    })
}

/// The first block in `language` after a mention of `editor` in docs/editors.md.
#[track_caller]
fn block(editor: &str, language: &str) -> &'static str {
    let page = include_str!("../../../../docs/editors.md");
    let section = page.split("## Set up").nth(1).unwrap().split("\n## ").next().unwrap();
    let (_, behind) = section.split_once(editor).unwrap_or_else(|| panic!("{editor} is not there"));
    let (_, block) = behind.split_once(&format!("```{language}\n")).unwrap();
    block.split("```").next().unwrap()
}

/// Lines that are nearly alike, as tables of registrations are.
const TABLE: &str = "
//- src/table.py
from registry import register_handler

def install(registry):
    register_handler(registry, 'alpha', priority=10, reload=True)
    register_handler(registry, 'beta', priority=10, reload=True)
    register_handler(registry, 'gamma', priority=10, reload=True)
    register_handler(registry, 'delta', priority=10, reload=True)
//- src/registry.py
def register_handler(registry, name, priority, reload):
    registry[name] = (priority, reload)
";

/// The file with one more line begun, and where the cursor is behind it.
fn begun(end: &str) -> (String, (u32, u32)) {
    let text =
        TABLE.split("//- src/registry.py").next().unwrap().split_once("table.py\n").unwrap().1;
    let line = "    register_handler(registry, 'epsilon', ";
    let text = format!("{text}{line}\n").replace('\n', end);
    (text, (7, line.len() as u32))
}
