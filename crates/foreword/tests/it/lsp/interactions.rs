//! What the user does, and what comes of it.

use serde_json::{Value, json};

use super::suggestions::ready;
use super::{Editor, TABLE, begun, place, uri};
use crate::Repository;

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

#[test]
fn visited_places_are_saved_only_where_the_user_wants_that() {
    for remember in [false, true] {
        let repository = Repository::new(TABLE);
        let state = repository.index().with_file_name("home").join("state/foreword");
        let can = json!({ "textDocument": { "inlineCompletion": {} } });
        for session in 1..=2 {
            let options = json!({ "remember": remember, "deadlineMs": 10_000 });
            let (mut editor, _) = Editor::with(&repository, &can, &options);
            ready(&mut editor);
            let (text, at) = begun("\n");
            editor.open(&repository, "src/table.py", &text);
            editor.ghost(&repository, "src/table.py", at).expect("a suggestion");
            editor.ask("workspace/executeCommand", &json!({ "command": "foreword.accepted" }));
            editor.end();
            assert_eq!(state.exists(), remember);
            if !remember {
                continue;
            }
            let files: Vec<_> = state.read_dir().unwrap().map(|it| it.unwrap().path()).collect();
            assert_eq!(files.len(), 1, "{files:?}");
            let kept: Value = serde_json::from_slice(&std::fs::read(&files[0]).unwrap()).unwrap();
            assert_eq!(kept["accepted"], session, "{kept}");
            let visited = kept["visited"].as_array().unwrap();
            assert!(visited.contains(&json!(["src/table.py", 8])), "{kept}");
        }
    }
}
