//! What the server logs on stderr, and what it does not.

use std::io::{BufRead as _, BufReader, Read};
use std::process::{ChildStderr, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use super::{Editor, TABLE, begun, uri};
use crate::Repository;

/// An editor whose server was started by this command, and what the server logs.
fn start(repository: &Repository, mut command: Command) -> (Editor, ChildStderr) {
    let mut editor = Editor::run({
        command.stderr(Stdio::piped());
        command
    });
    let folder = json!({ "uri": uri(repository, ""), "name": "it" });
    let params = json!({
        "clientInfo": { "name": "an editor", "version": "7" },
        "workspaceFolders": [folder],
        "capabilities": { "textDocument": { "inlineCompletion": {} } },
        "initializationOptions": { "deadlineMs": 10_000 },
    });
    editor.ask("initialize", &params);
    editor.tell("initialized", &json!({}));
    let log = editor.child.stderr.take().unwrap();
    (editor, log)
}

/// The first line of the log, which is waited for, and the rest.
fn first_line(log: ChildStderr) -> (String, BufReader<ChildStderr>) {
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let (mut line, mut log) = (String::new(), BufReader::new(log));
        log.read_line(&mut line).unwrap();
        sender.send((line, log))
    });
    receiver.recv_timeout(Duration::from_mins(1)).expect("nothing is logged")
}

fn read(mut log: impl Read) -> String {
    let mut res = String::new();
    log.read_to_string(&mut res).unwrap();
    res
}

#[test]
fn an_index_that_cannot_be_opened_is_logged_once_without_being_asked() {
    let repository = Repository::new(TABLE);
    let file = repository.root().join("file");
    std::fs::write(&file, "").unwrap();
    let mut command = repository.command(&["lsp"]);
    command.env("FOREWORD_INDEX_DIR", file.join("index"));
    let (mut editor, log) = start(&repository, command);
    let (text, at) = begun("\n");
    editor.open(&repository, "src/table.py", &text);
    for _ in 0..3 {
        editor.ghost(&repository, "src/table.py", at);
    }
    let (first, log) = first_line(log);
    editor.end();
    let log = first + &read(log);
    let warnings = log.lines().filter(|it| it.contains(" WARN ")).count();
    assert!((1..=2).contains(&warnings) && log.contains("file/index"), "{log}");
    assert!(!log.contains("register_handler"), "{log}");
}

#[test]
fn a_session_without_trouble_logs_nothing_by_default_and_its_course_on_request() {
    let repository = Repository::new(TABLE);
    let (editor, log) = start(&repository, repository.command(&["lsp"]));
    editor.end();
    assert_eq!(read(log), "");

    let mut command = repository.command(&["lsp"]);
    command.env("FOREWORD_LOG", "info");
    let (editor, log) = start(&repository, command);
    editor.end();
    let log = read(log);
    let root = repository.root().canonicalize().unwrap();
    for part in [env!("CARGO_PKG_VERSION"), "pid=", "an editor", root.to_str().unwrap(), "shutdown"]
    {
        assert!(log.contains(part), "{part} is not in {log}");
    }
    assert!(!log.contains('\u{1b}'), "colours in {log}");
}

#[test]
fn no_level_logs_the_text_of_a_document_or_of_a_suggestion() {
    let repository = Repository::new(TABLE);
    let (mut editor, log) = start(&repository, repository.command(&["lsp", "--log", "trace"]));
    let (text, at) = begun("\n");
    editor.open(&repository, "src/table.py", &text);
    assert!(editor.ghost(&repository, "src/table.py", at).is_some());
    editor.ask("textDocument/inlineCompletion", &json!({ "position": "register_handler" }));
    let accepted = json!({ "command": "foreword.accepted", "arguments": [] });
    editor.ask("workspace/executeCommand", &accepted);
    editor.end();
    let log = read(log);
    assert!(log.contains("inlineCompletion") && log.contains("malformed parameters"), "{log}");
    assert!(!log.contains("register_handler") && !log.contains("priority"), "{log}");
}

#[test]
fn a_malformed_message_is_logged_and_stdout_has_nothing_but_messages() {
    let repository = Repository::new(TABLE);
    let (mut editor, log) = start(&repository, repository.command(&["lsp", "--log", "debug"]));
    editor.send_bytes(b"Content-Length: 5\r\n\r\n{bad}");
    let refused = std::iter::from_fn(|| editor.receive()).find(|it| it.get("error").is_some());
    assert_eq!(refused.unwrap()["error"]["code"], -32700);
    editor.ask("shutdown", &Value::Null);
    editor.tell("exit", &Value::Null);
    while editor.receive().is_some() {}
    assert!(read(log).contains("malformed message"));
}
