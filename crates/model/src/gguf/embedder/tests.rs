//! Tests with tiny random models, against a real llama.cpp server.

use std::time::{Duration, Instant};

use super::{EmbedderSettings, GgufEmbedder};
use crate::embed::EmbedRequest;
use crate::gguf::tests::{LlamaServer, Models};
use crate::{ModelError, wait};

/// One thread: several would compete with other tests.
const SETTINGS: EmbedderSettings = EmbedderSettings { window: 0, threads: 1 };

fn texts(all: &[&str]) -> Vec<String> {
    all.iter().map(|it| (*it).to_owned()).collect()
}

fn embed(model: &GgufEmbedder, all: &[&str]) -> Vec<Vec<f32>> {
    wait(model.embed(&texts(all), None)).unwrap()
}

fn cosine(a: &[f32], b: &[f32]) -> f32 {
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
    dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()
}

#[test]
fn vectors_are_those_of_a_server_with_the_model() {
    let test = "vectors_are_those_of_a_server_with_the_model";
    let Some(models) = Models::new(test) else { return };
    let path = models.path("embedding");
    let Some(served) = LlamaServer::new(test, &path) else { return };
    let model = GgufEmbedder::open(&path, SETTINGS).unwrap();
    let all = ["def add(a, b):\n    return a + b\n", "x", "Größe <|endoftext|> 🦀"];
    let request = EmbedRequest { texts: texts(&all), dimensions: None, batch: 2, deadline: None };
    let theirs = wait(served.server.embed(&request)).unwrap().vectors;
    let ours = embed(&model, &all);
    for (ours, theirs) in ours.iter().zip(&theirs).take(2) {
        assert!(cosine(ours, theirs) > 0.9999, "{ours:?} {theirs:?}");
        assert!((ours.iter().map(|it| it * it).sum::<f32>() - 1.0).abs() < 1e-4);
    }
    // A server parses special tokens in texts; here repository text stays plain text.
    assert!(cosine(&ours[2], &embed(&model, &["Größe <|endoftext|> 🦀"])[0]) > 0.9999);
    assert!(cosine(&ours[0], &ours[1]) < 0.999);
}

#[test]
fn a_text_that_is_too_long_is_cut_where_the_model_stops_reading() {
    let test = "a_text_that_is_too_long_is_cut_where_the_model_stops_reading";
    let Some(models) = Models::new(test) else { return };
    let model = GgufEmbedder::open(&models.path("short-embedding"), SETTINGS).unwrap();
    assert_eq!(model.window(), 64);
    let (long, whole) = ("xy".repeat(500), "xy".repeat(32));
    let found = embed(&model, &[&long, &whole, "xy"]);
    assert!(cosine(&found[0], &found[1]) > 0.999_99);
    assert!(cosine(&found[0], &found[2]) < 0.999_99);
    let settings = EmbedderSettings { window: 16, ..SETTINGS };
    let model = GgufEmbedder::open(&models.path("embedding"), settings).unwrap();
    assert_eq!(model.window(), 16);
}

#[test]
fn what_embeds_no_texts_is_refused_with_the_reason() {
    let Some(models) = Models::new("what_embeds_no_texts_is_refused_with_the_reason") else {
        return;
    };
    let refused = |name: &str| {
        let path = models.path(name);
        let error = GgufEmbedder::open(&path, SETTINGS).unwrap_err().to_string();
        assert!(error.contains(path.to_str().unwrap()), "{error}");
        error
    };
    assert!(refused("qwen2.5-coder-tiny").contains("not an embedding model"));
    assert!(refused("absent").contains("cannot read the model"));
    assert!(refused("vocabulary").contains("no weights"));
}

#[test]
fn a_request_that_is_dropped_or_late_ends_and_the_next_one_is_answered() {
    let test = "a_request_that_is_dropped_or_late_ends_and_the_next_one_is_answered";
    let Some(models) = Models::new(test) else { return };
    let model = GgufEmbedder::open(&models.path("embedding"), SETTINGS).unwrap();
    let many = vec!["x = 1\n".repeat(300); 10_000];
    let soon = Duration::from_millis(200);
    wait(async {
        assert!(tokio::time::timeout(soon, model.embed(&many, None)).await.is_err());
    });
    let late = wait(model.embed(&many, Some(Instant::now() + soon))).unwrap_err();
    assert!(matches!(late, ModelError::Timeout { .. }), "{late}");
    let start = Instant::now();
    assert_eq!(embed(&model, &["x"]).len(), 1);
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    // Dropping the model ends its thread, even during a request.
    let waiting =
        wait(async { tokio::time::timeout(soon, model.embed(&many, None)).await.is_err() });
    drop(model);
    assert!(waiting && start.elapsed() < Duration::from_secs(20));
}
