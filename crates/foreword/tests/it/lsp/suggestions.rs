//! What is suggested, where, and to which question.

use serde_json::{Value, json};

use super::{Editor, TABLE, begun, patient, place, uri};
use crate::Repository;

/// Waits until the repository is indexed.
pub(super) fn ready(editor: &mut Editor) {
    ready_with(editor, &["install", "register_handler"]);
}

/// Waits until all of these functions are known: a file may be there before another.
pub(super) fn ready_with(editor: &mut Editor, functions: &[&str]) {
    for function in functions {
        let is_known = (0..500).any(|_| {
            let found = editor.ask("workspace/symbol", &json!({ "query": function }));
            let is_known = found["result"] != json!([]);
            if !is_known {
                std::thread::sleep(std::time::Duration::from_millis(20));
            }
            is_known
        });
        assert!(is_known, "{function} is not indexed");
    }
}

/// An editor with a line begun in an open file, and where the cursor is.
fn at_work() -> (Repository, Editor, (u32, u32)) {
    let repository = Repository::new(TABLE);
    let mut editor = Editor::of(&repository);
    ready(&mut editor);
    let (text, at) = begun("\n");
    editor.open(&repository, "src/table.py", &text);
    (repository, editor, at)
}

#[test]
fn a_line_like_the_others_is_suggested_where_the_cursor_is() {
    let (repository, mut editor, at) = at_work();
    let item = editor.ghost(&repository, "src/table.py", at).expect("a suggestion");
    assert_eq!(item["insertText"], "priority=10, reload=True)", "{item}");
    let cursor = json!({ "line": at.0, "character": at.1 });
    assert_eq!(item["range"], json!({ "start": cursor, "end": cursor }));
    assert_eq!(item["command"]["command"], "foreword.accepted");
    editor.end();
}

#[test]
fn positions_are_right_in_every_encoding_behind_astral_characters_and_carriage_returns() {
    for encoding in ["utf-8", "utf-16", "utf-32"] {
        let repository = Repository::new(TABLE);
        let can = json!({
            "general": { "positionEncodings": [encoding] },
            "textDocument": { "inlineCompletion": {} },
        });
        let (mut editor, opened) = Editor::with(&repository, &can, &patient());
        assert_eq!(opened["capabilities"]["positionEncoding"], encoding);
        ready(&mut editor);
        let (text, (line, column)) = begun("\r\n");
        let text = text.replace("'epsilon'", "'\u{1f600}'");
        let units = match encoding {
            "utf-8" => 4,
            "utf-16" => 2,
            _ => 1,
        };
        let at = (line, column - "epsilon".len() as u32 + units);
        editor.open(&repository, "src/table.py", &text);
        let item = editor.ghost(&repository, "src/table.py", at).expect("a suggestion");
        assert_eq!(item["insertText"], "priority=10, reload=True)", "{encoding}: {item}");
        assert_eq!(item["range"]["start"], json!({ "line": at.0, "character": at.1 }));
        editor.end();
    }
}

#[test]
fn an_unsaved_buffer_of_another_file_is_used_at_once() {
    let repository = Repository::new(TABLE);
    let mut editor = Editor::of(&repository);
    ready(&mut editor);
    let line = "configure_backend(connection, retries=77, verbose=False)\n";
    editor.open(&repository, "src/registry.py", &format!("def setup(connection):\n    {line}"));
    editor.open(
        &repository,
        "src/table.py",
        "def other(connection):\n    configure_backend(connection, ",
    );
    let item = editor.ghost(&repository, "src/table.py", (1, 34)).expect("a suggestion");
    assert_eq!(item["insertText"], "retries=77, verbose=False)", "{item}");
    editor.end();
}

#[test]
fn text_of_ignored_files_is_not_suggested_elsewhere() {
    let repository = Repository::new(TABLE);
    repository.write(".gitignore", "private/\n");
    let line = "configure_backend(connection, password='hunter2')\n";
    repository.write("private/keys.py", line);
    let mut editor = Editor::of(&repository);
    ready(&mut editor);
    editor.open(&repository, "private/keys.py", &line.repeat(3));
    editor.open(&repository, "src/.env", &line.repeat(3));
    editor.open(&repository, "src/table.py", "configure_backend(connection, ");
    let item = editor.ghost(&repository, "src/table.py", (0, 30));
    let text = item.map(|it| it["insertText"].to_string()).unwrap_or_default();
    assert!(!text.contains("hunter2"), "{text}");
    editor.end();
}

