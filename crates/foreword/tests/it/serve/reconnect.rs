//! An upstream server that is not ready yet, and one that is replaced by another.

mod start;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};

use super::stub::{Ending, Stub, StubResponse};
use super::{SHOP, Server, hole, until};
use crate::Repository;

fn body() -> Value {
    let (prefix, suffix) = hole();
    json!({ "input_prefix": prefix, "input_suffix": suffix, "prompt": "" })
}

/// The responses of llama.cpp with a model of this name.
fn llama(path: &str, model: &str) -> StubResponse {
    match path {
        "/props" => {
            StubResponse::json(&json!({ "default_generation_settings": { "n_ctx": 8192 } }))
        }
        "/v1/models" => StubResponse::json(&json!({ "data": [{ "id": model }] })),
        "/tokenize" => StubResponse::json(&json!({ "tokens": [1] })),
        _ => StubResponse::json(&json!({ "content": "add(name)", "stop": true })),
    }
}

#[test]
fn a_server_that_is_loading_its_model_is_used_when_it_is_ready() {
    let shop = Repository::new(SHOP);
    let is_loaded = Arc::new(AtomicBool::new(false));
    let stub = Stub::new({
        let is_loaded = Arc::clone(&is_loaded);
        move |path, _| match is_loaded.load(Ordering::SeqCst) {
            true => llama(path, "qwen2.5-coder-0.5b"),
            false => {
                StubResponse::json(&json!({ "error": { "message": "Loading model" } })).status(503)
            }
        }
    });
    let server = Server::with_upstream(&shop, &stub.url);
    let reply = server.post("/infill", &body());
    assert!(reply.status == 503 && reply.body.contains("Loading model"), "{reply:?}");
    is_loaded.store(true, Ordering::SeqCst);
    let reply = until(|| Some(server.post("/infill", &body())).filter(|it| it.status == 200));
    assert_eq!(reply.header("x-foreword-context"), "file", "{reply:?}");
}

/// How a server behaves before it is replaced.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Failure {
    Never,
    /// Every completion breaks off.
    BreaksOff,
}

/// A server that has one model and then another.
fn changing(is_changed: &Arc<AtomicBool>, failure: Failure) -> Stub {
    let is_changed = Arc::clone(is_changed);
    Stub::new(move |path, _| {
        let is_changed = is_changed.load(Ordering::SeqCst);
        let response = llama(path, if is_changed { "codellama-7b" } else { "qwen2.5-coder-0.5b" });
        match path {
            "/completion" if failure == Failure::BreaksOff && !is_changed => {
                response.end(Ending::Breaks)
            }
            _ => response,
        }
    })
}

/// The last prompt that the server got.
fn prompt(stub: &Stub) -> String {
    stub.requests_to("/completion").pop().unwrap()["prompt"].as_str().unwrap().to_owned()
}

#[test]
fn the_prompt_format_follows_when_the_server_has_another_model() {
    let shop = Repository::new(SHOP);
    let is_changed = Arc::default();
    let stub = changing(&is_changed, Failure::Never);
    let server = Server::with_upstream(&shop, &stub.url);
    server.post("/infill", &body());
    assert!(prompt(&stub).ends_with("<|fim_middle|>"), "{}", prompt(&stub));
    is_changed.store(true, Ordering::SeqCst);
    until(|| {
        server.post("/infill", &body());
        prompt(&stub).ends_with("<MID>").then_some(())
    });
}

#[test]
fn a_server_that_broke_off_is_detected_again() {
    let shop = Repository::new(SHOP);
    let is_changed = Arc::default();
    let stub = changing(&is_changed, Failure::BreaksOff);
    let server = Server::with_upstream(&shop, &stub.url);
    assert_eq!(server.post("/infill", &body()).status, 502);
    is_changed.store(true, Ordering::SeqCst);
    assert_eq!(server.post("/infill", &body()).status, 200);
    assert!(prompt(&stub).ends_with("<MID>"), "{}", prompt(&stub));
}
