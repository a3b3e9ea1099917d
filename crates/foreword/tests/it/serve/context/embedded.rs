//! What clients of OpenAI ask of the embedded model beside a completion.

use serde_json::{Value, json};

use crate::Repository;
use crate::serve::stub::{Stub, StubResponse};
use crate::serve::{Reply, SHOP, Server, hole};

fn ask(server: &Server, more: &Value) -> Reply {
    let (prefix, suffix) = hole();
    let mut body = json!({ "model": "m", "prompt": prefix, "suffix": suffix, "max_tokens": 32 });
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    server.post("/v1/completions", &body)
}

fn text(reply: &Reply, at: usize) -> String {
    assert_eq!(reply.status, 200, "{reply:?}");
    reply.json()["choices"][at]["text"].as_str().unwrap().to_owned()
}

#[test]
fn several_prompts_are_answered_one_after_another() {
    let shop = Repository::new(SHOP);
    let server = Server::embedded(&shop);
    let (prefix, _) = hole();
    let reply = ask(&server, &json!({ "prompt": [prefix, "def remember(note):\n    "] }));
    assert!(text(&reply, 0).starts_with("add("), "{reply:?}");
    let choices = reply.json()["choices"].clone();
    assert_eq!((&choices[0]["index"], &choices[1]["index"]), (&json!(0), &json!(1)), "{choices}");
    let reply = ask(&server, &json!({ "prompt": [prefix, "x"], "stream": true }));
    assert!(reply.status == 400 && reply.body.contains("stream"), "{reply:?}");
}

#[test]
fn no_tokens_give_no_text_and_the_prompt_is_echoed() {
    let shop = Repository::new(SHOP);
    let server = Server::embedded(&shop);
    let (prefix, _) = hole();
    let reply = ask(&server, &json!({ "max_tokens": 0 }));
    assert_eq!(text(&reply, 0), "");
    assert_eq!(reply.json()["choices"][0]["finish_reason"], "length");
    assert_eq!(text(&ask(&server, &json!({ "max_tokens": 0, "echo": true })), 0), prefix);
    let whole = text(&ask(&server, &json!({ "echo": true })), 0);
    assert!(whole.starts_with(&format!("{prefix}add(")), "{whole}");
}

#[test]
fn a_completion_says_how_likely_it_is_right() {
    let shop = Repository::new(SHOP);
    let server = Server::embedded(&shop);
    let (prefix, suffix) = hole();
    for stream in [false, true] {
        let plain = json!({ "prompt": prefix, "suffix": suffix, "stream": stream });
        let infill = json!({ "input_prefix": prefix, "input_suffix": suffix, "stream": stream });
        for (path, body) in
            [("/v1/completions", &plain), ("/infill", &infill), ("/api/generate", &plain)]
        {
            let reply = server.post(path, body);
            let confidence: f64 = reply.header("x-foreword-confidence").parse().unwrap();
            assert!((0.0..=1.0).contains(&confidence), "{path}: {reply:?}");
        }
    }
}

#[test]
fn what_is_less_likely_than_wanted_is_withheld_and_said_in_every_protocol() {
    let shop = Repository::new(SHOP);
    let server = Server::start(&shop, &["--least-confidence", "1"]);
    let (prefix, suffix) = hole();
    let plain = json!({ "prompt": prefix, "suffix": suffix });
    let infill = json!({ "input_prefix": prefix, "input_suffix": suffix });
    let tabby = json!({ "segments": { "prefix": prefix, "suffix": suffix } });
    for (path, body, field) in [
        ("/v1/completions", &plain, "/choices/0/text"),
        ("/v1/completions", &tabby, "/choices/0/text"),
        ("/v1/fim/completions", &plain, "/choices/0/message/content"),
        ("/beta/completions", &plain, "/choices/0/text"),
        ("/infill", &infill, "/content"),
        ("/completion", &plain, "/content"),
        (
            "/api/generate",
            &json!({ "prompt": prefix, "suffix": suffix, "stream": false }),
            "/response",
        ),
    ] {
        let reply = server.post(path, body);
        let confidence: f64 = reply.header("x-foreword-confidence").parse().unwrap();
        assert!(confidence < 1.0, "{path}: {reply:?}");
        let text = reply.json().pointer(field).and_then(Value::as_str).unwrap_or("").to_owned();
        assert_eq!((reply.status, text.as_str()), (200, ""), "{path}: {reply:?}");
        let withheld = server.record(&reply)["withheld"].as_f64().unwrap();
        assert!((withheld - confidence).abs() < 0.01, "{withheld}, {confidence}");
    }
    let streamed = server.post(
        "/infill",
        &json!({ "input_prefix": prefix, "input_suffix": suffix, "stream": true }),
    );
    assert!(!streamed.body.contains("add("), "{streamed:?}");
    assert!(!streamed.header("x-foreword-confidence").is_empty());
}

#[test]
fn a_prompt_is_echoed_before_the_answer_of_a_server_as_the_client_wrote_it() {
    let shop = Repository::new(SHOP);
    let stub = Stub::llama(|body| match body["stream"] == true {
        true => StubResponse::stream(
            "text/event-stream",
            &["add(", "name)"]
                .map(|it| format!("data: {}\n\n", json!({ "choices": [{ "text": it }] }))),
        ),
        false => StubResponse::json(&json!({ "choices": [{ "text": "add(name)" }] })),
    });
    let server = Server::start(&shop, &["--model-url", &stub.url]);
    let (prefix, _) = hole();
    let whole = ask(&server, &json!({ "echo": true }));
    assert_eq!(text(&whole, 0), format!("{prefix}add(name)"));
    let sent = &stub.requests_to("/v1/completions")[0];
    assert!(sent["echo"] != true && sent["prompt"].as_str().unwrap().contains("<|fim_"), "{sent}");
    let streamed = ask(&server, &json!({ "echo": true, "stream": true }));
    let pieces = streamed.body.lines().filter_map(|it| it.strip_prefix("data: "));
    let texts = pieces.filter_map(|it| serde_json::from_str::<Value>(it).ok());
    let joined: String =
        texts.filter_map(|it| Some(it["choices"][0]["text"].as_str()?.to_owned())).collect();
    assert_eq!(joined, format!("{prefix}add(name)"));
}

#[test]
fn what_the_embedded_model_does_not_have_is_said() {
    let shop = Repository::new(SHOP);
    let server = Server::embedded(&shop);
    let reply = ask(&server, &json!({ "logprobs": 5 }));
    assert!(reply.status == 400 && reply.body.contains("logprobs"), "{reply:?}");
    assert!(text(&ask(&server, &json!({ "logprobs": null })), 0).starts_with("add("));
    let reply = server.post("/api/chat", &json!({ "model": "m", "messages": [] }));
    assert_eq!(reply.status, 501, "{reply:?}");
    assert!(reply.json()["error"].as_str().unwrap().contains("does not chat"), "{reply:?}");
}
