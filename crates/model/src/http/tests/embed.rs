//! Embeddings: batches, vectors, and invalid responses.

use serde_json::{Value, json};

use super::super::stub::{Reply, Stub};
use super::super::{Api, Server};
use crate::embed::{EmbedRequest, EmbedResponse};
use crate::{ModelError, wait};

fn embed(stub: &Stub, api: Api, dimensions: Option<usize>) -> Result<EmbedResponse, ModelError> {
    let texts = ["a", "bb", "ccc"].map(str::to_owned).to_vec();
    let request = EmbedRequest { texts, dimensions, batch: 2, deadline: None };
    wait(async {
        let server = Server::connect(&stub.url, Some(api), Some("m"), None).await.unwrap();
        server.embed(&request).await
    })
}

/// One vector a text: its length and 1.
fn vectors(body: &Value) -> Vec<Value> {
    let texts = body["input"].as_array().unwrap();
    texts.iter().map(|it| json!([it.as_str().unwrap().len(), 1.0])).collect()
}

#[test]
fn openai_is_asked_in_batches_and_its_vectors_are_put_in_order() {
    let stub = Stub::new(|_, body| {
        let all = vectors(body).into_iter().enumerate();
        let mut data: Vec<Value> = all
            .map(|(index, embedding)| json!({ "index": index, "embedding": embedding }))
            .collect();
        data.reverse();
        Reply::of(&[&json!({ "data": data, "usage": { "prompt_tokens": 5 } }).to_string()])
    });
    let response = embed(&stub, Api::OpenAi, Some(2)).unwrap();
    assert_eq!(response.vectors, [[1.0, 1.0], [2.0, 1.0], [3.0, 1.0]]);
    assert_eq!(response.prompt_tokens, Some(10));
    let bodies =
        [json!({ "model": "m", "input": ["a", "bb"] }), json!({ "model": "m", "input": ["ccc"] })];
    assert_eq!(stub.seen("/v1/embeddings"), bodies);
}

#[test]
fn ollama_is_told_not_to_cut_texts() {
    let stub =
        Stub::new(|_, body| Reply::of(&[&json!({ "embeddings": vectors(body) }).to_string()]));
    let response = embed(&stub, Api::Ollama, None).unwrap();
    assert_eq!(response.vectors.len(), 3);
    let first = json!({ "model": "m", "input": ["a", "bb"], "truncate": false });
    assert_eq!(stub.seen("/api/embed")[0], first);
}

#[test]
fn wrong_vectors_are_errors_that_say_what_was_expected() {
    let check = |body: Value, dimensions: Option<usize>, words: &[&str]| {
        let stub = Stub::new(move |_, _| Reply::of(&[&body.to_string()]));
        let error = embed(&stub, Api::Ollama, dimensions).unwrap_err().to_string();
        assert!(error.contains(&stub.url) && words.iter().all(|it| error.contains(it)), "{error}");
    };
    let two = json!({ "embeddings": [[1, 2], [3, 4]] });
    check(two.clone(), Some(3), &["2 dimensions instead of 3", "embed all texts again"]);
    check(json!({ "embeddings": [[1, 2], [3]] }), None, &["1 dimensions instead of 2"]);
    check(json!({ "embeddings": [[], []] }), None, &["0 dimensions"]);
    // The second batch has one text and gets two vectors.
    check(two, None, &["2 vectors for 1 texts"]);
    check(json!({ "embeddings": [["x"], [1]] }), None, &["embeddings"]);
    check(json!({ "error": "unknown model" }), None, &["unknown model"]);
}
