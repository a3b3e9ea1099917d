//! The journal of requests.

use std::io::{BufRead as _, BufReader};

use serde_json::{Value, json};

use super::stub::{Stub, StubResponse};
use super::{SHOP, Server, hole};
use crate::Repository;

#[test]
fn a_request_is_in_the_journal_and_in_its_live_stream() {
    let shop = Repository::new(SHOP);
    let server = Server::embedded(&shop);
    let live = server.send("GET", "/api/requests/live", &[], "");
    let mut lines = BufReader::new(live).lines().map(Result::unwrap);
    assert!(lines.any(|it| it == ": watching"));
    let (prefix, suffix) = hole();
    let body = json!({ "prompt": prefix, "suffix": suffix });
    let reply = server.post("/v1/fim/completions", &body);
    let id = reply.header("x-foreword-request").to_owned();
    let event =
        lines.find(|it| it.starts_with("data: ") && it.contains("\"end\":\"done\"")).unwrap();
    assert!(event.contains(&id) && event.contains("\"path\":\"shop/order.py\""), "{event}");
    server.post("/infill", &json!({ "input_prefix": "y", "input_suffix": "" }));
    let list =
        |query: &str| server.get(&format!("/api/requests{query}")).json()["requests"].clone();
    assert_eq!(list("")[0]["door"], "llama.cpp");
    assert_eq!(list("")[1]["id"], id);
    assert_eq!(list("?door=mistral").as_array().unwrap().len(), 1);
    assert_eq!(list("?path=order&limit=1")[0]["id"], id);
    assert_eq!(list("?context=lexical")[0]["door"], "llama.cpp");
    let record = server.get(&format!("/api/requests/{id}")).json();
    assert_eq!((&record["request"], &record["status"]), (&body, &json!(200)));
    assert_eq!((&record["place"]["line"], &record["place"]["column"]), (&json!(16), &json!(14)));
    assert!(record["answer"].as_str().unwrap().starts_with("add("), "{record}");
    assert!(
        record["timings"]["total"].as_f64().unwrap() >= record["timings"]["own"].as_f64().unwrap()
    );
    assert!(record["prompt"].as_str().unwrap().contains("def add(self, item"), "{record}");
    let gone = server.get("/api/requests/0-0");
    assert!(gone.status == 404 && gone.body.contains("0-0"), "{gone:?}");
}

/// Requests of each protocol with a token, whole or on both sides of the cursor.
fn requests_with_a_secret(token: &str) -> Vec<(&'static str, Value)> {
    let (start, rest) = token.split_at(20);
    let rendered = |prefix: &str, suffix: &str| {
        format!("<|fim_prefix|>{prefix}<|fim_suffix|>{suffix}<|fim_middle|>")
    };
    let segments = json!({ "prefix": format!("k = '{token}'\n"), "suffix": "" });
    vec![
        ("/infill", json!({ "input_prefix": format!("a\nk = '{token}'\n"), "input_suffix": "" })),
        (
            "/infill",
            json!({ "input_prefix": "a\n", "prompt": format!("k = '{start}"), "input_suffix": format!("{rest}'\n") }),
        ),
        ("/infill", json!({ "input_prefix": "fails", "input_suffix": format!("'{token}'") })),
        (
            "/infill",
            json!({ "input_prefix": "a", "input_suffix": "", "input_extra": [{ "filename": "b.py", "text": token }] }),
        ),
        (
            "/completion",
            json!({ "prompt": rendered(&format!("k = '{start}"), &format!("{rest}'\n")) }),
        ),
        ("/completion", json!({ "prompt": format!("Say {token}") })),
        ("/v1/completions", json!({ "language": "python", "segments": segments })),
        (
            "/v1/fim/completions",
            json!({ "prompt": format!("k = '{start}"), "suffix": format!("{rest}'\n") }),
        ),
        (
            "/api/generate",
            json!({ "prompt": format!("k = '{start}"), "suffix": format!("{rest}'\n"), "stream": false }),
        ),
    ]
}

#[test]
fn the_journal_and_the_log_hold_no_secret_of_an_unsaved_text() {
    let token = format!("ghp_{}", crate::secrets::TOKEN);
    let rest = &token[20..];
    let shop = Repository::new(SHOP);
    // A server that repeats what it was sent, in its answers and in its errors.
    let answer = format!("the key is {token}");
    let stub = Stub::llama(move |body| match body.to_string() {
        it if it.contains("fails") => StubResponse::json(&json!({ "error": it })).status(500),
        _ => StubResponse::json(&json!({ "content": answer, "stop": true })),
    });
    let server = Server::with_upstream(&shop, &stub.url);
    for (path, body) in requests_with_a_secret(&token) {
        for headers in [&[][..], &["x-foreword-bypass: 1"]] {
            let reply = server.ask("POST", path, headers, &body.to_string());
            let record = server.record(&reply).to_string();
            assert!(!record.contains(rest), "{path} {headers:?}: {record}");
            assert!(record.contains("****"), "{path} {headers:?}: {record}");
        }
    }
    assert!(!server.get("/api/requests").body.contains(rest));
}
