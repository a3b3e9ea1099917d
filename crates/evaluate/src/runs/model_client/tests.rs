//! A small OpenAI-compatible server that answers each prompt with a fixed line.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use super::*;

/// A server and its received prompts.
struct Stub {
    url: String,
    prompts: Arc<Mutex<Vec<String>>>,
}

impl Stub {
    /// Lists `model`; completes with `text` and an end reason.
    fn new(model: &'static str, text: &'static str, end: &'static str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let prompts = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&prompts);
        thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                let (path, body) = request(&stream);
                let (status, answer) = match path.as_str() {
                    "/v1/models" => (200, serde_json::json!({ "data": [{ "id": model }] })),
                    "/v1/completions" => {
                        seen.lock().unwrap().push(body["prompt"].as_str().unwrap().to_owned());
                        let choice = serde_json::json!({ "text": text, "finish_reason": end });
                        (200, serde_json::json!({ "choices": [choice] }))
                    }
                    _ => (404, serde_json::json!({ "error": "not found" })),
                };
                let answer = answer.to_string() + "\n";
                let head = format!("content-length: {}\r\nconnection: close", answer.len());
                let _ = write!(stream, "HTTP/1.1 {status} X\r\n{head}\r\n\r\n{answer}");
            }
        });
        Self { url, prompts }
    }
}

fn request(stream: &TcpStream) -> (String, serde_json::Value) {
    let mut reader = BufReader::new(stream);
    let (mut lines, mut length) = (Vec::new(), 0);
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        let line = line.trim().to_ascii_lowercase();
        if line.is_empty() {
            break;
        }
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
        lines.push(line);
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    let path = lines[0].split(' ').nth(1).unwrap().to_owned();
    (path, serde_json::from_slice(&body).unwrap_or_default())
}

fn address(url: &str, cache: &std::path::Path) -> ModelSettings {
    ModelSettings {
        url: url.to_owned(),
        api: None,
        name: None,
        key: None,
        max_tokens: 64,
        patience: Duration::from_secs(20),
        cache: cache.to_owned(),
    }
}

fn written(writer: &ModelClient, piece: &str) -> Result<String> {
    let window =
        Window { prefix: "def f(x):\n".into(), suffix: "\nf(1)\n".into(), visible: vec![] };
    let spot = HoleText::new("own/shop", "shop/a.py", &window, "    return g(x)\n");
    let piece =
        ContextPiece { path: "shop/g.py".into(), text: piece.into(), ..ContextPiece::default() };
    writer.complete(&spot, &[piece])
}

#[test]
fn a_model_sees_the_pieces_and_is_asked_each_thing_once() {
    let dir = tempfile::tempdir().unwrap();
    let stub = Stub::new("qwen2.5-coder-1.5b", "    return g(x)\nmore()<|endoftext|>z", "stop");
    let writer = ModelClient::connect(&address(&stub.url, dir.path())).unwrap();
    assert_eq!(written(&writer, "def g(x): ...\n").unwrap(), "    return g(x)\nmore()");
    written(&writer, "def g(x): ...\n").unwrap();
    written(&writer, "def h(x): ...\n").unwrap();
    // Another process finds the cached answers of the first.
    let again = ModelClient::connect(&address(&stub.url, dir.path())).unwrap();
    written(&again, "def h(x): ...\n").unwrap();
    let prompts = stub.prompts.lock().unwrap().clone();
    assert_eq!(prompts.len(), 2, "{prompts:?}");
    assert!(prompts[0].contains("shop/g.py\ndef g(x): ...\n"), "{}", prompts[0]);
    assert!(prompts[0].contains("<|fim_suffix|>\n\nf(1)\n"), "{}", prompts[0]);
    let by = [writer.info(), again.info()];
    assert_eq!(by.clone().map(|it| (it.asked, it.known)), [(2, 1), (0, 1)]);
    assert!(by[0].model.contains("qwen2.5-coder-1.5b") && by[0].format == "qwen2.5-coder");
}

#[test]
fn what_a_model_wrote_is_measured_by_the_lines_of_the_truth() {
    let mut coverage = Coverage::default();
    score(&mut coverage, "    return g(x)\nmore()\n", "    return g(x)\n");
    assert_eq!(
        (coverage.chrf, coverage.exact, coverage.similarity),
        (Some(1.0), Some(1.0), Some(1.0))
    );
    score(&mut coverage, "", "    return g(x)\n");
    assert_eq!((coverage.chrf, coverage.exact), (Some(0.0), Some(0.0)));
}

#[test]
fn an_answer_that_was_cut_off_is_an_error_and_not_kept() {
    let dir = tempfile::tempdir().unwrap();
    let stub = Stub::new("qwen2.5-coder", "x", "");
    let writer = ModelClient::connect(&address(&stub.url, dir.path())).unwrap();
    for _ in 0..2 {
        let error = written(&writer, "y\n").unwrap_err().to_string();
        assert!(error.contains("cut off (unknown)"), "{error}");
    }
    assert_eq!(stub.prompts.lock().unwrap().len(), 2);
}

#[test]
fn a_server_that_is_not_there_or_cannot_fill_holes_is_named_with_a_remedy() {
    let dir = tempfile::tempdir().unwrap();
    let why = |address: &ModelSettings| format!("{:#}", ModelClient::connect(address).unwrap_err());
    let gone = why(&address("http://127.0.0.1:9", dir.path()));
    assert!(gone.contains("no model answers at http://127.0.0.1:9"), "{gone}");
    let stub = Stub::new("llama-3-8b-instruct", "", "stop");
    let unknown = why(&address(&stub.url, dir.path()));
    assert!(
        unknown.contains("fill-in-the-middle format") && unknown.contains("name the format"),
        "{unknown}"
    );
    let wrong = ModelSettings { api: Some("soap".into()), ..address(&stub.url, dir.path()) };
    assert!(why(&wrong).contains("there are llama.cpp, "), "{}", why(&wrong));
}
