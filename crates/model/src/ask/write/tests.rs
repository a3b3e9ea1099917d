//! Search texts from a scripted server.

use serde_json::json;

use super::*;
use crate::http::Api;
use crate::http::stub::{Ending, Reply, Stub};
use crate::wait;
use foreword_engine::index::IndexConfig;
use foreword_engine::source::Source;

fn shop() -> Snapshot {
    let text = "def take_item(name):\n    '''Takes one item off the shelf.'''\n    return price_of(name)\n";
    let source = Source { path: "shop/stock.py".to_owned(), text: text.to_owned() };
    Snapshot::of_sources(vec![source], IndexConfig::default()).unwrap()
}

fn written(reply: Reply, kinds: &[WriteKind], timeout: u64) -> (SearchTexts, Stub) {
    let stub = Stub::new(move |_, _| reply.clone());
    let snapshot = shop();
    let request = WriteRequest {
        snapshot: &snapshot,
        question: "how are items taken?",
        kinds,
        passages: &[],
        timeout: Duration::from_millis(timeout),
        parallel: 2,
    };
    let res = wait(async {
        let server = Server::connect(&stub.url, Some(Api::OpenAi), Some("m"), None).await.unwrap();
        write(&server, &request).await
    });
    (res, stub)
}

fn says(text: &str) -> Reply {
    let body = json!({ "choices": [{ "message": { "content": text }, "finish_reason": "stop" }] });
    Reply::of(&[&body.to_string()])
}

#[test]
fn what_a_model_writes_is_searched_for_beside_the_question() {
    let (it, stub) =
        written(says("```python\ndef take_item(name):\n```"), &[WriteKind::Code], 5_000);
    assert_eq!(it.texts, ["how are items taken?\n\n```\ndef take_item(name):\n```\n"]);
    assert_eq!(it.notes, Vec::<String>::new());
    let body = &stub.seen("/v1/chat/completions")[0];
    assert!(body["messages"][1]["content"].as_str().unwrap().contains("Main language: python"));
    let (it, _) = written(says("take_item returns the price."), &[WriteKind::Plain], 5_000);
    assert!(it.texts[0].starts_with("how are items taken?\n\n"), "{it:?}");
}

#[test]
fn parts_are_questions_of_their_own() {
    let (it, stub) = written(
        says(r#"{"questions": ["what is an item", "price of"]}"#),
        &[WriteKind::Parts],
        5_000,
    );
    assert_eq!(it.texts, ["what is an item", "price of"]);
    let body = &stub.seen("/v1/chat/completions")[0];
    assert_eq!(body["response_format"]["json_schema"]["name"], "questions");
    let (it, _) = written(says(r#"{"questions": []}"#), &[WriteKind::Parts], 5_000);
    assert_eq!((it.texts.len(), it.notes.len()), (0, 0));
}

#[test]
fn junk_failures_and_slowness_are_noted_and_nothing_else() {
    let (it, _) = written(says("qwrt zzyx vlorp quux brzl"), &[WriteKind::Plain], 5_000);
    assert_eq!(it.texts, Vec::<String>::new());
    assert!(it.notes[0].contains("not fit this repository (0 of 5 words known)"), "{it:?}");
    let (it, _) = written(says("no json"), &[WriteKind::Parts], 5_000);
    assert_eq!(it.notes, ["parts: the model did not answer in JSON"]);
    let (it, _) = written(Reply::of(&["{}"]).with(500, "x: 1"), &[WriteKind::Code], 5_000);
    assert!(it.notes[0].starts_with("code: "), "{it:?}");
    let (it, _) = written(says("x").ending(Ending::Hangs), &[WriteKind::Plain], 200);
    assert!(it.notes[0].contains("in time"), "{it:?}");
}
