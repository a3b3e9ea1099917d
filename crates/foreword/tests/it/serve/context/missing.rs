//! A request without a context, because it is late or none is wanted, is still one to fill a hole: the model is sent the
//! same prompt without the repository's pieces, cut to its window.

use serde_json::{Value, json};

use crate::Repository;
use crate::serve::stub::{Stub, StubResponse};
use crate::serve::{Reply, SHOP, Server, hole};

/// Tokens that the stub's model reads.
const WINDOW: usize = 2048;

fn stub() -> Stub {
    Stub::new(|path, _| match path {
        "/props" => StubResponse::json(
            &json!({ "default_generation_settings": { "n_ctx": WINDOW }, "total_slots": 1 }),
        ),
        "/v1/models" => StubResponse::json(&json!({ "data": [{ "id": "qwen2.5-coder-0.5b" }] })),
        "/tokenize" => StubResponse::json(&json!({ "tokens": [1] })),
        _ => StubResponse::json(&json!({
            "content": "add(name)", "stop": true, "choices": [{ "index": 0, "text": "add(name)" }],
        })),
    })
}

/// The prompt that the stub was sent last, on any path.
fn prompt(stub: &Stub) -> String {
    let paths = ["/v1/completions", "/completion"];
    let last = paths.iter().filter_map(|it| stub.requests_to(it).pop()).next_back();
    last.unwrap()["prompt"].as_str().unwrap().to_owned()
}

/// A hole in a file of 4,000 lines.
fn long_hole() -> (String, String) {
    let lines = |name: &str| -> String {
        (0..2000)
            .map(|n| format!("def {name}_{n}(order):\n    return order.total({n})\n"))
            .collect()
    };
    (
        format!("{}def open_order(customer):\n    cart.", lines("before")),
        format!("\n{}", lines("after")),
    )
}

fn ask(
    server: &Server,
    path: &str,
    (prefix, suffix): &(String, String),
    headers: &[&str],
) -> Reply {
    let body = json!({
        "model": "m", "prompt": prefix, "suffix": suffix, "max_tokens": 32, "stream": false,
        "options": { "num_predict": 32 },
    });
    server.ask("POST", path, headers, &body.to_string())
}

const PATHS: [&str; 4] =
    ["/v1/completions", "/v1/fim/completions", "/beta/completions", "/api/generate"];

#[test]
fn a_late_context_costs_neither_the_suffix_nor_the_format() {
    let (shop, stub) = (Repository::new(SHOP), stub());
    let server = Server::start(&shop, &["--model-url", &stub.url, "--patience", "0"]);
    for path in PATHS {
        let (prefix, suffix) = hole();
        let reply = ask(&server, path, &(prefix.clone(), suffix.clone()), &[]);
        assert_eq!((reply.status, reply.header("x-foreword-context")), (200, "late"), "{reply:?}");
        let sent = prompt(&stub);
        let hole = format!("<|fim_prefix|>{prefix}<|fim_suffix|>{suffix}<|fim_middle|>");
        assert!(sent.ends_with(&hole), "{path}: {sent}");
        assert!(!sent.contains("shop/cart.py"), "{path}: {sent}");
        // The record shows what was really sent.
        assert_eq!(server.record(&reply)["prompt"], json!(sent), "{path}");
    }
}

#[test]
fn a_bypassed_request_is_cut_to_the_window_too() {
    let (shop, stub) = (Repository::new(SHOP), stub());
    let server = Server::with_upstream(&shop, &stub.url);
    for path in PATHS {
        let reply = ask(&server, path, &long_hole(), &["x-foreword-bypass: 1"]);
        let outcome = reply.header("x-foreword-context");
        assert_eq!((reply.status, outcome), (200, "untouched"), "{reply:?}");
        let sent = prompt(&stub);
        // Some three bytes a token.
        assert!(sent.len() < WINDOW * 5 && sent.len() > 1000, "{path}: {}", sent.len());
        assert!(
            sent.contains("def open_order(customer):\n    cart.<|fim_suffix|>\n"),
            "{path}: {sent}"
        );
        assert!(
            sent.contains("def before_1999(") && sent.contains("def after_0("),
            "{path}: {sent}"
        );
    }
}

