//! What the user does, and what comes of it.

use serde_json::{Value, json};

use super::suggestions::{ready, ready_with};
use super::{Editor, TABLE, begun, place, uri};
use crate::{Repository, edited};

/// Types text at a place.
fn write(editor: &mut Editor, repository: &Repository, path: &str, at: (u32, u32), text: &str) {
    let cursor = json!({ "line": at.0, "character": at.1 });
    let change = json!({ "range": { "start": cursor, "end": cursor }, "text": text });
    editor.change(repository, path, &change);
}

/// What an editor asks without the user's wish.
fn automatic(editor: &mut Editor, repository: &Repository, at: (u32, u32)) -> Value {
    let mut ask = place(repository, "src/table.py", at);
    ask["context"]["triggerKind"] = 2.into();
    editor.ask("textDocument/inlineCompletion", &ask)["result"].clone()
}

/// An editor that shows what is unsure too, with a line begun in an open file, and where the cursor is.
fn at_work() -> (Repository, Editor, (u32, u32)) {
    let repository = Repository::new(TABLE);
    let can = json!({ "textDocument": { "inlineCompletion": {} } });
    let options = json!({ "leastConfidence": 0, "deadlineMs": 10_000 });
    let (mut editor, _) = Editor::with(&repository, &can, &options);
    ready(&mut editor);
    let (text, at) = begun("\n");
    editor.open(&repository, "src/table.py", &text);
    (repository, editor, at)
}

const SAID: &str = "priority=10, reload=True)";

#[test]
fn an_accepted_suggestion_is_followed_by_a_prefetched_one() {
    let (repository, mut editor, at) = at_work();
    let item = editor.ghost(&repository, "src/table.py", at).expect("a suggestion");
    assert_eq!(item["insertText"], SAID);
    let accepted = json!({ "command": "foreword.accepted", "arguments": [] });
    write(&mut editor, &repository, "src/table.py", at, SAID);
    assert_eq!(editor.ask("workspace/executeCommand", &accepted)["result"], Value::Null);
    let end = (at.0, at.1 + SAID.len() as u32);
    // It is the question that was foreseen, and the answer is that of a question that was not.
    let ready = automatic(&mut editor, &repository, end)["items"][0]["insertText"].clone();
    let (other, mut fresh, _) = at_work();
    write(&mut fresh, &other, "src/table.py", at, SAID);
    let expect = automatic(&mut fresh, &other, end)["items"][0]["insertText"].clone();
    assert!(expect.is_string(), "{expect}");
    assert_eq!(ready, expect);
    fresh.end();
    editor.end();
}

#[test]
fn the_suggestion_after_an_accepted_one_is_computed_before_it_is_requested() {
    let hurried = json!({ "settings": { "foreword": { "deadlineMs": 0 } } });
    for takes in [true, false] {
        let (repository, mut editor, at) = at_work();
        editor.ghost(&repository, "src/table.py", at).expect("a suggestion");
        write(&mut editor, &repository, "src/table.py", at, SAID);
        if takes {
            let accepted = json!({ "command": "foreword.accepted", "arguments": [] });
            editor.ask("workspace/executeCommand", &accepted);
        }
        // From now on nothing that is begun is done in time.
        editor.tell("workspace/didChangeConfiguration", &hurried);
        let end = (at.0, at.1 + SAID.len() as u32);
        let found = automatic(&mut editor, &repository, end);
        assert_eq!(found["items"].is_array(), takes, "{found}");
        editor.end();
    }
}

#[test]
fn a_dismissed_suggestion_is_not_displayed_again_unless_invoked() {
    let (repository, mut editor, at) = at_work();
    assert!(automatic(&mut editor, &repository, at)["items"].is_array());
    write(&mut editor, &repository, "src/table.py", at, "9");
    automatic(&mut editor, &repository, (at.0, at.1 + 1));
    let range = json!({
        "start": { "line": at.0, "character": at.1 },
        "end": { "line": at.0, "character": at.1 + 1 },
    });
    editor.change(&repository, "src/table.py", &json!({ "range": range, "text": "" }));
    assert_eq!(automatic(&mut editor, &repository, at), Value::Null);
    let item = editor.ghost(&repository, "src/table.py", at).expect("by hand it is shown");
    assert_eq!(item["insertText"], SAID);
    editor.end();
}

#[test]
fn messages_of_clients_of_other_servers_are_accepted() {
    let (repository, mut editor, at) = at_work();
    let item = editor.ghost(&repository, "src/table.py", at).expect("a suggestion");
    editor.tell("textDocument/didShowCompletion", &json!({ "item": item }));
    let part = json!({ "item": item, "acceptedLength": 4 });
    editor.tell("textDocument/didPartiallyAcceptCompletion", &part);
    editor.tell("textDocument/didFocus", &json!({}));
    let focus = json!({ "textDocument": { "uri": uri(&repository, "src/table.py") } });
    editor.tell("textDocument/didFocus", &focus);
    let again = editor.ghost(&repository, "src/table.py", at).expect("still a suggestion");
    assert_eq!(again["insertText"], SAID);
    editor.end();
}

/// The page with the prompt in `report.py`.
#[track_caller]
fn in_report(editor: &mut Editor, repository: &Repository) -> String {
    let text = edited::report("    report.");
    editor.open(repository, "report.py", &text);
    let arguments = json!([uri(repository, "report.py"), { "line": 2, "character": 11 }]);
    let ask = json!({ "command": "foreword.showContext", "arguments": arguments });
    let shown = editor.ask("workspace/executeCommand", &ask);
    let page = shown["result"]["uri"].as_str().unwrap_or_else(|| panic!("{shown}"));
    std::fs::read_to_string(page.strip_prefix("file://").unwrap()).unwrap()
}

#[test]
fn an_edit_leads_to_pieces_in_other_files_also_in_the_next_session_unless_that_is_unwanted() {
    let can = json!({ "textDocument": { "inlineCompletion": {} } });
    for is_remembered in [true, false] {
        let repository = edited::repository();
        if !is_remembered {
            edited::forget(&repository);
        }
        let open = || {
            let (mut editor, _) = Editor::with(&repository, &can, &json!({}));
            ready_with(&mut editor, &["settle_zloty", "print_report", "page_59"]);
            editor
        };
        let mut editor = open();
        assert!(!in_report(&mut editor, &repository).contains(edited::FOUND));
        editor.open(&repository, "ledger.py", edited::LEDGER);
        let (before, after) = edited::edited();
        editor.change(&repository, "ledger.py", &json!({ "text": before + after }));
        let page = in_report(&mut editor, &repository);
        assert!(page.contains(edited::FOUND), "{page}");
        editor.end();
        let mut editor = open();
        assert_eq!(in_report(&mut editor, &repository).contains(edited::FOUND), is_remembered);
        editor.end();
    }
}
