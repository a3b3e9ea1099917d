//! Embedders retry, cut long texts, and report server errors.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use foreword_engine::index::{IndexConfig, Snapshot, VectorStore};
use foreword_engine::source::Source;
use serde_json::{Value, json};

use super::super::stub::{Ending, Reply, Stub};
use crate::embed::{Embedder, EmbedderSettings, EmbedderSource, Prefixes, Progress, fill};
use crate::http::Api;
use crate::{ModelError, wait};

fn source(stub: &Stub, model: &str, api: Api) -> EmbedderSource {
    let (url, model) = (stub.url.clone(), Some(model.to_owned()));
    EmbedderSource::Server { url, api: Some(api), model, key: None }
}

fn settings(stub: &Stub) -> EmbedderSettings {
    EmbedderSettings {
        source: source(stub, "m", Api::OpenAi),
        question_prefix: None,
        text_prefix: None,
        context: None,
        patience: Duration::from_millis(500),
    }
}

fn embedder(stub: &Stub) -> Embedder {
    wait(Embedder::connect(&settings(stub))).unwrap()
}

/// A vector for each text of a request, by its length.
fn vectors(body: &Value) -> Reply {
    let texts = body["input"].as_array().unwrap().iter();
    let vector = |it: &Value| json!({ "embedding": [it.as_str().unwrap().len(), 1.0] });
    Reply::of(&[&json!({ "data": texts.map(vector).collect::<Vec<_>>() }).to_string()])
}

fn refusal(status: u16, message: &str) -> Reply {
    Reply::of(&[&json!({ "error": { "message": message } }).to_string()]).with(status, "x: y")
}

fn snapshot(files: &[(&str, &str)]) -> Snapshot {
    let source = |it: &(&str, &str)| Source { path: it.0.into(), text: it.1.into() };
    Snapshot::of_sources(files.iter().map(source).collect(), IndexConfig::default()).unwrap()
}

#[test]
fn a_text_that_is_too_long_is_cut_and_the_others_are_not() {
    let stub = Stub::new(|_, body| {
        let texts = body["input"].as_array().unwrap();
        let is_long = texts.iter().any(|it| it.as_str().unwrap().len() > 600);
        if is_long { refusal(500, "input is too large to process") } else { vectors(body) }
    });
    let texts = ["a".repeat(500), "é".repeat(1000), "b".repeat(10)];
    let found = wait(embedder(&stub).texts(&texts, 2)).unwrap();
    let lengths: Vec<f32> = found.into_iter().map(|it| it.unwrap()[0]).collect();
    assert_eq!(lengths, [500.0, 500.0, 10.0]);
}