#[test]
fn the_newest_request_for_a_file_is_answered_and_each_exactly_once() {
    let (repository, mut editor, at) = at_work();
    let ask = place(&repository, "src/table.py", at);
    let ids: Vec<Value> =
        (0..20).map(|_| editor.request("textDocument/inlineCompletion", &ask)).collect();
    let mut answers: Vec<Value> = Vec::new();
    while answers.len() < ids.len() {
        let message = editor.receive().unwrap();
        assert!(message.get("error").is_none(), "{message}");
        if message.get("id").is_some() && message.get("method").is_none() {
            answers.push(message);
        }
    }
    let mut seen: Vec<&Value> = answers.iter().map(|it| &it["id"]).collect();
    seen.sort_by_key(|it| it.as_u64());
    assert!(seen.into_iter().eq(ids.iter()));
    let last = answers.iter().find(|it| it["id"] == ids[19]).unwrap();
    assert_eq!(last["result"]["items"][0]["insertText"], "priority=10, reload=True)");
    editor.end();
}

#[test]
fn a_cancelled_request_is_answered_once() {
    let (repository, mut editor, at) = at_work();
    let ask = place(&repository, "src/table.py", at);
    let request = json!({ "jsonrpc": "2.0", "id": "a-b", "method": "textDocument/inlineCompletion", "params": ask });
    editor.send(&request);
    editor.tell("$/cancelRequest", &json!({ "id": "a-b" }));
    let answer = editor.answer_to(&"a-b".into());
    assert!(answer["error"]["code"] == -32800 || answer["result"]["items"].is_array(), "{answer}");
    editor.tell("$/cancelRequest", &json!({ "id": "never" }));
    assert!(editor.ghost(&repository, "src/table.py", at).is_some());
    assert!(editor.aside.iter().all(|it| it["id"] != "a-b"));
    editor.end();
}

#[test]
fn typing_into_a_suggestion_shortens_it() {
    let (repository, mut editor, at) = at_work();
    editor.ghost(&repository, "src/table.py", at).expect("a suggestion");
    let cursor = json!({ "line": at.0, "character": at.1 });
    let typed =
        json!({ "range": { "start": cursor, "end": cursor }, "rangeLength": 0, "text": "prio" });
    editor.change(&repository, "src/table.py", &typed);
    let item = editor.ghost(&repository, "src/table.py", (at.0, at.1 + 4)).expect("the rest");
    assert_eq!(item["insertText"], "rity=10, reload=True)");
    assert_eq!(item["range"]["start"]["character"], at.1 + 4);
    editor.end();
}

#[test]
fn ghost_text_begins_with_the_selected_menu_item() {
    let repository = Repository::new(TABLE);
    let mut editor = Editor::of(&repository);
    ready(&mut editor);
    let (text, at) = begun("\n");
    let text = format!("{}pri\n", text.trim_end_matches('\n'));
    editor.open(&repository, "src/table.py", &text);
    let mut ask = place(&repository, "src/table.py", (at.0, at.1 + 3));
    let range = json!({
        "start": { "line": at.0, "character": at.1 },
        "end": { "line": at.0, "character": at.1 + 3 },
    });
    ask["context"] = json!({
        "triggerKind": 1,
        "selectedCompletionInfo": { "range": range, "text": "priority" },
    });
    let answer = editor.ask("textDocument/inlineCompletion", &ask);
    let item = &answer["result"]["items"][0];
    assert_eq!(
        (&item["insertText"], &item["range"]),
        (&"priority=10, reload=True)".into(), &range)
    );
    editor.end();
}

#[test]
fn a_cell_of_a_notebook_is_suggested_what_its_repository_and_the_cells_before_it_say() {
    let (repository, mut editor, _) = at_work();
    let (text, at) = begun("\n");
    let notebook = repository.root().canonicalize().unwrap().join("src/table.ipynb");
    let cell = |n: u32| format!("vscode-notebook-cell:{}#W{n}sZmlsZQ%3D%3D", notebook.display());
    let lines: Vec<&str> = text.lines().collect();
    let (before, last) = lines.split_at(at.0 as usize);
    for (n, text) in [(0, before.join("\n")), (1, last.join("\n"))] {
        let document =
            json!({ "uri": cell(n), "languageId": "python", "version": 0, "text": text });
        editor.tell("textDocument/didOpen", &json!({ "textDocument": document }));
    }
    let place = json!({
        "textDocument": { "uri": cell(1) },
        "position": { "line": 0, "character": at.1 },
        "context": { "triggerKind": 1 },
    });
    let answer = editor.ask("textDocument/inlineCompletion", &place);
    let item = &answer["result"]["items"][0];
    assert_eq!(item["insertText"], "priority=10, reload=True)", "{answer}");
    assert_eq!(item["range"]["start"], json!({ "line": 0, "character": at.1 }));
    editor.end();
}

