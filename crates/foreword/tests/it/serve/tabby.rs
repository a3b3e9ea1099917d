//! Tabby's API as its plugins speak it.

use serde_json::{Value, json};

use super::stub::{Stub, StubResponse};
use super::{SHOP, Server, hole};
use crate::Repository;

fn segments() -> Value {
    let (prefix, suffix) = hole();
    // Twenty lines at the most are sent on either side; here it is five.
    let lines: Vec<&str> = prefix.split_inclusive('\n').collect();
    let prefix: String = lines[lines.len() - 4..].concat();
    let suffix: String = suffix.split_inclusive('\n').take(4).collect();
    json!({ "prefix": prefix, "suffix": suffix, "filepath": "shop/order.py", "git_url": "https://example.com/acme/repository.git" })
}

fn stub() -> Stub {
    let event =
        |text: &str, stop: bool| format!("data: {}\n\n", json!({ "content": text, "stop": stop }));
    let pieces =
        [event("add(name)\n", false), event("    return cart\nnext", false), event("", true)];
    Stub::llama(move |_| StubResponse::stream("text/event-stream", &pieces))
}

#[test]
fn the_file_is_looked_up_by_its_path_and_the_answer_is_made_to_fit() {
    let (shop, stub) = (Repository::new(SHOP), stub());
    let server = Server::with_upstream(&shop, &stub.url);
    let body = json!({ "language": "python", "segments": segments(), "user": "u1", "temperature": 0.5, "seed": 7 });
    let reply = server.post("/v1/completions", &body);
    let answer = reply.json();
    assert_eq!(answer["choices"], json!([{ "index": 0, "text": "add(name)" }]), "{answer}");
    assert_eq!(answer["id"], format!("cmpl-{}", reply.header("x-foreword-request")));
    assert!(
        reply.header("x-foreword-match").starts_with("shop/order.py:16; confidence=1.00"),
        "{reply:?}"
    );
    let sent = stub.requests_to("/completion").pop().unwrap();
    assert_eq!((&sent["temperature"], &sent["seed"]), (&json!(0.5), &json!(7)));
    let prompt = sent["prompt"].as_str().unwrap();
    assert!(prompt.contains("TAX = 0.19") && prompt.contains("def add(self, item"), "{prompt}");
}

#[test]
fn the_clients_snippets_are_used_and_debug_data_is_returned() {
    let (shop, stub) = (Repository::new(SHOP), stub());
    let server = Server::with_upstream(&shop, &stub.url);
    let mut segments = segments();
    segments["declarations"] =
        json!([{ "filepath": "file:///usr/lib/bank.py", "body": "def transfer(amount): ..." }]);
    segments["relevant_snippets_from_changed_files"] = json!([{ "filepath": "shop/new.py", "body": "def changed_just_now(): pass", "score": 0.7 }]);
    let debug = json!({ "return_snippets": true, "return_prompt": true });
    let body = json!({ "language": "python", "segments": segments, "debug_options": debug });
    let answer = server.post("/v1/completions", &body).json();
    let prompt = answer["debug_data"]["prompt"].as_str().unwrap_or_else(|| panic!("{answer}"));
    for text in ["def transfer(amount)", "def changed_just_now()", "def add(self, item"] {
        assert!(prompt.contains(text), "{text}: {prompt}");
    }
    let snippets = answer["debug_data"]["snippets"].as_array().unwrap();
    assert!(
        snippets.iter().any(|it| it["filepath"] == "shop/cart.py" && it["score"].is_f64()),
        "{answer}"
    );
    assert!(snippets.iter().any(|it| it["filepath"] == "/usr/lib/bank.py"), "{answer}");
    let debug =
        json!({ "return_prompt": true, "disable_retrieval_augmented_code_completion": true });
    let body = json!({ "language": "python", "segments": segments, "debug_options": debug });
    let answer = server.post("/v1/completions", &body).json();
    let prompt = answer["debug_data"]["prompt"].as_str().unwrap();
    assert!(!prompt.contains("def add(self, item"), "{prompt}");
}

#[test]
fn line_ends_are_those_of_the_clients_file() {
    let shop = Repository::new(SHOP);
    let server = Server::embedded(&shop);
    let line = |name: &str| {
        format!("    register(registry, '{name}', priority=10)\r\n    commit(registry)\r\n")
    };
    let lines: String = ["alpha", "beta", "gamma"].map(line).concat();
    let prefix = format!("def install(registry):\r\n{lines}    register(registry, 'delta', ");
    let body = json!({ "language": "python", "segments": { "prefix": prefix, "suffix": "\r\n", "filepath": "new.py" } });
    let answer = server.post("/v1/completions", &body).json();
    let text = answer["choices"][0]["text"].as_str().unwrap();
    assert!(text.starts_with("priority=10)"), "{answer}");
    assert!(!text.replace("\r\n", "").contains('\n'), "{answer}");
}

#[test]
fn events_are_recorded_with_their_requests() {
    let shop = Repository::new(SHOP);
    let server = Server::embedded(&shop);
    let reply =
        server.post("/v1/completions", &json!({ "language": "python", "segments": segments() }));
    let id = reply.json()["id"].clone();
    for (kind, verdict) in [("view", "viewed"), ("dismiss", "dismissed"), ("select", "accepted")] {
        let event = json!({ "type": kind, "select_kind": "line", "completion_id": id, "choice_index": 0, "view_id": "v", "elapsed": 900 });
        let reply_to_event = server.post("/v1/events?select_kind=line", &event);
        assert_eq!((reply_to_event.status, reply_to_event.body.as_str()), (200, ""));
        assert_eq!(server.record(&reply)["verdict"], verdict);
    }
    assert!(
        server.get("/metrics").body.contains("foreword_verdicts_total{verdict=\"accepted\"} 1")
    );
    assert_eq!(server.post("/v1/events", &json!({ "type": "sneeze" })).status, 400);
    // A request that is not kept any more is no error.
    let event = json!({ "type": "view", "completion_id": "cmpl-0", "choice_index": 0 });
    assert_eq!(server.post("/v1/events", &event).status, 200);
}

#[test]
fn health_serves_clients_of_tabby_and_of_llama_cpp() {
    let shop = Repository::new(SHOP);
    let server = Server::embedded(&shop);
    for reply in [server.get("/v1/health"), server.post("/v1/health", &json!({}))] {
        let health = reply.json();
        assert_eq!(
            (&health["status"], &health["model"]),
            (&json!("ok"), &json!("foreword-embedded"))
        );
        for field in ["device", "arch", "cpu_info", "cpu_count", "cuda_devices", "version"] {
            assert!(!health[field].is_null(), "{field}: {health}");
        }
        assert_eq!(health["version"]["git_describe"], "v0.32.0");
        assert_eq!(health["webserver"], false);
    }
    let setting = server.get("/v1beta/server_setting").json();
    assert_eq!(setting, json!({ "disable_client_side_telemetry": true }));
    assert_eq!(server.get("/v1beta/models").json()["completion"], json!(["foreword-embedded"]));
}
