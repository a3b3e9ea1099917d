//! A model file (`--gguf`) that answers every protocol.

use std::io::{Read as _, Write as _};
use std::net::Shutdown;

use serde_json::{Value, json};

use super::{SHOP, Server, hole, until};
use crate::Repository;
use crate::gguf::Models;

#[test]
#[expect(clippy::too_many_lines, reason = "a table of protocols")]
fn every_protocol_is_answered_by_the_model_file() {
    let Some(models) = Models::new("every_protocol_is_answered_by_the_model_file") else { return };
    let shop = Repository::new(SHOP);
    let path = models.path("qwen2.5-coder-tiny");
    let server = Server::start(&shop, &["--gguf", &path]);
    let (prefix, suffix) = hole();
    let plain = json!({ "prompt": prefix, "suffix": suffix, "max_tokens": 16 });
    let whole = server.post("/v1/completions", &plain);
    assert_eq!(whole.status, 200, "{whole:?}");
    assert_eq!(whole.json()["model"], "tiny-qwen2.5-coder");
    let text = whole.json()["choices"][0]["text"].as_str().unwrap().to_owned();
    assert!(!text.is_empty());
    let record = server.record(&whole);
    assert_eq!(record["context"], "file", "{record}");
    assert!(record["prompt"].as_str().unwrap().starts_with("<|repo_name|>"), "{record}");
    let read = record["model"]["prompt_tokens"].as_u64().unwrap();
    assert_eq!(whole.json()["usage"]["prompt_tokens"], read);
    // A stream has the same text, and the prompt is in the cache.
    let mut stream = plain.clone();
    stream["stream"] = true.into();
    let reply = server.post("/v1/completions", &stream);
    let (events, is_done) = reply.events();
    let pieces = events.iter().filter_map(|it| it["choices"][0]["text"].as_str());
    assert_eq!((pieces.collect::<String>(), is_done), (text.clone(), true));
    assert!(events.len() > 2, "{events:?}");
    assert_eq!(server.record(&reply)["model"]["cached_tokens"], read - 1);
    let infill =
        json!({ "input_prefix": prefix, "input_suffix": suffix, "prompt": "", "n_predict": 16 });
    let others = [
        ("/infill", infill, "/content"),
        ("/v1/fim/completions", plain.clone(), "/choices/0/message/content"),
        (
            "/api/generate",
            json!({ "prompt": prefix, "suffix": suffix, "stream": false, "options": { "num_predict": 16 } }),
            "/response",
        ),
    ];
    for (path, body, at) in others {
        let reply = server.post(path, &body);
        assert_eq!(
            reply.json().pointer(at),
            Some(&Value::from(text.as_str())),
            "{path}: {reply:?}"
        );
    }
    let ahead =
        server.post("/infill", &json!({ "input_prefix": "", "input_suffix": "", "n_predict": 0 }));
    assert_eq!((ahead.status, &ahead.json()["content"]), (200, &"".into()), "{ahead:?}");
}

#[test]
fn requests_about_the_model_file_are_answered() {
    let Some(models) = Models::new("requests_about_the_model_file_are_answered") else { return };
    let shop = Repository::new(SHOP);
    let server = Server::start(&shop, &["--gguf", &models.path("qwen2.5-coder-tiny")]);
    let name = "tiny-qwen2.5-coder";
    assert_eq!(server.get("/v1/models").json()["data"][0]["id"], name);
    assert_eq!(server.get("/api/tags").json()["models"][0]["name"], name);
    let props = server.get("/props").json();
    assert_eq!(props["default_generation_settings"]["n_ctx"], 8192, "{props}");
    let health = server.get("/v1/health").json();
    assert_eq!(health["models"]["completion"]["remote"]["kind"], "gguf", "{health}");
    let tokens = server.post("/tokenize", &json!({ "content": "ab<|fim_middle|>" })).json();
    assert_eq!(tokens["tokens"].as_array().unwrap().len(), 3, "{tokens}");
    let reply = server.post("/v1/completions", &json!({ "prompt": [1, 2, 3] }));
    assert!(reply.status == 501 && reply.body.contains("has tokens"), "{reply:?}");
    assert_eq!(server.get("/api/settings").json()["server"], true);
}

#[test]
fn a_client_that_hangs_up_cancels_its_completion() {
    let Some(models) = Models::new("a_client_that_hangs_up_cancels_its_completion") else { return };
    let shop = Repository::new(SHOP);
    let server = Server::start(&shop, &["--gguf", &models.path("qwen2.5-coder-tiny")]);
    let text = "value = compute(other)\n".repeat(250);
    let body =
        json!({ "prompt": text, "max_tokens": 4000, "stream": true, "stop": [] }).to_string();
    let mut stream = server.send("POST", "/v1/completions", &["x-foreword-bypass: 1"], &body);
    let _ = stream.flush();
    let mut first = [0; 1];
    let _ = stream.read(&mut first);
    stream.shutdown(Shutdown::Both).unwrap();
    drop(stream);
    let ends = || {
        let all = server.get("/api/requests").json();
        let end = all["requests"][0]["end"].as_str()?.to_owned();
        (end != "running").then_some(end)
    };
    assert_eq!(until(ends), "cancelled");
    let reply = server.post("/v1/completions", &json!({ "prompt": "x", "max_tokens": 2 }));
    assert_eq!(reply.status, 200, "{reply:?}");
}

#[test]
fn a_model_file_that_cannot_be_used_ends_the_server_at_once() {
    let test = "a_model_file_that_cannot_be_used_ends_the_server_at_once";
    let Some(models) = Models::new(test) else { return };
    let shop = Repository::new(SHOP);
    let path = models.path("embedding");
    shop.run(&["serve", "--port", "0", "--gguf", &path]).fails(2, &["embedding model", &path]);
}
