//! Where the next edit is likely, and the edits that follow: commands, code actions, inline edits, ghost text.

use serde_json::{Value, json};

use super::suggestions::ready_with;
use super::{Editor, patient, place, uri};
use crate::Repository;
use crate::serve::stub::{Stub, StubResponse};

const SHOP: &str = "
//- fees.py
def late_fee(days):
    return days * 2
//- desk.py
from fees import late_fee


def pay(days):
    return late_fee(days)


def gr\u{fc}n(days):
    gr\u{fc}n = late_fee(days)
    return gr\u{fc}n
//- setup.py
def install():
    pass
";

/// What an editor can do that shows edits of several files.
fn can() -> Value {
    json!({
        "textDocument": { "inlineCompletion": {} },
        "window": { "showDocument": { "support": true } },
        "workspace": { "workspaceEdit": { "documentChanges": true } },
    })
}

/// Whether the folder is under git.
#[derive(Clone, Copy, PartialEq, Eq)]
enum History {
    Git,
    /// Nothing is committed yet.
    Unborn,
    Nothing,
}

fn shop(history: History) -> (Repository, Editor) {
    shop_with(history, &can())
}

fn shop_with(history: History, can: &Value) -> (Repository, Editor) {
    let shop = Repository::new(SHOP);
    if history != History::Nothing {
        shop.git(&["init", "-q"]);
        shop.git(&["add", "."]);
    }
    if history == History::Git {
        shop.git(&["commit", "-qm", "first"]);
    }
    let (mut editor, _) = Editor::with(&shop, can, &patient());
    ready_with(&mut editor, &["install", "pay", "late_fee"]);
    (shop, editor)
}

/// Opens both files and renames the function, unsaved.
fn rename(shop: &Repository, editor: &mut Editor) {
    let text = std::fs::read_to_string(shop.root().join("desk.py")).unwrap();
    editor.open(shop, "desk.py", &text);
    editor.open(shop, "fees.py", "def late_fee(days):\n    return days * 2\n");
    let range =
        json!({ "start": { "line": 0, "character": 4 }, "end": { "line": 0, "character": 8 } });
    editor.change(shop, "fees.py", &json!({ "range": range, "text": "overdue" }));
}

fn ask_edit(
    editor: &mut Editor,
    shop: &Repository,
    (path, version): (&str, i32),
    line: u32,
) -> Value {
    let document = json!({ "uri": uri(shop, path), "version": version });
    let ask = json!({ "textDocument": document, "position": { "line": line, "character": 0 } });
    editor.ask("textDocument/copilotInlineEdit", &ask)["result"].clone()
}

fn actions(
    editor: &mut Editor,
    shop: &Repository,
    path: &str,
    line: u32,
    only: &Value,
) -> Vec<Value> {
    let at = json!({ "line": line, "character": 0 });
    let mut ask = json!({
        "textDocument": { "uri": uri(shop, path) },
        "range": { "start": at, "end": at },
        "context": { "diagnostics": [] },
    });
    if !only.is_null() {
        ask["context"]["only"] = only.clone();
    }
    editor.ask("textDocument/codeAction", &ask)["result"].as_array().unwrap().clone()
}

fn titles(actions: &[Value]) -> Vec<&str> {
    actions.iter().map(|it| it["title"].as_str().unwrap()).collect()
}

/// The text with edits, which count in UTF-16.
fn applied(text: &str, edits: &[Value]) -> String {
    let mut lines: Vec<Vec<u16>> =
        text.split_inclusive('\n').map(|it| it.encode_utf16().collect()).collect();
    for it in edits {
        let at = |end: &str, part: &str| it["range"][end][part].as_u64().unwrap() as usize;
        assert_eq!(at("start", "line"), at("end", "line"), "{it}");
        let new = it["newText"].as_str().unwrap().encode_utf16();
        lines[at("start", "line")].splice(at("start", "character")..at("end", "character"), new);
    }
    String::from_utf16(&lines.concat()).unwrap()
}

