//! Ghost text that a model's server writes.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{Editor, TABLE, begun, uri};
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
