//! Prompts for next-edit models, in front of whose servers foreword stands: passed on as they are, whatever the model
//! answers.

use std::io::Read as _;

use serde_json::{Value, json};

use super::stub::{Ending, Stub, StubResponse};
use super::{SHOP, Server, until};
use crate::Repository;

/// Prompts of Zed (Zeta 2, 2.1 and 1) and Sweep, about a file of the repository and one that is not there.
fn prompts() -> [String; 4] {
    let history = "<filename>edit_history\n--- a/shop.py\n+++ b/shop.py\n@@ -1 +1 @@\n-a\n+b\n\n";
    let head =
        format!("<[fim-suffix]>\nx = 1\n<[fim-prefix]>{history}<filename>shop.py\nimport a\n");
    [
        format!("{head}<<<<<<< CURRENT\ntotal = <|user_cursor|>0\n=======\n<[fim-middle]>"),
        format!("{head}<|marker_1|>total = <|user_cursor|>0\n<|marker_2|><[fim-middle]>"),
        "### Instruction:\nx\n\n### User Excerpt:\n\n```shop.py\n<|editable_region_start|>\ntotal = 0\n\
         <|editable_region_end|>\n```\n\n### Response:\n"
            .to_owned(),
        "<|file_sep|>original/shop.py:1:1\na\n<|file_sep|>current/shop.py:1:1\nb<|cursor|>\n\
         <|file_sep|>updated/shop.py:1:1\n"
            .to_owned(),
    ]
}

fn answer(text: &str) -> StubResponse {
    StubResponse::json(
        &json!({ "choices": [{ "index": 0, "text": text, "finish_reason": "stop" }] }),
    )
}

#[test]
fn a_prompt_for_a_next_edit_model_is_passed_on_as_it_is_and_so_is_the_answer() {
    let shop = Repository::new(SHOP);
    // A good answer, and one that is no edit at all: the client knows its model.
    for text in ["<|marker_1|>total = 1\n<|marker_2|>", "Sorry, I cannot \u{1f600}"] {
        let stub = Stub::llama(move |_| answer(text));
        let server = Server::with_upstream(&shop, &stub.url);
        for (before, prompt) in prompts().into_iter().enumerate() {
            let request = json!({
                "model": "zeta", "prompt": prompt, "max_tokens": 1024, "temperature": 0,
                "stop": ["<[end\u{2581}of\u{2581}sentence]>"], "stream": false,
            });
            let reply = server.post("/v1/completions", &request);
            assert_eq!(reply.status, 200, "{reply:?}");
            assert_eq!(reply.json()["choices"][0]["text"], text, "{reply:?}");
            let sent = stub.requests_to("/v1/completions");
            assert_eq!(sent.len(), before + 1, "{}", stub.all_requests());
            for field in ["prompt", "max_tokens", "temperature", "stop"] {
                assert_eq!(sent[before][field], request[field], "{field}: {sent:?}");
            }
        }
    }
}

#[test]
fn a_prompt_that_names_a_secret_file_reaches_no_model() {
    let shop = Repository::new(SHOP);
    let stub = Stub::llama(|_| answer("x"));
    let server = Server::with_upstream(&shop, &stub.url);
    for prompt in prompts() {
        let prompt = prompt.replace("shop.py", ".env");
        let reply = server.post("/v1/completions", &json!({ "prompt": prompt }));
        assert_eq!(
            (reply.status, &reply.json()["choices"][0]["text"]),
            (200, &json!("")),
            "{reply:?}"
        );
    }
    assert_eq!(stub.requests_to("/v1/completions"), [Value::Null; 0]);
}

#[test]
fn a_late_or_endless_answer_ends_with_its_client() {
    let shop = Repository::new(SHOP);
    let event = format!("data: {}\n\n", json!({ "choices": [{ "index": 0, "text": "more\n" }] }));
    for end in [Ending::Hangs, Ending::Floods] {
        let event = event.clone();
        let stub = Stub::llama(move |_| {
            StubResponse::stream("text/event-stream", std::slice::from_ref(&event)).end(end)
        });
        let server = Server::with_upstream(&shop, &stub.url);
        let request = json!({ "prompt": prompts()[1], "stream": true });
        let mut stream = server.send("POST", "/v1/completions", &[], &request.to_string());
        let mut first = [0; 64];
        stream.read_exact(&mut first).unwrap();
        drop(stream);
        until(|| (stub.hung_up() == 1).then_some(()));
    }
}
