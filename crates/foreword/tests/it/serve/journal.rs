//! The journal of requests.

use std::io::{BufRead as _, BufReader};

use serde_json::json;

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
