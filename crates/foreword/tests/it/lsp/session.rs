//! The course of a session: opening, capabilities, errors of the wire, the end.

use serde_json::{Value, json};

use super::{Editor, TABLE, place, uri};
use crate::Repository;

#[test]
fn the_capabilities_of_the_server_follow_those_of_the_editor() {
    let repository = Repository::new(TABLE);
    let ghost = json!({ "textDocument": { "inlineCompletion": { "dynamicRegistration": false } } });
    let (editor, opened) = Editor::with(&repository, &ghost, &Value::Null);
    let can = &opened["capabilities"];
    assert_eq!(
        (&can["inlineCompletionProvider"], &can["completionProvider"]),
        (&true.into(), &Value::Null)
    );
    assert_eq!(
        (&can["positionEncoding"], &opened["serverInfo"]["name"]),
        (&"utf-16".into(), &"foreword".into())
    );
    editor.end();

    let (editor, opened) = Editor::with(&repository, &json!({}), &Value::Null);
    let can = &opened["capabilities"];
    assert!(can["completionProvider"].is_object() && can["inlineCompletionProvider"].is_null());
    editor.end();

    let general = json!({ "positionEncodings": ["utf-16", "utf-8"] });
    let (editor, opened) = Editor::with(&repository, &json!({ "general": general }), &Value::Null);
    assert_eq!(opened["capabilities"]["positionEncoding"], "utf-8");
    editor.end();
}

#[test]
fn ghost_text_is_registered_later_where_the_editor_wants_that() {
    let repository = Repository::new(TABLE);
    let ghost = json!({ "textDocument": { "inlineCompletion": { "dynamicRegistration": true } } });
    let (mut editor, opened) = Editor::with(&repository, &ghost, &Value::Null);
    assert!(opened["capabilities"]["inlineCompletionProvider"].is_null(), "{opened}");
    let asked = editor.receive().unwrap();
    assert_eq!(asked["method"], "client/registerCapability");
    let registered = &asked["params"]["registrations"][0];
    assert_eq!(registered["method"], "textDocument/inlineCompletion");
    let schemes = json!([{ "scheme": "file" }, { "scheme": "untitled" }]);
    assert_eq!(registered["registerOptions"]["documentSelector"], schemes, "no inputs of chats");
    editor.send(&json!({ "jsonrpc": "2.0", "id": asked["id"], "result": null }));
    editor.end();
}

