//! Upstream servers that hang, break off, send garbage or are overloaded, and clients that go away.

use std::io::Read as _;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::stub::{Ending, Stub, StubResponse};
use super::{SHOP, Server, hole, until};
use crate::Repository;

fn body() -> Value {
    let (prefix, suffix) = hole();
    json!({ "input_prefix": prefix, "input_suffix": suffix, "prompt": "" })
}

fn streaming_body() -> Value {
    let mut body = body();
    body["stream"] = json!(true);
    body
}

fn event(text: &str) -> String {
    format!("data: {}\n\n", json!({ "content": text, "stop": false }))
}

#[test]
fn an_upstream_error_is_relayed_word_for_word() {
    let shop = Repository::new(SHOP);
    let refusal = json!({ "error": { "code": 503, "message": "Loading model", "type": "unavailable_error" } });
    let response = refusal.clone();
    let stub = Stub::llama(move |body| {
        let status = if body["seed"] == 1 { 429 } else { 503 };
        StubResponse::json(&response).status(status)
    });
    let server = Server::with_upstream(&shop, &stub.url);
    for (seed, status) in [(0, 503), (1, 429)] {
        let mut request = body();
        request["seed"] = json!(seed);
        let reply = server.post("/infill", &request);
        assert_eq!((reply.status, reply.json()), (status, refusal.clone()));
        assert_eq!(reply.header("retry-after"), "7");
        assert_eq!(server.record(&reply)["end"], "failed");
        let (prefix, suffix) = hole();
        let reply = server.post(
            "/v1/fim/completions",
            &json!({ "prompt": prefix, "suffix": suffix, "random_seed": seed }),
        );
        // In the shape of the client's protocol.
        let expected = json!({
            "object": "error", "message": "Loading model", "type": "unavailable_error", "param": null, "code": 503,
        });
        assert_eq!((reply.status, reply.json()), (status, expected));
    }
}

#[test]
fn a_server_that_cannot_be_reached_is_named() {
    let shop = Repository::new(SHOP);
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let url = format!("http://127.0.0.1:{port}");
    let server = Server::with_upstream(&shop, &url);
    for path in ["/infill", "/v1/fim/completions"] {
        let mut request = body();
        request["prompt"] = json!("x");
        let reply = server.post(path, &request);
        assert!(reply.status == 502 && reply.body.contains(&url), "{reply:?}");
    }
    assert_eq!(server.get("/v1/models").status, 502);
    let health = server.get("/health");
    assert_eq!((health.status, &health.json()["status"]), (200, &json!("degraded")));
    // This is told to everyone.
    assert!(!health.body.contains(&url), "{health:?}");
    let health = server.get("/v1/health").json();
    assert_eq!(health["status"], "degraded");
    assert!(health["trouble"].as_str().unwrap().contains(&url), "{health}");
}

#[test]
fn a_server_that_breaks_off_ends_the_stream_with_an_error() {
    let shop = Repository::new(SHOP);
    let stub = Stub::llama(|_| {
        StubResponse::stream("text/event-stream", &[event("add(")]).end(Ending::Breaks)
    });
    let server = Server::with_upstream(&shop, &stub.url);
    let reply = server.post("/infill", &streaming_body());
    let (events, _) = reply.events();
    assert_eq!(events[0]["content"], "add(", "{reply:?}");
    assert!(events[1]["error"]["message"].as_str().unwrap().contains("no model"), "{reply:?}");
    let record = server.record(&reply);
    assert_eq!((&record["end"], &record["answer"]), (&json!("failed"), &json!("add(")));
    let (prefix, suffix) = hole();
    let request = json!({ "prompt": prefix, "suffix": suffix, "stream": true });
    let reply = server.post("/v1/fim/completions", &request);
    assert!(reply.body.contains("add(") && reply.body.contains("\"error\""), "{reply:?}");
}

#[test]
fn garbage_is_reported() {
    let shop = Repository::new(SHOP);
    let stub = Stub::llama(|_| StubResponse::stream("text/html", &["<html>no\n".to_owned()]));
    let server = Server::with_upstream(&shop, &stub.url);
    let (prefix, suffix) = hole();
    let reply = server.post("/v1/fim/completions", &json!({ "prompt": prefix, "suffix": suffix }));
    assert!(reply.status == 502 && reply.body.contains("<html>no"), "{reply:?}");
    // In the server's own protocol the response is relayed as it is.
    let reply = server.post("/infill", &body());
    assert_eq!((reply.status, reply.body.as_str()), (200, "<html>no\n"));
    assert!(!server.record(&reply)["notes"].as_array().unwrap().is_empty());
}

#[test]
fn a_client_that_goes_away_cancels_its_request_upstream() {
    let shop = Repository::new(SHOP);
    let stub = Stub::llama(|body| {
        let response = StubResponse::stream("text/event-stream", &[event("add(")]);
        StubResponse {
            kind: if body["stream"] == true { "text/event-stream" } else { "application/json" },
            ..response
        }
        .end(Ending::Hangs)
    });
    let server = Server::with_upstream(&shop, &stub.url);
    let (prefix, suffix) = hole();
    let mistral = json!({ "prompt": prefix, "suffix": suffix, "stream": true });
    let requests =
        [("/infill", streaming_body()), ("/infill", body()), ("/v1/fim/completions", mistral)];
    for (before_this, (path, request)) in requests.into_iter().enumerate() {
        let before = stub.requests_to("/completion").len();
        let mut stream = server.send("POST", path, &[], &request.to_string());
        until(|| (stub.requests_to("/completion").len() > before).then_some(()));
        if request["stream"] == true {
            let mut first = [0; 64];
            stream.read_exact(&mut first).unwrap();
        }
        drop(stream);
        until(|| (stub.hung_up() == before_this + 1).then_some(()));
    }
    let list = || server.get("/api/requests").json()["requests"].as_array().unwrap().clone();
    let all = until(|| Some(list()).filter(|it| it.iter().all(|it| it["end"] == "cancelled")));
    assert_eq!(all.len(), 3);
}

#[test]
fn hanging_requests_do_not_delay_others() {
    let shop = Repository::new(SHOP);
    let stub = Stub::llama(|body| {
        let end = if body["seed"] == 1 { Ending::Hangs } else { Ending::Complete };
        StubResponse::stream("text/event-stream", &[event("add(")]).end(end)
    });
    let server = Server::with_upstream(&shop, &stub.url);
    let mut slow = streaming_body();
    slow["seed"] = json!(1);
    let open: Vec<_> =
        (0..40).map(|_| server.send("POST", "/infill", &[], &slow.to_string())).collect();
    until(|| (stub.requests_to("/completion").len() == 40).then_some(()));
    let start = Instant::now();
    assert!(server.post("/infill", &streaming_body()).body.contains("add("));
    assert!(start.elapsed() < Duration::from_secs(10));
    drop(open);
    until(|| (stub.hung_up() == 40).then_some(()));
}