#[test]
fn what_an_unsaved_buffer_renames_leads_to_the_callers() {
    let (shop, mut editor) = shop(History::Git);
    editor.open(&shop, "fees.py", "def overdue_fee(days):\n    return days * 2\n");
    let at = json!({ "line": 0, "character": 4 });
    let ask = json!({ "command": "foreword.nextEdits", "arguments": [uri(&shop, "fees.py"), at] });
    let answer = editor.ask("workspace/executeCommand", &ask);
    let places = answer["result"].as_array().unwrap_or_else(|| panic!("{answer}"));
    let desk =
        places.iter().find(|it| it["path"] == "desk.py").unwrap_or_else(|| panic!("{answer}"));
    assert_eq!(desk["location"]["uri"], uri(&shop, "desk.py"));
    assert!(desk["message"].as_str().unwrap().contains("late_fee"), "{desk}");
    let wrong = json!({ "command": "foreword.nextEdits", "arguments": ["file:///x", at] });
    assert_eq!(editor.ask("workspace/executeCommand", &wrong)["error"]["code"], -32602);
    editor.end();
}

/// The calls follow a rename in an unsaved buffer; `history` says what it is compared with.
fn calls_follow(history: History) {
    let (shop, mut editor) = shop(history);
    rename(&shop, &mut editor);
    let found = actions(&mut editor, &shop, "desk.py", 4, &Value::Null);
    let expect = [
        "foreword: show context here",
        "foreword: change to return overdue_fee(days)",
        "foreword: make 3 edits that follow",
        "foreword: go to the next edit",
    ];
    assert_eq!(titles(&found), expect);
    let changes = found[2]["edit"]["documentChanges"].as_array().unwrap();
    assert_eq!(changes.len(), 1, "{changes:?}");
    assert_eq!(changes[0]["textDocument"], json!({ "uri": uri(&shop, "desk.py"), "version": 0 }));
    let text = std::fs::read_to_string(shop.root().join("desk.py")).unwrap();
    let after = applied(&text, changes[0]["edits"].as_array().unwrap());
    assert_eq!(after, text.replace("late_fee", "overdue_fee"));
    let fix = actions(&mut editor, &shop, "desk.py", 4, &json!(["quickfix"]));
    assert_eq!(titles(&fix), expect[1..2]);
    assert_eq!(titles(&actions(&mut editor, &shop, "desk.py", 3, &json!(["quickfix"]))), [""; 0]);
    editor.end();
}

#[test]
fn code_actions_make_the_edits_that_follow() {
    calls_follow(History::Git);
}

#[test]
fn without_git_the_edits_are_those_since_the_server_started() {
    calls_follow(History::Nothing);
}

#[test]
fn before_the_first_commit_the_edits_are_those_since_the_server_started() {
    calls_follow(History::Unborn);
}

