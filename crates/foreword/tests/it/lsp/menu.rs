//! The item of the completion menu, for editors without ghost text: what the protocol says. Editors that accept it are in
//! `menu_clients`.

use serde_json::{Value, json};

use super::suggestions::ready;
use super::{Editor, TABLE, begun, patient, place};
use crate::Repository;

/// An editor with these options, and what it offers behind a line of the table that ends in `typed`.
#[track_caller]
fn offer(can: &Value, options: &Value, typed: &str) -> (Value, (u32, u32)) {
    let repository = Repository::new(TABLE);
    let (mut editor, _) = Editor::with(&repository, can, options);
    ready(&mut editor);
    let (text, (line, column)) = begun("\n");
    let text = text.trim_end_matches('\n').to_owned() + typed + "\n";
    editor.open(&repository, "src/table.py", &text);
    let at = (line, column + typed.len() as u32);
    let answer = editor.ask("textDocument/completion", &place(&repository, "src/table.py", at));
    assert!(answer.get("error").is_none(), "{answer}");
    editor.end();
    (answer["result"].clone(), (line, column))
}

#[test]
fn the_item_replaces_the_word_by_the_whole_of_it_in_every_encoding() {
    for encoding in ["utf-8", "utf-16", "utf-32"] {
        let can = json!({
            "general": { "positionEncodings": [encoding] },
            "textDocument": { "completion": { "completionItem": { "insertReplaceSupport": true } } },
        });
        let options = json!({ "deadlineMs": 10_000, "leastConfidence": 0 });
        let (found, (line, start)) = offer(&can, &options, "prio");
        let items = found["items"].as_array().unwrap_or_else(|| panic!("{encoding}: {found}"));
        let [item] = items.as_slice() else { panic!("{found}") };
        let whole = "priority=10, reload=True)";
        assert_eq!(item["textEdit"]["newText"], whole);
        let range = json!({
            "start": { "line": line, "character": start },
            "end": { "line": line, "character": start + 4 },
        });
        assert_eq!(item["textEdit"]["range"], range, "{encoding}");
        assert_eq!((&item["filterText"], &item["label"]), (&whole.into(), &whole.into()));
        assert_eq!(item["preselect"], false);
        assert_eq!(item["labelDetails"]["description"], "foreword");
        assert!(item["sortText"].as_str().unwrap() > "zzz");
    }
}

#[test]
fn an_item_that_is_less_likely_than_is_set_is_not_offered() {
    let options = |least: f64| json!({ "deadlineMs": 10_000, "leastConfidence": least });
    assert_eq!(offer(&json!({}), &options(1.0), "prio").0, Value::Null);
    assert!(offer(&json!({}), &options(0.0), "prio").0["items"].is_array());
}

#[test]
fn a_menu_lists_what_is_too_unsure_for_ghost_text() {
    let typed = "priority=";
    assert!(offer(&json!({}), &patient(), typed).0["items"].is_array());
    let repository = Repository::new(TABLE);
    let mut editor = Editor::of(&repository);
    ready(&mut editor);
    let (text, (line, column)) = begun("\n");
    let text = text.trim_end_matches('\n').to_owned() + typed + "\n";
    editor.open(&repository, "src/table.py", &text);
    let at = (line, column + typed.len() as u32);
    let mut params = place(&repository, "src/table.py", at);
    params["context"] = json!({ "triggerKind": 2 });
    assert_eq!(editor.ask("textDocument/inlineCompletion", &params)["result"], Value::Null);
    params["context"] = json!({ "triggerKind": 1 });
    let asked = editor.ask("textDocument/inlineCompletion", &params);
    assert_eq!(asked["result"]["items"][0]["insertText"], "10, reload=True)");
    editor.end();
}
