//! Tokens of a prompt: counted the same for as long as a server is connected, whatever its tokenizer does meanwhile.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::{Value, json};

use super::stub::{Stub, StubResponse};
use super::{SHOP, Server, hole};
use crate::Repository;

/// A llama.cpp server whose model has no vocabulary in the binary, and whose tokenizer can be made slow and wrong.
fn stub(is_broken: Arc<AtomicBool>) -> Stub {
    Stub::new(move |path, body| match path {
        "/props" => {
            StubResponse::json(&json!({ "default_generation_settings": { "n_ctx": 8192 } }))
        }
        "/v1/models" => StubResponse::json(&json!({ "data": [{ "id": "starcoder2-3b" }] })),
        "/tokenize" => {
            let text = body["content"].as_str().unwrap_or_default();
            if is_broken.load(Ordering::SeqCst) {
                std::thread::sleep(Duration::from_millis(300));
                return StubResponse::json(&json!({ "tokens": [1, 2, 3] }));
            }
            let tokens = if text.starts_with('<') { 1 } else { text.len() / 3 + 1 };
            StubResponse::json(&json!({ "tokens": vec![1; tokens] }))
        }
        _ => StubResponse::json(&json!({ "content": "add(name)", "stop": true })),
    })
}

#[test]
fn a_tokenizer_that_becomes_slow_and_wrong_changes_no_prompt_and_is_not_asked() {
    let is_broken = Arc::new(AtomicBool::new(false));
    let (shop, stub) = (Repository::new(SHOP), stub(Arc::clone(&is_broken)));
    let server = Server::with_upstream(&shop, &stub.url);
    let (prefix, suffix) = hole();
    let body = json!({ "input_prefix": prefix, "input_suffix": suffix, "prompt": "" });
    let prompt = || {
        let reply = server.post("/infill", &body);
        assert_eq!(reply.status, 200, "{reply:?}");
        let record = server.record(&reply);
        let counted_by = record.pointer("/trace/budget/counted_by").cloned();
        let seen = stub.requests_to("/completion");
        (seen.last().unwrap()["prompt"].as_str().unwrap().to_owned(), counted_by)
    };
    let (first, counted_by) = prompt();
    let asked = stub.requests_to("/tokenize").len();
    is_broken.store(true, Ordering::SeqCst);
    assert_eq!(prompt().0, first);
    assert_eq!(stub.requests_to("/tokenize").len(), asked);
    let counted_by = counted_by.as_ref().and_then(Value::as_str).unwrap_or_default();
    assert!(counted_by.contains("calibrated by the tokenizer of http://"), "{counted_by}");
}
