//! Ghost text that a model's server writes.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{Editor, TABLE, begun, place, uri};
use crate::Repository;
use crate::serve::stub::{Ending, Stub, StubResponse};

/// An editor whose language server has this model's server, and no patience beyond `deadline_ms`.
fn editor(repository: &Repository, url: &str, deadline_ms: u64) -> Editor {
    let mut editor = Editor::run(repository.command(&["lsp", "--model-url", url]));
    initialize(&mut editor, repository, &json!({ "deadlineMs": deadline_ms }));
    editor
}

pub(crate) fn initialize(editor: &mut Editor, repository: &Repository, options: &Value) {
    let uri = uri(repository, "");
    let params = json!({
        "rootUri": uri,
        "workspaceFolders": [{ "uri": uri, "name": "it" }],
        "capabilities": { "textDocument": { "inlineCompletion": {} } },
        "initializationOptions": options,
    });
    editor.ask("initialize", &params);
    editor.tell("initialized", &json!({}));
}

fn suggested(suggestion: Option<&Value>) -> Option<&str> {
    suggestion?["insertText"].as_str()
}

#[test]
fn the_server_is_sent_the_composed_prompt_and_its_text_is_made_to_fit() {
    let repository = Repository::new(TABLE);
    let stub = Stub::llama(|_| {
        let content = "priority=99, reload=False)<|endoftext|>\n    junk()";
        StubResponse::json(&json!({ "content": content, "stop": true }))
    });
    // The first prompt knows the other file: symbols, unlike suggestions, wait for the index.
    repository.run(&["index"]);
    let mut editor = editor(&repository, &stub.url, 60_000);
    editor.ask("workspace/symbol", &json!({ "query": "install" }));
    let (text, at) = begun("\n");
    editor.open(&repository, "src/table.py", &text);
    let suggestion = editor.ghost(&repository, "src/table.py", at);
    assert_eq!(suggested(suggestion.as_ref()), Some("priority=99, reload=False)"));
    let bodies = stub.requests_to("/completion");
    let prompt = bodies[0]["prompt"].as_str().unwrap();
    assert!(
        prompt.contains("<|fim_prefix|>") && prompt.contains("'epsilon', <|fim_suffix|>"),
        "{prompt}"
    );
    assert!(prompt.contains("<|file_sep|>src/registry.py\ndef register_handler"), "{prompt}");
    editor.end();
}

#[test]
fn a_server_of_the_users_file_is_asked_with_the_limits_of_its_role() {
    let repository = Repository::new(TABLE);
    let stub =
        Stub::llama(|_| StubResponse::json(&json!({ "content": "priority=1)", "stop": true })));
    let home = repository.index().with_file_name("home").join("config/foreword");
    std::fs::create_dir_all(&home).unwrap();
    let config =
        format!("[models.complete]\nurl = '{}'\nmax_tokens = 17\ntimeout_ms = 60000\n", stub.url);
    std::fs::write(home.join("config.toml"), config).unwrap();
    let mut editor = Editor::run(repository.command(&["lsp"]));
    initialize(&mut editor, &repository, &json!({}));
    let (text, at) = begun("\n");
    editor.open(&repository, "src/table.py", &text);
    let suggestion = editor.ghost(&repository, "src/table.py", at);
    assert_eq!(suggested(suggestion.as_ref()), Some("priority=1)"));
    assert_eq!(stub.requests_to("/completion")[0]["n_predict"], 17);
    editor.end();
}

#[test]
fn a_server_that_hangs_or_is_not_there_suggests_nothing_and_in_time() {
    let repository = Repository::new(TABLE);
    let (text, at) = begun("\n");
    let stub = Stub::llama(|_| StubResponse::stream("text/event-stream", &[]).end(Ending::Hangs));
    for url in [stub.url.as_str(), "http://127.0.0.1:9"] {
        let mut editor = editor(&repository, url, 1500);
        editor.open(&repository, "src/table.py", &text);
        let start = Instant::now();
        assert_eq!(editor.ghost(&repository, "src/table.py", at), None);
        assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
        editor.end();
    }
}

/// Messages of this method that the editor got.
fn told<'e>(editor: &'e Editor, method: &str) -> Vec<&'e Value> {
    editor.aside.iter().filter(|it| it["method"] == method).map(|it| &it["params"]).collect()
}

#[test]
fn a_server_that_is_away_is_told_once_and_every_request_has_a_status() {
    let repository = Repository::new(TABLE);
    let mut editor = Editor::run(repository.command(&["lsp", "--model-url", "http://127.0.0.1:9"]));
    let capabilities = json!({
        "textDocument": { "inlineCompletion": {} }, "experimental": { "forewordStatus": true },
    });
    editor.ask("initialize", &json!({ "capabilities": capabilities }));
    editor.tell("initialized", &json!({}));
    let (text, at) = begun("\n");
    editor.open(&repository, "src/table.py", &text);
    for _ in 0..3 {
        assert_eq!(editor.ghost(&repository, "src/table.py", at), None);
    }
    let messages = told(&editor, "window/showMessage");
    assert_eq!(messages.len(), 1, "{messages:?}");
    let message = messages[0]["message"].as_str().unwrap();
    assert!(message.contains("no model answers at http://127.0.0.1:9"), "{message}");
    let states = told(&editor, "foreword/status");
    assert!(states.len() == 3 && states.iter().all(|it| it["state"] == "failure"), "{states:?}");
    editor.end();
}

#[test]
fn the_status_of_a_suggestion_that_is_not_shown_has_its_confidence() {
    let repository = Repository::new(TABLE);
    let ghost = json!({ "inlineCompletion": {} });
    for (can, statuses) in [(json!({ "forewordStatus": true }), 1), (Value::Null, 0)] {
        let capabilities = json!({ "textDocument": ghost, "experimental": can });
        let options = json!({ "leastConfidence": 1, "deadlineMs": 60_000 });
        let (mut editor, _) = Editor::with(&repository, &capabilities, &options);
        let (text, at) = begun("\n");
        editor.open(&repository, "src/table.py", &text);
        let mut params = place(&repository, "src/table.py", at);
        params["context"] = json!({ "triggerKind": 2 });
        let answer = editor.ask("textDocument/inlineCompletion", &params);
        assert_eq!(answer["result"], Value::Null);
        let states = told(&editor, "foreword/status");
        assert_eq!(states.len(), statuses);
        for it in states {
            assert_eq!((&it["state"], &it["least"]), (&json!("withheld"), &json!(1.0)), "{it}");
            let percent = it["confidence"].as_f64().unwrap() * 100.0;
            assert_eq!(it["text"], format!("withheld, {percent:.0} %"));
        }
        editor.end();
    }
}