#[test]
fn a_prompt_that_the_client_rendered_stays_as_it_is_where_it_fits() {
    let (shop, stub) = (Repository::new(SHOP), stub());
    let server = Server::start(&shop, &["--model-url", &stub.url, "--bypass"]);
    let (prefix, suffix) = hole();
    let rendered = format!("<|fim_prefix|>{prefix}<|fim_suffix|>{suffix}<|fim_middle|>");
    let send = |text: &str| {
        let reply = server.post("/v1/completions", &json!({ "prompt": text, "max_tokens": 8 }));
        assert_eq!(reply.status, 200, "{reply:?}");
        prompt(&stub)
    };
    assert_eq!(send(&rendered), rendered);
    let (prefix, suffix) = long_hole();
    let cut = send(&format!("<|fim_prefix|>{prefix}<|fim_suffix|>{suffix}<|fim_middle|>"));
    assert!(cut.len() < WINDOW * 5, "{}", cut.len());
    assert!(cut.contains("cart.<|fim_suffix|>") && cut.ends_with("<|fim_middle|>"), "{cut}");
    // What is no code goes on as it came.
    assert_eq!(send("Once upon a time"), "Once upon a time");
}

#[test]
fn errors_have_the_shape_of_ollama_for_its_clients() {
    let shop = Repository::new(SHOP);
    let refusing = Stub::llama(|_| {
        StubResponse::json(&json!({ "error": { "code": 503, "message": "Loading model" } }))
            .status(503)
    });
    let server = Server::with_upstream(&shop, &refusing.url);
    let reply = ask(&server, "/api/generate", &hole(), &[]);
    assert_eq!(
        (reply.status, reply.json()),
        (503, json!({ "error": "Loading model" })),
        "{reply:?}"
    );
    let text = |reply: &Reply| reply.json()["error"].as_str().map(str::to_owned);
    let reply = server.ask("POST", "/api/generate", &[], "no JSON");
    assert!(reply.status == 400 && text(&reply).is_some(), "{reply:?}");
    let reply = server.post("/api/chat", &json!({ "model": "m", "messages": [] }));
    assert!(reply.status >= 400 && text(&reply).is_some(), "{reply:?}");
    let reply = server.post("/v1/fim/completions", &json!({}));
    assert_eq!((reply.status, &reply.json()["object"]), (400, &json!("error")), "{reply:?}");
    assert!(reply.json()["message"].as_str().unwrap().contains("prompt"), "{reply:?}");
}

#[test]
fn ollamas_generate_without_a_suffix_is_answered_by_llama_cpp() {
    let (shop, stub) = (Repository::new(SHOP), stub());
    let server = Server::with_upstream(&shop, &stub.url);
    let ask = |more: Value| {
        let mut body = json!({ "model": "m", "prompt": "Once upon a time", "stream": false });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        server.post("/api/generate", &body)
    };
    let reply = ask(json!({}));
    assert_eq!((reply.status, &reply.json()["response"]), (200, &json!("add(name)")), "{reply:?}");
    assert_eq!(prompt(&stub), "Once upon a time");
    // A client has the model loaded.
    let reply = ask(json!({ "prompt": "" }));
    assert_eq!((reply.status, &reply.json()["done"]), (200, &json!(true)), "{reply:?}");
    let reply = ask(json!({ "images": ["aGk="] }));
    let error = reply.json()["error"].as_str().unwrap().to_owned();
    assert!(reply.status == 501 && error.contains("--model-url"), "{reply:?}");
    // What a library sends of itself asks for nothing.
    assert_eq!(ask(json!({ "images": [], "format": "", "think": null })).status, 200);
}
