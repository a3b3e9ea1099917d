//! Servers that hang, die, talk nonsense or have too much to do, and clients that go away.

use std::io::Read as _;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::stub::{End, Said, Stub};
use super::{SHOP, Server, hole, until};
use crate::Repository;

fn body(stream: bool) -> Value {
    let (prefix, suffix) = hole();
    json!({ "input_prefix": prefix, "input_suffix": suffix, "prompt": "", "stream": stream })
}

fn event(text: &str) -> String {
    format!("data: {}\n\n", json!({ "content": text, "stop": false }))
}

#[test]
fn a_refusal_is_handed_on_word_for_word() {
    let shop = Repository::new(SHOP);
    let refusal = json!({ "error": { "code": 503, "message": "Loading model", "type": "unavailable_error" } });
    let said = refusal.clone();
    let stub = Stub::llama(move |body| {
        let status = if body["seed"] == 1 { 429 } else { 503 };
        Said::json(&said).status(status)
    });
    let server = Server::before(&shop, &stub.url);
    for (seed, status) in [(0, 503), (1, 429)] {
        let mut asked = body(false);
        asked["seed"] = json!(seed);
        let reply = server.post("/infill", &asked);
        assert_eq!((reply.status, reply.json()), (status, refusal.clone()));
        assert_eq!(reply.header("retry-after"), "7");
        assert_eq!(server.record(&reply)["end"], "failed");
        let (prefix, suffix) = hole();
        let reply = server.post(
            "/v1/fim/completions",
            &json!({ "prompt": prefix, "suffix": suffix, "random_seed": seed }),
        );
        assert_eq!((reply.status, reply.json()), (status, refusal.clone()));
    }
}

#[test]
fn a_server_that_is_not_there_is_named_and_may_come_later() {
    let shop = Repository::new(SHOP);
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let url = format!("http://127.0.0.1:{port}");
    let server = Server::before(&shop, &url);
    for path in ["/infill", "/v1/fim/completions"] {
        let mut asked = body(false);
        asked["prompt"] = json!("x");
        let reply = server.post(path, &asked);
        assert!(reply.status == 502 && reply.body.contains(&url), "{reply:?}");
    }
    assert_eq!(server.get("/v1/models").status, 502);
    assert_eq!(server.get("/health").status, 200);
}

#[test]
fn a_server_that_dies_in_the_middle_ends_the_stream_and_nothing_else() {
    let shop = Repository::new(SHOP);
    let stub = Stub::llama(|_| Said::stream("text/event-stream", &[event("add(")]).end(End::Dies));
    let server = Server::before(&shop, &stub.url);
    let reply = server.post("/infill", &body(true));
    let (events, _) = reply.events();
    assert_eq!(events[0]["content"], "add(", "{reply:?}");
    assert!(events[1]["error"]["message"].as_str().unwrap().contains("no model"), "{reply:?}");
    let record = server.record(&reply);
    assert_eq!((&record["end"], &record["answer"]), (&json!("failed"), &json!("add(")));
    let (prefix, suffix) = hole();
    let asked = json!({ "prompt": prefix, "suffix": suffix, "stream": true });
    let reply = server.post("/v1/fim/completions", &asked);
    assert!(reply.body.contains("add(") && reply.body.contains("\"error\""), "{reply:?}");
}

#[test]
fn nonsense_is_called_so() {
    let shop = Repository::new(SHOP);
    let stub = Stub::llama(|_| Said::stream("text/html", &["<html>no\n".to_owned()]));
    let server = Server::before(&shop, &stub.url);
    let (prefix, suffix) = hole();
    let reply = server.post("/v1/fim/completions", &json!({ "prompt": prefix, "suffix": suffix }));
    assert!(reply.status == 502 && reply.body.contains("<html>no"), "{reply:?}");
    // In the server's own protocol what it says is what the client gets.
    let reply = server.post("/infill", &body(false));
    assert_eq!((reply.status, reply.body.as_str()), (200, "<html>no\n"));
    assert!(!server.record(&reply)["notes"].as_array().unwrap().is_empty());
}

#[test]
fn a_client_that_goes_away_takes_its_request_from_the_server() {
    let shop = Repository::new(SHOP);
    let stub = Stub::llama(|body| {
        let said = Said::stream("text/event-stream", &[event("add(")]);
        Said {
            kind: if body["stream"] == true { "text/event-stream" } else { "application/json" },
            ..said
        }
        .end(End::Hangs)
    });
    let server = Server::before(&shop, &stub.url);
    let (prefix, suffix) = hole();
    let mistral = json!({ "prompt": prefix, "suffix": suffix, "stream": true });
    let asked =
        [("/infill", body(true)), ("/infill", body(false)), ("/v1/fim/completions", mistral)];
    for (left, (path, asked)) in asked.into_iter().enumerate() {
        let before = stub.seen("/completion").len();
        let mut stream = server.send("POST", path, &[], &asked.to_string());
        until(|| (stub.seen("/completion").len() > before).then_some(()));
        if asked["stream"] == true {
            let mut first = [0; 64];
            stream.read_exact(&mut first).unwrap();
        }
        drop(stream);
        until(|| (stub.left() == left + 1).then_some(()));
    }
    let list = || server.get("/api/requests").json()["requests"].as_array().unwrap().clone();
    let all = until(|| Some(list()).filter(|it| it.iter().all(|it| it["end"] == "cancelled")));
    assert_eq!(all.len(), 3);
}

#[test]
fn one_slow_server_does_not_hold_up_the_others_requests() {
    let shop = Repository::new(SHOP);
    let stub = Stub::llama(|body| {
        let end = if body["seed"] == 1 { End::Hangs } else { End::Proper };
        Said::stream("text/event-stream", &[event("add(")]).end(end)
    });
    let server = Server::before(&shop, &stub.url);
    let mut slow = body(true);
    slow["seed"] = json!(1);
    let open: Vec<_> =
        (0..40).map(|_| server.send("POST", "/infill", &[], &slow.to_string())).collect();
    until(|| (stub.seen("/completion").len() == 40).then_some(()));
    let start = Instant::now();
    assert!(server.post("/infill", &body(true)).body.contains("add("));
    assert!(start.elapsed() < Duration::from_secs(10));
    drop(open);
    until(|| (stub.left() == 40).then_some(()));
}
