//! A model's server that is not ready yet, and one in whose place another comes.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};

use super::stub::{End, Said, Stub};
use super::{SHOP, Server, hole, until};
use crate::Repository;

fn body() -> Value {
    let (prefix, suffix) = hole();
    json!({ "input_prefix": prefix, "input_suffix": suffix, "prompt": "" })
}

/// What llama.cpp says of itself with a model of that name.
fn llama(path: &str, model: &str) -> Said {
    match path {
        "/props" => Said::json(&json!({ "default_generation_settings": { "n_ctx": 8192 } })),
        "/v1/models" => Said::json(&json!({ "data": [{ "id": model }] })),
        "/tokenize" => Said::json(&json!({ "tokens": [1] })),
        _ => Said::json(&json!({ "content": "add(name)", "stop": true })),
    }
}

#[test]
fn a_server_that_loads_its_model_is_waited_for() {
    let shop = Repository::new(SHOP);
    let is_loaded = Arc::new(AtomicBool::new(false));
    let stub = Stub::new({
        let is_loaded = Arc::clone(&is_loaded);
        move |path, _| match is_loaded.load(Ordering::SeqCst) {
            true => llama(path, "qwen2.5-coder-0.5b"),
            false => Said::json(&json!({ "error": { "message": "Loading model" } })).status(503),
        }
    });
    let server = Server::before(&shop, &stub.url);
    let reply = server.post("/infill", &body());
    assert!(reply.status == 503 && reply.body.contains("Loading model"), "{reply:?}");
    is_loaded.store(true, Ordering::SeqCst);
    let reply = until(|| Some(server.post("/infill", &body())).filter(|it| it.status == 200));
    assert_eq!(reply.header("x-foreword-context"), "file", "{reply:?}");
}

/// A server that has one model and then another; and that dies on every request while `dies`.
fn changing(is_changed: &Arc<AtomicBool>, dies: bool) -> Stub {
    let is_changed = Arc::clone(is_changed);
    Stub::new(move |path, _| {
        let is_changed = is_changed.load(Ordering::SeqCst);
        let said = llama(path, if is_changed { "codellama-7b" } else { "qwen2.5-coder-0.5b" });
        match path {
            "/completion" if dies && !is_changed => said.end(End::Dies),
            _ => said,
        }
    })
}

/// The prompt that the server was sent last.
fn prompt(stub: &Stub) -> String {
    stub.seen("/completion").pop().unwrap()["prompt"].as_str().unwrap().to_owned()
}

#[test]
fn a_server_with_another_model_is_asked_in_that_models_format() {
    let shop = Repository::new(SHOP);
    let is_changed = Arc::default();
    let stub = changing(&is_changed, false);
    let server = Server::before(&shop, &stub.url);
    server.post("/infill", &body());
    assert!(prompt(&stub).ends_with("<|fim_middle|>"), "{}", prompt(&stub));
    is_changed.store(true, Ordering::SeqCst);
    until(|| {
        server.post("/infill", &body());
        prompt(&stub).ends_with("<MID>").then_some(())
    });
}

#[test]
fn a_server_that_has_gone_is_found_out_anew() {
    let shop = Repository::new(SHOP);
    let is_changed = Arc::default();
    let stub = changing(&is_changed, true);
    let server = Server::before(&shop, &stub.url);
    assert_eq!(server.post("/infill", &body()).status, 502);
    is_changed.store(true, Ordering::SeqCst);
    assert_eq!(server.post("/infill", &body()).status, 200);
    assert!(prompt(&stub).ends_with("<MID>"), "{}", prompt(&stub));
}
