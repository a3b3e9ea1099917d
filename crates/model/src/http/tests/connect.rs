//! Detection at connection, against stubs.

use std::time::{Duration, Instant};

use foreword_engine::compose::Format;
use serde_json::json;

use super::super::stub::{Reply, Stub};
use super::super::{Api, Server};
use crate::{Counting, ModelError, TokenCounter, wait};

/// A llama.cpp server whose tokenizer knows only some special tokens.
fn llama(known: &'static [&'static str]) -> Stub {
    Stub::new(move |path, body| match path {
        "/props" => Reply::of(&["{\"default_generation_settings\":{\"n_ctx\":4096}}"]),
        "/v1/models" => {
            Reply::of(&["{\"data\":[{\"id\":\"/models/qwen2.5-coder-1.5b-q8_0.gguf\"}]}"])
        }
        "/tokenize" => {
            let text = body["content"].as_str().unwrap_or_default();
            let n = if known.contains(&text) { 1 } else { 5 };
            Reply::of(&[&json!({ "tokens": vec![1; n] }).to_string()])
        }
        _ => Reply::of(&["{}"]).with(404, "x-stub: 1"),
    })
}

#[test]
fn a_server_is_found_out_and_its_tokens_are_tried() {
    let all =
        ["<|fim_prefix|>", "<|fim_suffix|>", "<|fim_middle|>", "<|file_sep|>", "<|repo_name|>"];
    let stub = llama(Box::leak(Box::new(all)));
    wait(async {
        let server = Server::connect(&stub.url, None, None, None).await.unwrap();
        assert_eq!((server.api(), server.model()), (Api::LlamaCpp, "qwen2.5-coder-1.5b-q8_0.gguf"));
        assert_eq!(server.format(None).await.unwrap().name, "qwen2.5-coder");
        assert_eq!(server.window().await, Some(4096));
        let error = server.format(Some("starcoder2")).await.unwrap_err();
        assert!(matches!(error, ModelError::NoSuchToken { .. }), "{error}");
    });
    let stub = llama(&["<|fim_prefix|>"]);
    wait(async {
        let server = Server::connect(&stub.url, None, None, None).await.unwrap();
        let error = server.format(None).await.unwrap_err().to_string();
        assert!(error.contains("<|") && error.contains("--model-api chat"), "{error}");
        let error = server.format(Some("gpt-99")).await.unwrap_err().to_string();
        assert!(error.contains("gpt-99") && error.contains("garbage"), "{error}");
    });
}

#[test]
fn ollama_is_found_out_and_a_template_without_a_suffix_is_refused() {
    let stub = Stub::new(|path, _| match path {
        "/api/version" => Reply::of(&["{\"version\":\"0.6.3\"}"]),
        "/api/show" => Reply::of(&["{\"template\":\"{{ .Prompt }}\"}"]),
        _ => Reply::of(&["404 page not found"]).with(404, "x-stub: 1"),
    });
    wait(async {
        let server = Server::connect(&stub.url, None, Some("qwen2.5-coder"), None).await.unwrap();
        assert_eq!(server.api(), Api::Ollama);
        let api = Some(Api::OllamaSuffix);
        let server = Server::connect(&stub.url, api, Some("llama3"), None).await.unwrap();
        let error = server.ensure_suffix().await.unwrap_err().to_string();
        assert!(error.contains("llama3") && error.contains("--model-api ollama"), "{error}");
    });
}

/// The counter for a format without a bundled vocabulary, calibrated by a server with these counts.
fn calibrated(count: impl Fn(&str) -> Option<usize> + Send + 'static) -> (TokenCounter, Stub) {
    let stub = Stub::new(move |path, body| {
        match (path, count(body["content"].as_str().unwrap_or_default())) {
            ("/tokenize", Some(n)) => Reply::of(&[&json!({ "tokens": vec![1; n] }).to_string()]),
            _ => Reply::of(&["{}"]).with(404, "x-stub: 1"),
        }
    });
    let counter = wait(async {
        let server =
            Server::connect(&stub.url, Some(Api::LlamaCpp), Some("m"), None).await.unwrap();
        server.calibrate(estimate()).await
    });
    (counter, stub)
}

fn estimate() -> TokenCounter {
    TokenCounter::for_format(Format::named("codellama").unwrap(), None).unwrap()
}

const TEXT: &str = "fn add(a: u32, b: u32) -> u32 {\n    a + b\n}\n";

#[test]
fn an_estimate_is_calibrated_once_and_never_asks_again() {
    let (counter, stub) = calibrated(|text| Some(text.len()));
    let asked = stub.seen("/tokenize").len();
    assert_eq!(asked, crate::calibration::SAMPLES.len());
    assert!(counter.count(TEXT) > estimate().count(TEXT));
    let Counting::Estimate { what, .. } = counter.kind() else { panic!("an estimate") };
    assert!(what.ends_with(&format!("calibrated by the tokenizer of {}", stub.url)), "{what}");
    let other = counter.clone();
    let on_thread = std::thread::spawn(move || other.count(TEXT)).join().unwrap();
    assert_eq!(on_thread, counter.count(TEXT));
    assert_eq!(stub.seen("/tokenize").len(), asked);
}

#[test]
fn a_tokenizer_that_is_absent_wrong_or_slow_leaves_the_estimate() {
    let (absent, _stub) = calibrated(|_| None);
    assert_eq!((absent.count(TEXT), absent.kind()), (estimate().count(TEXT), estimate().kind()));
    let (wrong, _stub) = calibrated(|text| Some(text.len() * 50));
    assert_eq!(wrong.kind(), estimate().kind());
    let start = Instant::now();
    let (slow, _stub) = calibrated(move |text| {
        std::thread::sleep(Duration::from_millis(400));
        Some(text.len())
    });
    assert!(start.elapsed() < Duration::from_secs(4), "{:?}", start.elapsed());
    assert_eq!(slow.kind(), estimate().kind());
}

#[test]
fn the_window_is_what_ollama_reads_and_what_vllm_says() {
    let ollama = |loaded: &'static str, parameters: &'static str| {
        Stub::new(move |path, _| match path {
            "/api/ps" => Reply::of(&[loaded]),
            "/api/show" => Reply::of(&[parameters]),
            _ => Reply::of(&["{}"]),
        })
    };
    let window = |stub: &Stub, api| {
        wait(async {
            let server = Server::connect(&stub.url, Some(api), Some("m"), None).await.unwrap();
            server.window().await
        })
    };
    let loaded = r#"{"models":[{"name":"m:latest","context_length":16384}]}"#;
    assert_eq!(window(&ollama(loaded, "{}"), Api::Ollama), Some(16384));
    let none = r#"{"models":[]}"#;
    let set = r#"{"parameters":"stop \"x\"\nnum_ctx                        8192"}"#;
    assert_eq!(window(&ollama(none, set), Api::Ollama), Some(8192));
    assert_eq!(window(&ollama(none, "{}"), Api::OllamaSuffix), Some(4096));
    let models = r#"{"data":[{"id":"other","max_model_len":1},{"id":"m","max_model_len":32768}]}"#;
    let vllm = Stub::new(move |_, _| Reply::of(&[models]));
    assert_eq!(window(&vllm, Api::OpenAi), Some(32768));
}
