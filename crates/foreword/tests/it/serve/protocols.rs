//! Every protocol is answered in its own shape: by the embedded model, by a server of the same protocol, and by one of
//! another.

use std::io::{BufRead as _, BufReader};

use serde_json::{Value, json};

use super::stub::{Ending, Stub, StubResponse};
use super::{Reply, SHOP, Server, hole, until};
use crate::Repository;

/// The request of each protocol for the same hole, with the JSON pointer to the text in its whole response.
fn requests() -> Vec<(&'static str, Value, &'static str)> {
    requests_with(&json!(false))
}

/// The same for streams.
fn streaming_requests() -> Vec<(&'static str, Value, &'static str)> {
    requests_with(&json!(true))
}

fn requests_with(stream: &Value) -> Vec<(&'static str, Value, &'static str)> {
    let (prefix, suffix) = hole();
    let rendered = format!("<|fim_prefix|>{prefix}<|fim_suffix|>{suffix}<|fim_middle|>");
    let plain = |more: Value| {
        let mut it = json!({ "model": "m", "prompt": prefix, "suffix": suffix, "max_tokens": 32, "stream": stream });
        it.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        it
    };
    vec![
        (
            "/infill",
            json!({ "input_prefix": prefix, "input_suffix": suffix, "prompt": "", "n_predict": 32, "stream": stream }),
            "/content",
        ),
        (
            "/completion",
            json!({ "prompt": rendered, "n_predict": 32, "stream": stream }),
            "/content",
        ),
        ("/v1/completions", plain(json!({})), "/choices/0/text"),
        ("/v1/fim/completions", plain(json!({ "random_seed": 3 })), "/choices/0/message/content"),
        ("/beta/completions", plain(json!({})), "/choices/0/text"),
        ("/api/generate", plain(json!({ "options": { "num_predict": 32 } })), "/response"),
    ]
}

/// The text of a stream of any protocol.
fn streamed(reply: &Reply) -> String {
    let (events, _) = reply.events();
    let places = ["/content", "/choices/0/text", "/choices/0/delta/content", "/response"];
    let text =
        |it: &Value| places.iter().find_map(|at| it.pointer(at)?.as_str().map(str::to_owned));
    events.iter().filter_map(text).collect()
}

#[test]
fn without_a_server_the_embedded_model_answers_every_protocol_by_its_name() {
    let shop = Repository::new(SHOP);
    let server = Server::embedded(&shop);
    for (path, body, at) in requests() {
        let reply = server.post(path, &body);
        assert_eq!(reply.status, 200, "{path}: {reply:?}");
        let answer = reply.json();
        let text = answer.pointer(at).unwrap_or_else(|| panic!("{path}: {answer}"));
        assert!(text.as_str().unwrap().starts_with("add("), "{path}: {answer}");
        assert_eq!(answer["model"], "foreword-embedded", "{path}");
        assert!(
            server.record(&reply)["model"]["title"].as_str().unwrap().contains("no neural model")
        );
    }
    for (path, body, _) in streaming_requests() {
        let reply = server.post(path, &body);
        assert!(streamed(&reply).starts_with("add("), "{path}: {reply:?}");
        let (events, done) = reply.events();
        assert_eq!(done, !matches!(path, "/infill" | "/completion" | "/api/generate"), "{path}");
        let last = events.last().unwrap();
        let is_end = last["stop"] == true
            || last["done"] == true
            || last["choices"][0]["finish_reason"] == "stop";
        assert!(is_end, "{path}: {last}");
    }
}

#[test]
fn llama_vim_gets_compact_json_with_the_fields_that_it_selects() {
    let shop = Repository::new(SHOP);
    let server = Server::embedded(&shop);
    let (prefix, suffix) = hole();
    let fields = [
        "content",
        "timings/prompt_n",
        "timings/prompt_ms",
        "timings/predicted_n",
        "truncated",
        "tokens_cached",
    ];
    let body = json!({
        "id_slot": 0, "input_prefix": prefix, "input_suffix": suffix, "input_extra": [], "prompt": "        ",
        "n_predict": 128, "stop": [], "n_indent": 4, "top_k": 40, "top_p": 0.9, "samplers": ["top_k", "top_p", "infill"],
        "stream": false, "cache_prompt": true, "t_max_prompt_ms": 500, "t_max_predict_ms": 1000, "response_fields": fields,
    });
    let reply = server.post("/infill", &body);
    // It discards a response with a space after the colon.
    assert!(reply.body.starts_with('{') && reply.body.contains("\"content\":\""), "{reply:?}");
    let answer = reply.json();
    let names: Vec<&str> = answer.as_object().unwrap().keys().map(String::as_str).collect();
    for field in fields {
        assert!(names.contains(&field), "{field}: {answer}");
    }
    assert_eq!(names.len(), fields.len(), "{answer}");
    // A warm-up completes nothing.
    let warm = json!({ "input_prefix": "", "input_suffix": "", "prompt": "", "n_predict": 0, "response_fields": [""] });
    assert_eq!(server.post("/infill", &warm).body, "{}");
}