#[test]
fn symbols_of_the_workspace_are_found_in_buffers_too() {
    let repository = Repository::new(TABLE);
    let mut editor = Editor::of(&repository);
    editor.open(&repository, "src/registry.py", "def invented_here():\n    pass\n");
    let find = |editor: &mut Editor, query: &str| -> Vec<Value> {
        for _ in 0..100 {
            let found =
                editor.ask("workspace/symbol", &json!({ "query": query }))["result"].clone();
            let found = found.as_array().unwrap().clone();
            if !found.is_empty() {
                return found;
            }
            // The repository is indexed for the first time.
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        Vec::new()
    };
    let found = find(&mut editor, "install");
    assert_eq!((&found[0]["name"], &found[0]["kind"]), (&"install".into(), &12.into()));
    assert_eq!(found[0]["location"]["uri"], uri(&repository, "src/table.py"));
    assert_eq!(found[0]["location"]["range"]["start"]["line"], 2);
    assert_eq!(find(&mut editor, "invented_here")[0]["name"], "invented_here");
    let left = editor.ask("workspace/symbol", &json!({ "query": "zebra" }));
    assert_eq!(left["result"], json!([]));
    editor.end();
}

#[test]
fn unknown_methods_and_wrong_parameters_are_errors_and_the_session_goes_on() {
    let repository = Repository::new(TABLE);
    let mut editor = Editor::of(&repository);
    assert_eq!(editor.ask("textDocument/hover", &json!({}))["error"]["code"], -32601);
    assert_eq!(editor.ask("textDocument/inlineCompletion", &json!({}))["error"]["code"], -32602);
    assert_eq!(editor.ask("initialize", &json!({}))["error"]["code"], -32600);
    let command = json!({ "command": "fly", "arguments": [] });
    assert_eq!(editor.ask("workspace/executeCommand", &command)["error"]["code"], -32602);
    let command = json!({ "command": "foreword.accepted", "arguments": [] });
    assert_eq!(editor.ask("workspace/executeCommand", &command)["result"], Value::Null);
    editor.tell("textDocument/didChange", &json!({ "nonsense": true }));
    editor.tell("$/unheardOf", &json!(7));
    editor.send(&json!({ "jsonrpc": "2.0", "id": "s", "method": "nope" }));
    assert_eq!(editor.answer_to(&"s".into())["error"]["code"], -32601);
    let nowhere = place(&repository, "not/open.py", (0, 0));
    assert_eq!(editor.ask("textDocument/inlineCompletion", &nowhere)["result"], Value::Null);
    editor.end();
}

#[test]
fn malformed_messages_are_answered_with_an_error_and_the_next_one_is_read() {
    let repository = Repository::new(TABLE);
    let mut editor = Editor::of(&repository);
    for (bytes, code) in [
        (&b"Content-Length: 5\r\n\r\n{bad}"[..], -32700),
        (b"Content-Length: 2\r\n\r\n[]", -32600),
        (b"Content-Length: many\r\n\r\n", -32600),
        (b"Content-Length: 999999999999\r\n\r\n", -32600),
    ] {
        editor.send_bytes(bytes);
        let answer = editor.receive().unwrap();
        assert_eq!(answer["error"]["code"], code, "{answer}");
    }
    editor.send_bytes(b"rubbish without a header\r\n");
    editor.end();
}

#[test]
fn the_exit_code_says_whether_there_was_a_shutdown() {
    let repository = Repository::new(TABLE);
    Editor::of(&repository).end();
    let mut editor = Editor::of(&repository);
    editor.tell("exit", &Value::Null);
    assert_eq!(editor.child.wait().unwrap().code(), Some(1));
    let mut editor = Editor::of(&repository);
    editor.ask("shutdown", &Value::Null);
    let late = editor.ask("workspace/symbol", &json!({ "query": "x" }));
    assert_eq!(late["error"]["code"], -32600);
    editor.input = None;
    assert_eq!(editor.child.wait().unwrap().code(), Some(0));
}

#[test]
fn settings_are_requested_and_mistakes_in_them_are_shown() {
    let repository = Repository::new(TABLE);
    let can = json!({ "workspace": { "configuration": true }, "textDocument": { "inlineCompletion": {} } });
    let (mut editor, _) = Editor::with(&repository, &can, &Value::Null);
    let asked = editor.receive().unwrap();
    assert_eq!(asked["method"], "workspace/configuration");
    assert_eq!(asked["params"]["items"][0]["section"], "foreword");
    let wrong = json!([{ "maxLine": 3 }]);
    editor.send(&json!({ "jsonrpc": "2.0", "id": asked["id"], "result": wrong }));
    let shown = editor.receive().unwrap();
    assert_eq!(shown["method"], "window/showMessage");
    assert!(shown["params"]["message"].as_str().unwrap().contains("maxLine"), "{shown}");
    editor.end();
}

#[test]
fn settings_of_initialize_apply_where_the_editor_has_no_others() {
    let repository = Repository::new(TABLE);
    let can = json!({ "workspace": { "configuration": true }, "textDocument": { "inlineCompletion": {} } });
    let options = json!({ "enabled": false });
    let (mut editor, _) = Editor::with(&repository, &can, &options);
    let asked = editor.receive().unwrap();
    let answer =
        |section: Value| json!({ "jsonrpc": "2.0", "id": asked["id"], "result": [section] });
    editor.send(&answer(Value::Null));
    let (text, at) = super::begun("\n");
    editor.open(&repository, "src/table.py", &text);
    assert_eq!(editor.ghost(&repository, "src/table.py", at), None);
    editor.send(&answer(json!({ "enabled": true, "deadlineMs": 10_000 })));
    assert!(editor.ghost(&repository, "src/table.py", at).is_some());
    editor.tell("workspace/didChangeConfiguration", &json!({ "settings": null }));
    assert_eq!(editor.receive().unwrap()["method"], "workspace/configuration");
    editor.end();
}

#[test]
fn indexing_is_reported_where_the_editor_shows_progress() {
    let repository = crate::mcp::many();
    let can = json!({ "window": { "workDoneProgress": true } });
    let (mut editor, _) = Editor::with(&repository, &can, &Value::Null);
    let start = std::time::Instant::now();
    let told = loop {
        editor.ask("workspace/symbol", &json!({ "query": "needle_in_haystack" }));
        let told = editor.aside.iter().filter(|it| it["method"] == "$/progress");
        let told: Vec<Value> = told.map(|it| it["params"]["value"].clone()).collect();
        if told.last().is_some_and(|it| it["kind"] == "end") {
            break told;
        }
        assert!(start.elapsed().as_secs() < 60, "{told:?}");
        std::thread::sleep(std::time::Duration::from_millis(50));
    };
    assert!(editor.aside.iter().any(|it| it["method"] == "window/workDoneProgress/create"));
    assert_eq!(told[0]["kind"], "begin", "{told:?}");
    let reports = &told[1..told.len() - 1];
    assert!(reports.iter().all(|it| it["kind"] == "report"), "{told:?}");
    let done: Vec<u64> = reports.iter().map(|it| it["percentage"].as_u64().unwrap()).collect();
    assert!(done.is_sorted() && done.iter().all(|it| *it <= 100), "{told:?}");
    editor.end();
}

#[test]
fn the_page_lists_all_settings_with_their_defaults() {
    let page = include_str!("../../../../../docs/editors.md");
    let section = page.split("## ").find(|it| it.starts_with("Settings\n")).unwrap();
    let rows = section.lines().filter_map(|it| it.strip_prefix("| `")?.split_once("` | `"));
    let listed: Vec<(&str, &str)> =
        rows.map(|(name, rest)| (name, rest.split('`').next().unwrap())).collect();
    assert_eq!(listed.len(), 4);
    for (name, default) in listed {
        let repository = Repository::new(TABLE);
        let value: Value = serde_json::from_str(default).unwrap();
        let mut editor = Editor::start(&repository);
        let params = json!({ "capabilities": {}, "initializationOptions": { name: value } });
        editor.ask("initialize", &params);
        // A mistake would be shown before the answer.
        assert!(editor.aside.is_empty(), "{name}: {:?}", editor.aside);
        editor.end();
    }
}