#[test]
fn without_git_what_was_saved_and_closed_is_still_an_edit() {
    let (shop, mut editor) = shop(History::Nothing);
    rename(&shop, &mut editor);
    std::fs::write(shop.root().join("fees.py"), "def overdue_fee(days):\n    return days * 2\n")
        .unwrap();
    let document = json!({ "textDocument": { "uri": uri(&shop, "fees.py") } });
    editor.tell("textDocument/didSave", &document);
    editor.tell("textDocument/didClose", &document);
    // The file on disk is read meanwhile.
    let found = (0..100).find_map(|_| {
        let found = ask_edit(&mut editor, &shop, ("desk.py", 0), 0);
        let is_there = found["edits"] != json!([]);
        if !is_there {
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        is_there.then_some(found)
    });
    assert_eq!(found.unwrap()["edits"][0]["text"], "overdue_fee");
    editor.end();
}

#[test]
fn an_inline_edit_is_one_hunk_of_the_document_in_its_version() {
    let (shop, mut editor) = shop(History::Git);
    rename(&shop, &mut editor);
    let at = |line: u32, character: u32| json!({ "line": line, "character": character });
    let call = ask_edit(&mut editor, &shop, ("desk.py", 0), 3);
    let expect = json!({ "edits": [{
        "text": "overdue_fee",
        "range": { "start": at(4, 11), "end": at(4, 19) },
        "textDocument": { "uri": uri(&shop, "desk.py"), "version": 0 },
        "command": { "title": "accepted", "command": "foreword.accepted", "arguments": ["edit:4"] },
    }] });
    assert_eq!(call, expect);
    // Clients count in units of their own, so a line that is not ASCII is replaced whole.
    let other = ask_edit(&mut editor, &shop, ("desk.py", 0), 8)["edits"][0].clone();
    assert_eq!(other["text"], "    gr\u{fc}n = overdue_fee(days)\n", "{other}");
    assert_eq!(other["range"], json!({ "start": at(8, 0), "end": at(9, 0) }));
    // Behind the last edit the first is next.
    let first = ask_edit(&mut editor, &shop, ("desk.py", 0), 9)["edits"][0].clone();
    assert_eq!(first["range"]["start"]["line"], 0);
    let accept = json!({ "command": "foreword.accepted", "arguments": ["edit:4"] });
    assert_eq!(editor.ask("workspace/executeCommand", &accept)["result"], Value::Null);
    editor.end();
}

#[test]
fn an_inline_edit_is_never_null() {
    let (shop, mut editor) = shop(History::Git);
    let nothing = json!({ "edits": [] });
    assert_eq!(ask_edit(&mut editor, &shop, ("desk.py", 0), 0), nothing, "it is not open");
    rename(&shop, &mut editor);
    assert_eq!(ask_edit(&mut editor, &shop, ("desk.py", 7), 0), nothing, "another version");
    assert_eq!(ask_edit(&mut editor, &shop, ("fees.py", 1), 0), nothing, "nothing to do there");
    let answer = editor.ask("textDocument/copilotInlineEdit", &json!({}));
    assert_eq!(answer["result"], nothing);
    let none = json!({ "textDocument": { "uri": "untitled:x", "version": 0 } });
    assert_eq!(editor.ask("textDocument/copilotInlineEdit", &none)["result"], nothing);
    editor.end();
}

#[test]
fn the_next_edit_is_shown_in_the_editor() {
    let (shop, mut editor) = shop(History::Git);
    rename(&shop, &mut editor);
    let arguments = json!([uri(&shop, "fees.py"), { "line": 0, "character": 0 }]);
    let jump = json!({ "command": "foreword.goToNextEdit", "arguments": arguments });
    let answer = editor.ask("workspace/executeCommand", &jump)["result"].clone();
    assert_eq!(answer["uri"], uri(&shop, "desk.py"));
    assert_eq!(answer["range"]["start"], json!({ "line": 0, "character": 17 }));
    let shown = editor.aside.iter().find(|it| it["method"] == "window/showDocument").unwrap();
    assert_eq!(shown["params"]["selection"], answer["range"]);
    editor.end();
}

#[test]
fn ghost_text_is_the_edit_at_the_cursor_but_not_where_somebody_writes() {
    let (shop, mut editor) = shop(History::Git);
    rename(&shop, &mut editor);
    let item = editor.ghost(&shop, "desk.py", (4, 13)).expect("an edit");
    assert_eq!(item["insertText"], "overdue_fee", "{item}");
    assert_eq!(item["range"]["start"], json!({ "line": 4, "character": 11 }));
    assert_eq!(item["range"]["end"], json!({ "line": 4, "character": 19 }));
    let range =
        json!({ "start": { "line": 4, "character": 13 }, "end": { "line": 4, "character": 13 } });
    editor.change(&shop, "desk.py", &json!({ "range": range, "text": "x" }));
    let answer = editor.ask("textDocument/inlineCompletion", &place(&shop, "desk.py", (4, 14)));
    assert!(!answer["result"].to_string().contains("overdue_fee("), "{answer}");
    let is_edit = answer["result"]["items"][0]["command"]["arguments"] == json!(["edit"]);
    assert!(!is_edit, "{answer}");
    editor.end();
}

#[test]
fn the_latest_edit_of_the_session_leads_and_a_closed_file_is_changed_on_disk() {
    let (shop, mut editor) = shop_with(History::Git, &json!({}));
    editor.open(&shop, "setup.py", "def install():\n    pass\n");
    editor.open(&shop, "fees.py", "def late_fee(days):\n    return days * 2\n");
    let range =
        json!({ "start": { "line": 0, "character": 4 }, "end": { "line": 0, "character": 8 } });
    editor.change(&shop, "fees.py", &json!({ "range": range, "text": "overdue" }));
    let found = actions(&mut editor, &shop, "setup.py", 0, &json!(["source"]));
    // This editor knows neither versions nor how to show a place.
    assert_eq!(titles(&found).last(), Some(&"foreword: make 3 edits that follow"));
    let changes = found.last().unwrap()["edit"]["changes"].as_object().unwrap();
    let text = std::fs::read_to_string(shop.root().join("desk.py")).unwrap();
    let after = applied(&text, changes[&uri(&shop, "desk.py")].as_array().unwrap());
    assert_eq!(after, text.replace("late_fee", "overdue_fee"));
    editor.end();
}

/// A server of a chat model that gives the call of the region one more argument.
fn scripted_model() -> Stub {
    Stub::new(|path, body| {
        if path != "/v1/chat/completions" {
            return StubResponse::json(&json!({}));
        }
        let prompt = body["messages"][1]["content"].as_str().unwrap();
        let region = prompt.rsplit("<|region|>\n").next().unwrap();
        let region = region.split("<|/region|>").next().unwrap().replace("<|cursor|>", "");
        let text = match region.contains("return late_fee(days)") {
            true => region.replace("return late_fee(days)", "return late_fee(days, 2)"),
            false => "Sorry".to_owned(),
        };
        let choice =
            json!({ "delta": { "content": format!("```\n{text}```\n") }, "finish_reason": "stop" });
        let event = format!("data: {}\n\n", json!({ "choices": [choice] }));
        StubResponse::stream("text/event-stream", &[event])
    })
}

/// Names the model of a server in the user's file.
fn configure_model(shop: &Repository, stub: &Stub) {
    let home = shop.index().with_file_name("home").join("config/foreword");
    std::fs::create_dir_all(&home).unwrap();
    let config =
        format!("[models.edit]\nurl = '{}'\napi = 'openai'\nmodel = 'scripted'\n", stub.url);
    std::fs::write(home.join("config.toml"), config).unwrap();
}

#[test]
fn where_no_edit_follows_the_next_edit_model_is_asked_for_an_inline_edit_and_for_nothing_else() {
    let stub = scripted_model();
    let shop = Repository::new(SHOP);
    shop.git(&["init", "-q"]);
    shop.git(&["add", "."]);
    shop.git(&["commit", "-qm", "first"]);
    configure_model(&shop, &stub);
    let (mut editor, _) = Editor::with(&shop, &can(), &patient());
    ready_with(&mut editor, &["install", "pay", "late_fee"]);
    let text = std::fs::read_to_string(shop.root().join("desk.py")).unwrap();
    editor.open(&shop, "desk.py", &text);
    editor.open(&shop, "fees.py", "def late_fee(days):\n    return days * 2\n");
    let at = json!({ "line": 0, "character": 17 });
    let change = json!({ "range": { "start": at, "end": at }, "text": ", rate" });
    editor.change(&shop, "fees.py", &change);
    // Neither the places nor the actions ask.
    let found = actions(&mut editor, &shop, "desk.py", 4, &Value::Null);
    assert!(!found.is_empty());
    assert_eq!(stub.all_requests(), "");
    let answer = ask_edit(&mut editor, &shop, ("desk.py", 0), 4);
    let edits = answer["edits"].as_array().unwrap_or_else(|| panic!("{answer}"));
    assert_eq!(edits.len(), 1, "{answer}");
    assert_eq!(edits[0]["text"], ", 2", "{answer}");
    assert_eq!(edits[0]["textDocument"]["version"], 0);
    // The same question is answered without the model.
    assert_eq!(ask_edit(&mut editor, &shop, ("desk.py", 0), 4), answer);
    assert_eq!(stub.requests_to("/v1/chat/completions").len(), 1, "{}", stub.all_requests());
    drop(stub);
    let at = json!({ "line": 0, "character": 23 });
    let change = json!({ "range": { "start": at, "end": at }, "text": ", tax" });
    editor.change(&shop, "fees.py", &change);
    let answer = ask_edit(&mut editor, &shop, ("desk.py", 0), 4);
    assert_eq!(answer["edits"], json!([]), "{answer}");
    let problem = answer["problem"].as_str().unwrap_or_else(|| panic!("{answer}"));
    assert!(problem.contains("no model answers at http://127.0.0.1:"), "{problem}");
    editor.end();
}