#[test]
fn llama_vscode_gets_a_list_of_choices_however_many_slots_the_server_has() {
    let shop = Repository::new(SHOP);
    let stub = Stub::llama(|body| {
        let one = json!({ "content": "add(name)", "stop": true });
        // llama.cpp refuses more choices than it has slots, and sends one without a list.
        match body["n_cmpl"].as_u64() {
            Some(3..) => {
                StubResponse::json(&json!({ "error": { "message": "n_cmpl" } })).status(400)
            }
            Some(2) => StubResponse::json(&json!([one, one])),
            _ => StubResponse::json(&one),
        }
    });
    let (prefix, suffix) = hole();
    let body = json!({ "input_prefix": prefix, "input_suffix": suffix, "prompt": "", "n_cmpl": 3, "n_predict": 8 });
    let reply = Server::with_upstream(&shop, &stub.url).post("/infill", &body);
    assert_eq!(reply.json().as_array().map(Vec::len), Some(2), "{reply:?}");
    let embedded = Server::embedded(&shop).post("/infill", &body);
    assert!(embedded.json().as_array().is_some_and(|it| !it.is_empty()), "{embedded:?}");
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of fields")]
fn zeds_rendered_prompt_is_parsed_and_its_response_has_every_field() {
    let shop = Repository::new(SHOP);
    let (prefix, suffix) = hole();
    let stop = json!([
        "<|endoftext|>",
        "<|file_separator|>",
        "<|fim_pad|>",
        "<|fim_prefix|>",
        "<|fim_middle|>",
        "<|fim_suffix|>",
        "<fim_prefix>",
        "<fim_middle>",
        "<fim_suffix>",
        "<PRE>",
        "<SUF>",
        "<MID>",
        "[PREFIX]",
        "[SUFFIX]"
    ]);
    let prompt = format!("<|fim_prefix|>{prefix}<|fim_suffix|>{suffix}<|fim_middle|>");
    let body =
        json!({ "model": "qwen2.5-coder-3b", "prompt": prompt, "max_tokens": 64, "stop": stop });
    let complete = |answer: &Value| {
        for field in ["id", "object", "created", "model", "choices", "usage"] {
            assert!(!answer[field].is_null(), "{field}: {answer}");
        }
        assert!(
            answer["choices"][0]["text"].is_string()
                && answer["choices"][0]["finish_reason"].is_string(),
            "{answer}"
        );
        for field in ["prompt_tokens", "completion_tokens", "total_tokens"] {
            assert!(answer["usage"][field].is_u64(), "{field}: {answer}");
        }
    };
    complete(&Server::embedded(&shop).post("/v1/completions", &body).json());
    // A server that leaves some of them out.
    let stub =
        Stub::llama(|_| StubResponse::json(&json!({ "choices": [{ "text": "add(name)" }] })));
    let server = Server::with_upstream(&shop, &stub.url);
    let reply = server.post("/v1/completions", &body);
    complete(&reply.json());
    assert!(reply.header("x-foreword-match").starts_with("shop/order.py:16"), "{reply:?}");
    let sent = stub.requests_to("/v1/completions").pop().unwrap();
    let text = sent["prompt"].as_str().unwrap();
    assert!(
        text.contains("<|file_sep|>shop/cart.py") && text.ends_with("<|fim_middle|>"),
        "{text}"
    );
    // The client's fields stay, and our own stop strings are added to its.
    assert_eq!((&sent["model"], &sent["max_tokens"]), (&body["model"], &body["max_tokens"]));
    for it in stop.as_array().unwrap().iter().chain(&[json!("<|file_sep|>")]) {
        assert!(sent["stop"].as_array().unwrap().contains(it), "{it}");
    }
}

#[test]
fn another_protocols_responses_are_transcoded_whole_and_in_streams() {
    let shop = Repository::new(SHOP);
    let stub = Stub::llama(|body| {
        let piece = |text: &str, stop: bool| {
            format!(
                "data: {}\n\n",
                json!({ "content": text, "stop": stop, "tokens_evaluated": 321 })
            )
        };
        if body["stream"] == true {
            StubResponse::stream(
                "text/event-stream",
                &[piece("add(", false), piece("name)", false), piece("", true)],
            )
        } else {
            StubResponse::json(
                &json!({ "content": "add(name)", "stop": true, "tokens_evaluated": 321 }),
            )
        }
    });
    let server = Server::with_upstream(&shop, &stub.url);
    for (path, body, at) in requests().into_iter().filter(|it| it.0 != "/v1/completions") {
        let reply = server.post(path, &body);
        let answer = reply.json();
        assert_eq!(answer.pointer(at), Some(&json!("add(name)")), "{path}: {answer}");
        let record = server.record(&reply);
        assert_eq!(record["model"]["prompt_tokens"], 321, "{path}: {record}");
    }
    for (path, body, _) in streaming_requests().into_iter().filter(|it| it.0 != "/v1/completions") {
        let reply = server.post(path, &body);
        assert_eq!(streamed(&reply), "add(name)", "{path}: {reply:?}");
        assert_eq!(server.record(&reply)["answer"], "add(name)", "{path}");
    }
    for sent in stub.requests_to("/completion") {
        assert!(sent["prompt"].as_str().unwrap().contains("<|file_sep|>shop/cart.py"), "{sent}");
        assert_eq!(sent["n_predict"], 32, "{sent}");
    }
}

#[test]
fn each_server_is_called_in_its_own_protocol_with_context_and_the_clients_fields() {
    let shop = Repository::new(SHOP);
    let (prefix, suffix) = hole();
    for (api, path, extra) in [
        ("mistral", "/v1/fim/completions", json!({ "min_tokens": 1 })),
        ("deepseek", "/beta/completions", json!({ "echo": false })),
        ("openai-suffix", "/v1/completions", json!({ "user": "me" })),
        ("ollama-suffix", "/api/generate", json!({ "keep_alive": 1800 })),
    ] {
        let stub = Stub::new(move |asked, _| match asked {
            "/api/show" => StubResponse::json(&json!({ "template": "{{ .Suffix }}" })),
            "/v1/models" => StubResponse::json(&json!({ "data": [{ "id": "codestral-latest" }] })),
            _ => StubResponse::json(&json!({ "verbatim": [asked] })),
        });
        let server = Server::start(&shop, &["--model-url", &stub.url, "--model-api", api]);
        let mut body = json!({ "model": "codestral-latest", "prompt": prefix, "suffix": suffix, "stream": false });
        body.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        let reply = server.post(path, &body);
        // The server's response is relayed, whatever is in it.
        assert_eq!(reply.json(), json!({ "verbatim": [path] }), "{api}: {reply:?}");
        let sent = stub.requests_to(path).pop().unwrap();
        assert!(
            sent["prompt"].as_str().unwrap().starts_with("# Path: shop/cart.py\n# class Cart"),
            "{api}: {sent}"
        );
        assert!(sent["prompt"].as_str().unwrap().ends_with(&prefix), "{api}: {sent}");
        assert_eq!((&sent["suffix"], &sent["model"]), (&body["suffix"], &body["model"]));
        let (name, value) = extra.as_object().unwrap().iter().next().unwrap();
        assert_eq!(&sent[name], value, "{api}");
    }
}

#[test]
fn prompts_for_ollama_are_rendered_by_foreword() {
    let shop = Repository::new(SHOP);
    let (prefix, suffix) = hole();
    let line = |text: &str, done: bool| format!("{}\n", json!({ "response": text, "done": done }));
    let lines = [line("add(", false), line("name)", false), line("", true)];
    let stub = Stub::new(move |asked, _| match asked {
        "/api/version" => StubResponse::json(&json!({ "version": "0.9.9" })),
        "/v1/models" => StubResponse::json(&json!({ "data": [{ "id": "qwen2.5-coder:7b-base" }] })),
        "/api/generate" => StubResponse::stream("application/x-ndjson", &lines),
        "/props" => StubResponse::json(&json!({})).status(404),
        other => StubResponse::json(&json!({ "asked": other })),
    });
    let server = Server::with_upstream(&shop, &stub.url);
    let body = json!({ "model": "qwen2.5-coder:7b-base", "prompt": prefix, "suffix": suffix, "options": { "num_ctx": 2048, "stop": ["X"] } });
    let reply = server.post("/api/generate", &body);
    assert_eq!(streamed(&reply), "add(name)", "{reply:?}");
    let sent = stub.requests_to("/api/generate").pop().unwrap();
    assert_eq!((&sent["raw"], &sent["options"]["num_ctx"]), (&json!(true), &json!(2048)));
    assert!(
        sent["options"]["stop"].as_array().unwrap().contains(&json!("X"))
            && sent.get("suffix").is_none(),
        "{sent}"
    );
    assert!(sent["prompt"].as_str().unwrap().contains("<|file_sep|>shop/cart.py"), "{sent}");
    // Requests about the server are answered by the server.
    assert_eq!(server.get("/api/version").json()["version"], "0.9.9");
    assert_eq!(server.get("/api/tags").json()["asked"], "/api/tags");
    assert_eq!(server.post("/api/chat", &json!({})).json()["asked"], "/api/chat");
    // A question to a chat model is forwarded unchanged.
    let chat = json!({ "model": "m", "prompt": "Tell me a joke.", "stream": false });
    server.post("/api/generate", &chat);
    assert_eq!(stub.requests_to("/api/generate").pop().unwrap()["prompt"], "Tell me a joke.");
}

#[test]
fn a_conversation_is_streamed_as_it_comes() {
    let shop = Repository::new(SHOP);
    let event = |text: &str| {
        format!("data: {}\n\n", json!({ "choices": [{ "delta": { "content": text } }] }))
    };
    let piece = event("Once");
    let stub = Stub::new(move |path, _| match path {
        "/v1/chat/completions" => {
            StubResponse::stream("text/event-stream", std::slice::from_ref(&piece))
                .end(Ending::Hangs)
        }
        _ => StubResponse::json(&json!({})).status(404),
    });
    let server = Server::start(&shop, &["--model-url", &stub.url, "--model-api", "chat"]);
    let body = json!({ "messages": [{ "role": "user", "content": "Tell" }], "stream": true });
    let stream = server.send("POST", "/v1/chat/completions", &[], &body.to_string());
    // The server never ends its response.
    let mut lines = BufReader::new(stream).lines().map(Result::unwrap);
    assert!(lines.any(|it| it.contains("Once")));
    drop(lines);
    until(|| (stub.hung_up() == 1).then_some(()));
}

#[test]
fn text_that_is_not_from_the_repository_is_forwarded_unchanged() {
    let shop = Repository::new(SHOP);
    let stub = Stub::llama(|_| StubResponse::json(&json!({ "choices": [{ "text": "Once" }] })));
    let server = Server::with_upstream(&shop, &stub.url);
    for prompt in [json!("Tell me a story."), json!([1, 2, 3]), json!(["a", "b"])] {
        let body = json!({ "prompt": prompt, "max_tokens": 5, "logit_bias": {} });
        let reply = server.post("/v1/completions", &body);
        assert_eq!(reply.status, 200, "{reply:?}");
        let mut sent = stub.requests_to("/v1/completions").pop().unwrap();
        sent.as_object_mut().unwrap().remove("model");
        assert_eq!(sent, body);
    }
}

#[test]
fn requests_about_the_embedded_model_are_answered() {
    let shop = Repository::new(SHOP);
    let server = Server::embedded(&shop);
    assert_eq!(server.get("/v1/models").json()["data"][0]["id"], "foreword-embedded");
    assert_eq!(server.get("/api/tags").json()["models"][0]["name"], "foreword-embedded");
    assert_eq!(server.get("/api/ps").json()["models"][0]["name"], "foreword-embedded");
    assert!(server.get("/api/version").json()["version"].is_string());
    let shown = server.post("/api/show", &json!({ "model": "foreword-embedded" })).json();
    assert!(shown["template"].as_str().unwrap().contains(".Suffix"), "{shown}");
    assert!(server.get("/props").json()["default_generation_settings"]["n_ctx"].is_u64());
    assert_eq!(server.get("/health").json()["status"], "ok");
    let reply = server.post("/tokenize", &json!({ "content": "x" }));
    assert!(reply.status == 501 && reply.body.contains("--model-url"), "{reply:?}");
    let metrics = server.get("/metrics").body;
    assert!(
        metrics.contains("foreword_requests_total{door=\"ollama\",end=\"done\"} 0"),
        "{metrics}"
    );
}
