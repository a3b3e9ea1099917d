//! Reranking with scripted servers: honest, slow and misleading ones.

use serde_json::{Value, json};

use super::*;
use crate::http::Api;
use crate::http::stub::{Ending, Reply, Stub};
use crate::wait;

fn passages(n: usize) -> Vec<Passage> {
    let passage = |at: usize| Passage {
        path: format!("p{at}.py"),
        start_line: 1,
        symbol: format!("f{at}"),
        text: format!("def f{at}(): pass"),
    };
    (0..n).map(passage).collect()
}

fn reranked(
    kind: RerankKind,
    n: usize,
    answer: impl Fn(&str) -> Reply + Send + 'static,
) -> (Ranking, usize) {
    let stub = Stub::new(move |_, body: &Value| {
        answer(body["messages"][1]["content"].as_str().unwrap_or_default())
    });
    let passages = passages(n);
    let request = RerankRequest {
        question: "where is f?",
        passages: &passages,
        kind,
        timeout: Duration::from_secs(3),
        parallel: 4,
    };
    let res = wait(async {
        let server = Server::connect(&stub.url, Some(Api::OpenAi), Some("m"), None).await.unwrap();
        rerank(&server, &request).await
    });
    (res, stub.seen("/v1/chat/completions").len())
}

fn says(text: &str, probability: Option<f64>) -> Reply {
    let logprobs = probability.map(|p| {
        let alternatives = json!([
            { "token": " Yes", "logprob": p.ln() },
            { "token": "no", "logprob": (1.0 - p).ln() },
        ]);
        json!({ "content": [{ "token": "x", "logprob": 0.0, "top_logprobs": alternatives }] })
    });
    let choice =
        json!({ "message": { "content": text }, "finish_reason": "stop", "logprobs": logprobs });
    Reply::of(&[&json!({ "choices": [choice] }).to_string()])
}

/// Passage number in a prompt; `None` for a decoy.
fn number(prompt: &str) -> Option<usize> {
    let at = prompt.find("Passage:\np")? + "Passage:\np".len();
    prompt[at..].split('.').next()?.parse().ok()
}

#[test]
fn yes_is_weighed_by_its_probability() {
    let (it, requests) = reranked(RerankKind::Pointwise, 8, |prompt| {
        says("x", Some(number(prompt).map_or(0.01, |n| 0.1 + n as f64 / 10.0)))
    });
    assert_eq!(it, Ranking { order: vec![7, 6, 5, 4, 0, 1, 3, 2], note: None });
    assert_eq!(requests, 8 + 3);
}

#[test]
fn without_probabilities_the_word_counts() {
    let (it, _) = reranked(RerankKind::Pointwise, 4, |prompt| {
        says(if number(prompt) == Some(2) { "Yes." } else { "no" }, None)
    });
    assert_eq!(it.order, [2, 0, 1, 3]);
}

#[test]
fn a_model_that_prefers_what_cannot_help_is_not_believed() {
    let decoys = |prompt: &str| says("x", Some(number(prompt).map_or(0.9, |n| n as f64 / 100.0)));
    let same = |_: &str| says("x", Some(0.5));
    let talks = |_: &str| says("Well, it depends", None);
    let note = |it: (Ranking, usize)| {
        assert_eq!(it.0.order, Vec::<usize>::new());
        it.0.note.unwrap()
    };
    assert!(note(reranked(RerankKind::Pointwise, 9, decoys)).contains("irrelevant passages"));
    assert!(note(reranked(RerankKind::Pointwise, 9, same)).contains("all passages the same"));
    assert!(note(reranked(RerankKind::Pointwise, 9, talks)).contains("neither yes nor no"));
    let first = |_: &str| says(r#"{"order": [5, 6, 7, 1, 2, 3, 4, 8, 9, 10, 11, 12]}"#, None);
    assert!(note(reranked(RerankKind::Listwise, 9, first)).contains("irrelevant passages"));
    for (lie, why) in [
        (r#"{"order": [99]}"#, "unknown numbers"),
        (r#"{"order": [1]}"#, "fewer than half"),
        ("first the third", "not JSON"),
        (r#"{"list": []}"#, "no order"),
    ] {
        let said = note(reranked(RerankKind::Listwise, 9, move |_| says(lie, None)));
        assert!(said.contains(why), "{said}");
    }
}

#[test]
fn a_slow_or_broken_server_leaves_the_order_at_hand() {
    for kind in RerankKind::ALL {
        let (it, _) = reranked(kind, 5, |_| says("yes", None).ending(Ending::Hangs));
        assert!(it.order.is_empty() && it.note.unwrap().contains("in time"));
        let (it, _) = reranked(kind, 5, |_| Reply::of(&["{}"]).with(500, "x: 1"));
        assert!(it.order.is_empty() && it.note.is_some());
    }
}

#[test]
fn the_best_passage_moves_from_window_to_window_to_the_front() {
    let (it, requests) = reranked(RerankKind::Listwise, 35, |prompt| {
        // The last passage is the most relevant, decoys the least; the others keep their order.
        let lines = prompt.lines().filter_map(|it| it.strip_prefix('[')?.split_once("] "));
        let all: Vec<(&str, &str)> = lines.collect();
        let rank = |path: &str| match path {
            it if it.starts_with("p34.") => 0,
            it if it.starts_with("notes") => 2,
            _ => 1,
        };
        let mut order: Vec<(usize, usize)> =
            all.iter().map(|it| (rank(it.1), it.0.parse().unwrap())).collect();
        order.sort_unstable();
        let order: Vec<usize> = order.into_iter().map(|it| it.1).collect();
        says(&json!({ "order": order }).to_string(), None)
    });
    assert_eq!((it.order[0], it.order[1], it.order.len()), (34, 0, 35));
    assert_eq!(it.note, None);
    assert_eq!(requests, 3);
}