#[test]
fn a_null_capability_is_one_without_options() {
    let repository = Repository::new(TABLE);
    let can = json!({ "textDocument": { "inlineCompletion": null } });
    let (editor, said) = Editor::with(&repository, &can, &json!({}));
    assert_eq!(said["capabilities"]["inlineCompletionProvider"], true, "{said}");
    assert!(said["capabilities"]["completionProvider"].is_null(), "{said}");
    editor.end();
}

#[test]
fn a_disabled_server_answers_with_null() {
    let repository = Repository::new(TABLE);
    let can = json!({ "textDocument": { "inlineCompletion": {} } });
    let (mut editor, _) = Editor::with(&repository, &can, &json!({ "enabled": false }));
    let (text, at) = begun("\n");
    editor.open(&repository, "src/table.py", &text);
    assert_eq!(editor.ghost(&repository, "src/table.py", at), None);
    editor.end();
}

#[test]
fn ten_thousand_changes_leave_the_text_right_and_the_server_quick_and_small() {
    let (repository, mut editor, at) = at_work();
    let mut before = 0;
    let start = json!({ "line": 0, "character": 0 });
    let end = json!({ "line": 0, "character": 1 });
    for n in 0..5_000 {
        let typed = json!({ "range": { "start": start, "end": start }, "text": "#" });
        let taken = json!({ "range": { "start": start, "end": end }, "text": "" });
        editor.change(&repository, "src/table.py", &typed);
        editor.change(&repository, "src/table.py", &taken);
        if n % 500 == 0 {
            editor
                .request("textDocument/inlineCompletion", &place(&repository, "src/table.py", at));
        }
        if n == 500 {
            editor.ghost(&repository, "src/table.py", at);
            before = memory(&editor);
        }
    }
    // Nothing is left to be worked off when the last change has been sent.
    let sent = std::time::Instant::now();
    let item = editor.ghost(&repository, "src/table.py", at).expect("a suggestion");
    assert_eq!(item["insertText"], "priority=10, reload=True)");
    assert!(sent.elapsed() < std::time::Duration::from_secs(5), "{:?}", sent.elapsed());
    let grown = memory(&editor).saturating_sub(before);
    assert!(grown < 32 << 20, "{grown} bytes more");
    editor.end();
}

/// Bytes of memory that an editor's server has; 0 where that cannot be seen.
fn memory(editor: &Editor) -> usize {
    let path = format!("/proc/{}/status", editor.child.id());
    let status = std::fs::read_to_string(path).unwrap_or_default();
    let line = status.lines().find_map(|it| it.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|it| it.trim().trim_end_matches(" kB").parse::<usize>().ok());
    kilobytes.unwrap_or(0) << 10
}

#[test]
fn a_stray_file_does_not_index_the_directory_around_it() {
    let repository = Repository::new(TABLE);
    let elsewhere = tempfile::tempdir().unwrap();
    std::fs::write(elsewhere.path().join("other.py"), "def neighbour(): pass\n").unwrap();
    let mut editor = Editor::of(&repository);
    ready(&mut editor);
    let stray = format!("file://{}/stray.py", elsewhere.path().display());
    let text = "value = compute(alpha, beta)\nvalue = compute(alpha, beta)\nvalue = compute(";
    let document = json!({ "uri": stray, "languageId": "python", "version": 0, "text": text });
    editor.tell("textDocument/didOpen", &json!({ "textDocument": document }));
    let ask = json!({
        "textDocument": { "uri": stray },
        "position": { "line": 2, "character": 16 },
        "context": { "triggerKind": 1 },
    });
    let answer = editor.ask("textDocument/inlineCompletion", &ask);
    let item = answer["result"]["items"][0]["insertText"].as_str().unwrap();
    assert!(item.starts_with("alpha, beta)"), "{answer}");
    let found = editor.ask("workspace/symbol", &json!({ "query": "neighbour" }));
    assert_eq!(found["result"], json!([]));
    let _ = uri(&repository, "");
    editor.end();
    let indexes = std::fs::read_dir(repository.index()).unwrap().count();
    assert_eq!(indexes, 1);
}