#[test]
fn a_text_that_the_model_has_no_vector_for_has_none() {
    let stub = Stub::new(|_, body| match body["input"].to_string().contains("bad") {
        true => refusal(400, "no"),
        false => Reply::of(&[r#"{"data":[{"embedding":[1,2]}]}"#]),
    });
    let texts = ["bad".to_owned(), "good".to_owned()];
    assert_eq!(wait(embedder(&stub).texts(&texts, 2)).unwrap(), [None, Some(vec![1.0, 2.0])]);
    for broken in ["[null, 1]", "[0, 0]"] {
        let reply = format!(r#"{{"data":[{{"embedding":{broken}}}]}}"#);
        let stub = Stub::new(move |_, _| Reply::of(&[&reply]));
        assert_eq!(wait(embedder(&stub).texts(&texts[..1], 2)).unwrap(), [None]);
        let error = wait(embedder(&stub).probe()).unwrap_err();
        assert!(matches!(error, ModelError::NoDirection { .. }), "{error}");
    }
}

#[test]
fn a_busy_server_is_asked_again_and_a_wrong_key_is_not() {
    let asked = Arc::new(AtomicUsize::new(0));
    let seen = Arc::clone(&asked);
    let stub = Stub::new(move |_, body| match seen.fetch_add(1, Ordering::Relaxed) {
        0 => Reply::of(&["{}"]).with(429, "retry-after: 0"),
        _ => vectors(body),
    });
    assert!(wait(embedder(&stub).texts(&["a".to_owned()], 2)).unwrap()[0].is_some());
    assert_eq!(asked.load(Ordering::Relaxed), 2);
    let stub = Stub::new(|_, _| refusal(401, "wrong key"));
    let error = wait(embedder(&stub).texts(&["a".to_owned()], 2)).unwrap_err();
    assert!(error.to_string().contains("wrong key"), "{error}");
    assert_eq!(stub.seen("/v1/embeddings").len(), 1);
}

#[test]
fn a_question_waits_no_longer_than_it_may() {
    let stub = Stub::new(|_, _| Reply::of(&[]).ending(Ending::Hangs));
    let start = Instant::now();
    let error = wait(embedder(&stub).question("where?")).unwrap_err();
    assert!(matches!(error, ModelError::Timeout { .. }), "{error}");
    assert!(start.elapsed() < Duration::from_secs(5));
}

#[test]
fn models_are_told_what_is_a_question() {
    let stub = Stub::new(|_, body| vectors(body));
    let named = |name: &str| {
        let source = source(&stub, name, Api::OpenAi);
        EmbedderSettings { source, ..settings(&stub) }
    };
    let nomic = wait(Embedder::connect(&named("nomic-embed-text:v1.5"))).unwrap();
    wait(nomic.question("where?")).unwrap();
    wait(nomic.texts(&["code".to_owned()], 2)).unwrap();
    let seen = stub.seen("/v1/embeddings");
    assert_eq!(seen[0]["input"][1], "search_query: where?");
    assert_eq!(seen[1]["input"][0], "search_document: code");
    assert_ne!(named("nomic-embed-text").identity(), named("m").identity());
    assert_eq!(Prefixes::of_model("intfloat/multilingual-e5-small").text, "passage: ");
    assert_eq!(Prefixes::of_model("sentence-transformers/all-MiniLM-L6-v2"), Prefixes::default());
}

#[test]
fn llama_cpp_without_pooling_gives_the_mean_of_its_tokens() {
    let stub = Stub::new(|path, _| match path {
        "/embedding" => Reply::of(&[r#"[{"index":0,"embedding":[[1,2],[3,4]]}]"#]),
        _ => refusal(400, "Pooling type 'none' is not OAI compatible"),
    });
    let llama = EmbedderSettings { source: source(&stub, "m", Api::LlamaCpp), ..settings(&stub) };
    let embedder = wait(Embedder::connect(&llama)).unwrap();
    assert_eq!(wait(embedder.texts(&["a".to_owned()], 2)).unwrap(), [Some(vec![2.0, 3.0])]);
}

#[test]
fn what_has_a_vector_is_not_sent_again_and_work_goes_on_where_it_stopped() {
    let dir = tempfile::tempdir().unwrap();
    let store = VectorStore::in_directory(dir.path(), "m");
    let files: Vec<(String, String)> = (0..40)
        .map(|it| (format!("f{it:02}.py"), format!("def f{it}():\n    return {it}\n")))
        .collect();
    let files: Vec<(&str, &str)> = files.iter().map(|it| (&*it.0, &*it.1)).collect();
    let snapshot = snapshot(&files);
    let stub = Stub::new(|_, body| vectors(body));
    let embedder = embedder(&stub);
    let run = |goes_on: &(dyn Fn(Progress) -> bool + Sync)| {
        wait(fill(&embedder, &snapshot, &store, goes_on)).unwrap().unwrap()
    };
    let first = run(&|it| it.chunks == 0);
    assert_eq!((first.files, first.done, first.chunks), (40, 16, 16));
    assert_eq!(store.load().coverage(&snapshot).known, 16);
    let second = run(&|_| true);
    assert_eq!((second.files, second.done, second.chunks), (24, 24, 24));
    let sent: usize =
        stub.seen("/v1/embeddings").iter().map(|it| it["input"].as_array().unwrap().len()).sum();
    // Each run also embeds the probe.
    assert_eq!(sent, 40 + 2);
}

#[test]
fn a_server_that_dies_keeps_what_it_gave() {
    let dir = tempfile::tempdir().unwrap();
    let store = VectorStore::in_directory(dir.path(), "m");
    let files: Vec<String> = (0..20).map(|it| format!("f{it:02}.py")).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|it| (&**it, "x = 1\n")).collect();
    let snapshot = snapshot(&files);
    let asked = AtomicUsize::new(0);
    let stub = Stub::new(move |_, body| match asked.fetch_add(1, Ordering::Relaxed) {
        0 | 1 => vectors(body),
        _ => Reply::of(&["{"]).ending(Ending::Dies),
    });
    let error = wait(fill(&embedder(&stub), &snapshot, &store, &|_| true)).unwrap_err();
    assert!(error.to_string().contains("no model answers"), "{error}");
    assert_eq!(store.load().coverage(&snapshot).known, 16);
}

#[test]
fn vectors_of_another_length_than_the_probe_are_an_error_and_none_is_kept() {
    let dir = tempfile::tempdir().unwrap();
    let store = VectorStore::in_directory(dir.path(), "m");
    let snapshot = snapshot(&[("a.py", "x = 1\n"), ("b.py", "y = 2\n")]);
    let fails = |reply: &'static str, expect: &[&str]| {
        let asked = AtomicUsize::new(0);
        let stub = Stub::new(move |_, body| match asked.fetch_add(1, Ordering::Relaxed) {
            0 => vectors(body),
            _ => Reply::of(&[reply]),
        });
        let error = wait(fill(&embedder(&stub), &snapshot, &store, &|_| true)).unwrap_err();
        let error = error.to_string();
        assert!(expect.iter().all(|it| error.contains(it)) && error.contains(&stub.url), "{error}");
        assert_eq!((store.load().len(), store.load().coverage(&snapshot).known), (0, 0));
    };
    let other = r#"{"data":[{"embedding":[1,2,3]},{"embedding":[1,2,3]}]}"#;
    fails(other, &["\"m\"", "3 dimensions instead of 2"]);
    fails(r#"{"data":[{"embedding":[1,2]},{"embedding":[]}]}"#, &["0 dimensions instead of 2"]);
    fails(r#"{"data":[{"embedding":[1,2]}]}"#, &["1 vectors for 2 texts"]);
    let twice = r#"{"data":[{"index":1,"embedding":[1,2]},{"index":1,"embedding":[1,2]}]}"#;
    fails(twice, &["1 vectors for 2 texts"]);
    let long = format!(r#"{{"embeddings":[[{}1]]}}"#, "1,".repeat(900_000)).leak();
    fails(long, &["more than 65536 dimensions"]);
}
