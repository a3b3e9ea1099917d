//! A chat model answers about a repository of a cluster as about a clone: it is sent the same, and its answer is verified as
//! there. Needs a real OpenSearch, whose address `FOREWORD_OPENSEARCH` has.

use serde_json::{Value, json};

use crate::ask::{answered, calls};
use crate::cluster::{Pushed, comparable};
use crate::serve::Server;
use crate::serve::stub::{Stub, StubResponse};

const QUESTION: &str = "what does function_7_3 do?";

/// A model that searches, reads and answers, in part wrongly.
fn script(body: &Value) -> StubResponse {
    match body["messages"].as_array().unwrap().len() {
        2 => calls("search", "{\"query\": \"needle_in_haystack\"}"),
        4 => calls("read", "{\"path\": \"src/m3/f23.py\", \"start_line\": 1, \"end_line\": 2}"),
        _ => answered(
            "It calls other_3 [1], as `function_149_19` does, and `zebra_crossing`.\nSee src/m3/f3.py:2 and src/m3/no.py:1 [77].\n",
        ),
    }
}

fn model() -> Stub {
    Stub::new(|path, body| match path {
        "/v1/chat/completions" => script(body),
        _ => StubResponse::json(&json!({ "data": [{ "id": "scripted" }] })),
    })
}

/// What the model was sent since it was asked last.
fn sent(stub: &Stub, known: &mut usize) -> Vec<Value> {
    let all = stub.requests_to("/v1/chat/completions");
    let new = all[*known..].to_vec();
    *known = all.len();
    assert_eq!(new.len(), 3, "{new:?}");
    new
}

#[test]
fn a_chat_model_is_sent_and_checked_as_in_a_clone() {
    let Some(pushed) = Pushed::new("cluster-chat") else { return };
    pushed.run(&["push"]);
    let (stub, mut known) = (model(), 0);
    pushed.repository.configure_chat(&stub.url);
    let args = ["ask", "--json", QUESTION];
    let here = comparable(pushed.repository.json(&args));
    let expected = sent(&stub, &mut known);
    let answer = &here["answer"];
    let codes =
        answer["problems"].as_array().unwrap().iter().map(|it| it["code"].as_str().unwrap());
    assert_eq!(
        codes.collect::<Vec<_>>(),
        ["no_such_name", "not_there", "no_such_evidence", "no_such_file"]
    );
    assert!(answer["calls"].as_array().unwrap().iter().all(|it| it["error"].is_null()), "{here}");
    let name = pushed.name();
    for there in [&args[..], &[&args[..], &["--repository", &name]].concat()] {
        let there = comparable(pushed.repository.json(&pushed.args(there)));
        assert_eq!(there, here);
        assert_eq!(sent(&stub, &mut known), expected);
    }
    let text = ["ask", QUESTION];
    assert_eq!(pushed.run(&text).out, pushed.repository.run(&text).out);
    known = stub.requests_to("/v1/chat/completions").len();
    let mut command = pushed.repository.command(&pushed.args(&["serve", "--port", "0", "--quiet"]));
    let server = Server::spawn(command.env_remove("FOREWORD_TOKEN"));
    let body = json!({ "question": QUESTION, "repository": name, "answer": true });
    let reply = server.post("/v1/ask", &body);
    assert_eq!((reply.status, comparable(reply.json())), (200, here));
    assert_eq!(sent(&stub, &mut known), expected);
    // Without being asked for, no model is.
    let body = json!({ "question": QUESTION, "repository": name });
    assert_eq!(server.post("/v1/ask", &body).json()["answer"], Value::Null);
    assert_eq!(stub.requests_to("/v1/chat/completions").len(), known);
    drop(stub);
    let body = json!({ "question": QUESTION, "repository": name, "answer": true });
    let refused = server.post("/v1/ask", &body);
    assert_eq!((refused.status, refused.body.contains("tell its operator")), (502, true));
    pushed.run(&["push", "--remove-all"]);
}

#[test]
fn a_server_without_a_chat_model_says_so() {
    let Some(pushed) = Pushed::new("cluster-chatless") else { return };
    pushed.run(&["push"]);
    let mut command = pushed.repository.command(&pushed.args(&["serve", "--port", "0", "--quiet"]));
    let server = Server::spawn(command.env_remove("FOREWORD_TOKEN"));
    let body = json!({ "question": QUESTION, "repository": pushed.name(), "answer": true });
    let refused = server.post("/v1/ask", &body);
    assert!(refused.status == 400 && refused.body.contains("no chat model"), "{refused:?}");
    pushed.run(&["push", "--remove-all"]);
}
