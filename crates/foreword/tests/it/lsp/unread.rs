//! An editor that sends without reading, and buffers of a size that nobody reads.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{Editor, TABLE, place, uri};
use crate::Repository;

#[cfg(target_os = "linux")]
#[test]
fn an_editor_that_does_not_read_is_not_read_and_every_request_is_answered_later() {
    use std::io::Write as _;
    let repository = Repository::new(TABLE);
    let mut editor = Editor::of(&repository);
    editor.ask("workspace/symbol", &json!({ "query": "install" }));
    let pid = editor.child.id();
    let before = crate::memory(pid);
    let mut input = editor.input.take().unwrap();
    let (sender, sent) = std::sync::mpsc::channel();
    let writer = std::thread::spawn(move || {
        // The answer to a method that is not served quotes its name.
        let method = "x".repeat(100_000);
        for id in 1000..2000 {
            let body = json!({ "jsonrpc": "2.0", "id": id, "method": method }).to_string();
            write!(input, "Content-Length: {}\r\n\r\n{body}", body.len()).unwrap();
        }
        sender.send(()).unwrap();
        input
    });
    assert!(sent.recv_timeout(Duration::from_secs(5)).is_err(), "the server reads on");
    let grown = crate::memory(pid).saturating_sub(before);
    assert!(grown < 64 << 20, "{grown} bytes");
    for id in 1000..2000 {
        assert_eq!(editor.answer_to(&id.into())["error"]["code"], -32601);
    }
    editor.input = Some(writer.join().unwrap());
    editor.end();
}

/// A text of some megabytes, with a line begun in its middle.
fn large() -> (String, (u32, u32)) {
    let line =
        |it: usize| format!("    register_handler(registry, 'n{it}', priority=10, reload=True)\n");
    let lines = 60_000;
    let begun = "    register_handler(registry, 'epsilon', ";
    let half = |from: usize| (from..from + lines / 2).map(line).collect::<String>();
    let text = format!("def install(registry):\n{}{begun}\n{}", half(0), half(lines / 2));
    (text, (1 + lines as u32 / 2, begun.len() as u32))
}

#[test]
fn a_buffer_that_is_too_large_to_be_indexed_is_completed_from_the_lines_around_the_cursor() {
    let repository = Repository::new(TABLE);
    let mut editor = Editor::of(&repository);
    editor.ask("workspace/symbol", &json!({ "query": "install" }));
    let (text, at) = large();
    assert!(text.len() > 3 << 20);
    let start = Instant::now();
    editor.open(&repository, "src/large.py", &text);
    let shown = editor.ghost(&repository, "src/large.py", at).expect("a suggestion");
    assert!(shown["insertText"].as_str().unwrap().starts_with("priority=10"), "{shown}");
    // The whole would take a minute in a debug build.
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    let command = json!({ "command": "foreword.showContext", "arguments": [
        uri(&repository, "src/large.py"), { "line": at.0, "character": at.1 }
    ] });
    assert!(editor.ask("workspace/executeCommand", &command)["result"]["uri"].is_string());
    // It counts as no file of the repository, as it would on the disk.
    let found = editor.ask("workspace/symbol", &json!({ "query": "install" }))["result"].clone();
    let is_large = |it: &Value| it["location"]["uri"] == uri(&repository, "src/large.py");
    assert!(!found.as_array().unwrap().iter().any(is_large), "{found}");
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    editor.end();
}

#[test]
fn a_buffer_that_outgrows_the_limit_leaves_nothing_of_its_file_behind() {
    let repository = Repository::new(TABLE);
    let mut editor = Editor::of(&repository);
    let names = |editor: &mut Editor| -> usize {
        let found = editor.ask("workspace/symbol", &json!({ "query": "install" }));
        found["result"].as_array().unwrap().len()
    };
    while names(&mut editor) == 0 {
        std::thread::sleep(Duration::from_millis(50));
    }
    let (text, _) = large();
    editor.open(&repository, "src/table.py", &text);
    assert_eq!(names(&mut editor), 0);
    editor.change(&repository, "src/table.py", &json!({ "text": "def install():\n    pass\n" }));
    assert_eq!(names(&mut editor), 1);
    editor.end();
}

#[test]
fn ranges_and_positions_beyond_all_ends_do_no_harm() {
    let repository = Repository::new(TABLE);
    let mut editor = Editor::of(&repository);
    editor.open(&repository, "src/table.py", "a\u{1f600}b\r\nc");
    let at = |line: u32, character: u32| json!({ "line": line, "character": character });
    let most = u32::MAX;
    for (start, end) in [
        (at(0, 2), at(0, 2)),
        (at(9, 9), at(0, 0)),
        (at(most, most), at(most, most)),
        (at(0, most), at(most, 0)),
        (at(1, 2), at(0, 1)),
    ] {
        let change = json!({ "range": { "start": start, "end": end }, "text": "\u{1f600}\n" });
        editor.change(&repository, "src/table.py", &change);
        let ghost = place(&repository, "src/table.py", (most, most));
        assert!(editor.ask("textDocument/inlineCompletion", &ghost).get("error").is_none());
    }
    let selected = json!({ "range": { "start": at(7, most), "end": at(0, 1) }, "text": "x" });
    let mut params = place(&repository, "src/table.py", (0, 2));
    params["context"]["selectedCompletionInfo"] = selected;
    assert!(editor.ask("textDocument/inlineCompletion", &params).get("error").is_none());
    editor.end();
}

#[test]
fn a_message_of_too_many_values_and_a_length_that_never_comes_take_no_memory() {
    let repository = Repository::new(TABLE);
    let mut editor = Editor::of(&repository);
    let many = format!(
        "{{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"x\",\"params\":[{}0]}}",
        "0,".repeat(400_000)
    );
    editor.send_bytes(format!("Content-Length: {}\r\n\r\n{many}", many.len()).as_bytes());
    let answer = editor.receive().unwrap();
    assert!(answer["error"]["message"].as_str().unwrap().contains("values"), "{answer}");
    editor.ask("workspace/symbol", &json!({ "query": "install" }));
    #[cfg(target_os = "linux")]
    {
        let pid = editor.child.id();
        let before = crate::memory(pid);
        editor.send_bytes(b"Content-Length: 30000000\r\n\r\n{");
        std::thread::sleep(Duration::from_millis(300));
        assert!(crate::memory(pid) < before + (8 << 20));
    }
}
