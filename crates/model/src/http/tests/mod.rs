//! Every protocol and every failure, against a stub that behaves like real servers.

mod chat;
mod connect;
mod embed;
mod embedder;

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::stub::{Ending, Reply, Stub};
use super::{Api, Server};
use crate::embedded::Extent;
use crate::request::{
    CompletionRequest, CompletionResponse, ContextPiece, Fill, FinishReason, Model as _,
    RenderedPrompt,
};
use crate::{ModelError, wait};

fn request() -> CompletionRequest {
    let prompt = RenderedPrompt {
        format: "qwen2.5-coder",
        text: "<|fim_prefix|>x = <|fim_suffix|>\n<|fim_middle|>".to_owned(),
        stop: vec!["<|endoftext|>".to_owned()],
    };
    let fill = Fill {
        path: "a.py".to_owned(),
        language: Some("Python"),
        line_comment: Some("#"),
        prefix: "x = ".to_owned(),
        suffix: "\ny = 2\n".to_owned(),
        pieces: vec![ContextPiece { path: "b.py".to_owned(), text: "z = 3\n\nw = 4\n".to_owned() }],
        prompt: Some(prompt),
        ..Fill::default()
    };
    CompletionRequest {
        fill,
        extent: Extent::Line,
        max_tokens: 32,
        stop: Vec::new(),
        temperature: 0.0,
        n: 1,
        deadline: Some(Instant::now() + Duration::from_secs(10)),
        stop_check: None,
    }
}

fn ask(
    stub: &Stub,
    api: Api,
    request: &CompletionRequest,
) -> (Result<CompletionResponse, ModelError>, Vec<String>) {
    wait(async {
        let server = Server::connect(&stub.url, Some(api), Some("m"), Some("secret".to_owned()));
        let server = server.await.unwrap();
        let mut shown = Vec::new();
        let answer = server.complete(request, &mut |text| shown.push(text.to_owned())).await;
        (answer, shown)
    })
}

/// Sends one request; returns the text, its end, and the body that was sent.
#[track_caller]
fn check(api: Api, path: &str, chunks: &[&str]) -> (String, FinishReason, Value) {
    let reply = Reply::of(chunks);
    let stub = Stub::new(move |_, _| reply.clone());
    let (answer, shown) = ask(&stub, api, &request());
    let answer = answer.unwrap();
    let choice = &answer.choices[0];
    assert_eq!(shown.concat(), choice.text);
    let bodies = stub.seen(path);
    assert_eq!(bodies.len(), 1, "{path} was not asked");
    (choice.text.clone(), choice.finish_reason, bodies[0].clone())
}

const RENDERED: &str = "<|fim_prefix|>x = <|fim_suffix|>\n<|fim_middle|>";
const WITH_PIECES: &str = "# Path: b.py\n# z = 3\n#\n# w = 4\nx = ";

#[test]
fn llama_cpp_is_sent_our_prompt_and_its_stream_has_no_done() {
    let chunks = [
        "data: {\"content\":\"1\",\"stop\":false}\n\n",
        "data: {\"content\":\"2\",\"stop\":false}\n\ndata: {\"content\":\"\",\"stop\":true,\"stop_type\":\"eos\",\"tokens_evaluated\":9}\n\n",
    ];
    let (text, end, body) = check(Api::LlamaCpp, "/completion", &chunks);
    assert_eq!((text.as_str(), end), ("12", FinishReason::Stop));
    assert_eq!((&body["prompt"], &body["n_predict"]), (&json!(RENDERED), &json!(32)));
    assert_eq!(body["stop"], json!(["<|endoftext|>"]));
}

#[test]
fn infill_is_sent_the_texts_and_the_pieces() {
    let chunks = ["{\"content\":\"12\",\"stop\":true,\"stop_type\":\"limit\"}"];
    let (text, end, body) = check(Api::LlamaCppInfill, "/infill", &chunks);
    assert_eq!((text.as_str(), end), ("12", FinishReason::Length));
    assert_eq!(
        (&body["input_prefix"], &body["input_suffix"]),
        (&json!("x = "), &json!("\ny = 2\n"))
    );
    let extra = json!([{ "filename": "b.py", "text": "z = 3\n\nw = 4\n" }]);
    assert_eq!(body["input_extra"], extra);
}

#[test]
fn ollama_is_asked_raw_or_with_a_suffix_and_answers_lines_of_json() {
    let chunks = [
        "{\"response\":\"1\",\"done\":false}\n{\"respon",
        "se\":\"2\",\"done\":false}\n",
        "{\"response\":\"\",\"done\":true,\"done_reason\":\"stop\",\"prompt_eval_count\":7}\n",
    ];
    let (text, end, body) = check(Api::Ollama, "/api/generate", &chunks);
    assert_eq!((text.as_str(), end), ("12", FinishReason::Stop));
    assert_eq!((&body["prompt"], &body["raw"]), (&json!(RENDERED), &json!(true)));
    assert_eq!(body["options"]["num_predict"], 32);
    let (_, _, body) = check(Api::OllamaSuffix, "/api/generate", &chunks);
    assert_eq!((&body["prompt"], &body["suffix"]), (&json!(WITH_PIECES), &json!("\ny = 2\n")));
}

#[test]
fn completions_keep_special_tokens_so_that_stop_strings_work() {
    let chunks = [
        "data: {\"choices\":[{\"text\":\"12\",\"finish_reason\":null}]}\n\n",
        "data: {\"choices\":[{\"text\":\"\",\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n",
    ];
    let (text, end, body) = check(Api::OpenAi, "/v1/completions", &chunks);
    assert_eq!((text.as_str(), end), ("12", FinishReason::Stop));
    assert_eq!((&body["prompt"], &body["skip_special_tokens"]), (&json!(RENDERED), &json!(false)));
}

#[test]
fn a_strict_server_is_asked_again_without_the_field_that_it_does_not_know() {
    let stub = Stub::new(|_, body| match body.get("skip_special_tokens") {
        Some(_) => Reply::of(&["{\"detail\":\"Extra inputs: skip_special_tokens\"}"])
            .with(422, "x-stub: 1"),
        None => Reply::of(&["data: {\"choices\":[{\"text\":\"12\"}]}\n\ndata: [DONE]\n\n"]),
    });
    let answer = ask(&stub, Api::OpenAi, &request()).0.unwrap();
    assert_eq!(answer.choices[0].text, "12");
    assert_eq!(stub.seen("/v1/completions").len(), 2);
}

#[test]
fn mistral_answers_like_a_chat_and_deepseek_like_completions() {
    let chunks = [
        "data: {\"choices\":[{\"delta\":{\"content\":\"12\"},\"finish_reason\":null}]}\n\n",
        "data: {\"choices\":[{\"delta\":{\"content\":\"\"},\"finish_reason\":\"length\"}]}\n\ndata: [DONE]\n\n",
    ];
    let (text, end, body) = check(Api::Mistral, "/v1/fim/completions", &chunks);
    assert_eq!((text.as_str(), end), ("12", FinishReason::Length));
    assert_eq!((&body["prompt"], &body["suffix"]), (&json!(WITH_PIECES), &json!("\ny = 2\n")));
    let chunks =
        ["data: {\"choices\":[{\"text\":\"12\",\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"];
    let (text, _, body) = check(Api::DeepSeek, "/beta/completions", &chunks);
    assert_eq!((text.as_str(), &body["suffix"]), ("12", &json!("\ny = 2\n")));
}

#[test]
fn a_chat_model_is_shown_the_hole_and_the_pieces() {
    let chunks =
        ["data: {\"choices\":[{\"delta\":{\"content\":\"```\\n12\\n```\"}}]}\n\ndata: [DONE]\n\n"];
    let (text, _, body) = check(Api::Chat, "/v1/chat/completions", &chunks);
    assert_eq!(text, "```\n12\n```");
    let user = body["messages"][1]["content"].as_str().unwrap();
    assert!(user.contains("z = 3") && user.contains("x = ⟦CURSOR⟧\ny = 2"), "{user}");
}

#[test]
fn an_ignored_suffix_is_noticed() {
    let with = |tokens: u64| {
        let usage = format!(
            "data: {{\"choices\":[{{\"text\":\"1\"}}],\"usage\":{{\"prompt_tokens\":{tokens}}}}}\n\n"
        );
        let reply = Reply::of(&[&usage]);
        let stub = Stub::new(move |_, _| reply.clone());
        let mut request = request();
        request.fill.suffix = "\nvalue = compute(other)\n".repeat(20);
        ask(&stub, Api::OpenAiSuffix, &request).0
    };
    assert!(matches!(with(5), Err(ModelError::SuffixIgnored { .. })));
    assert!(with(150).is_ok());
}

#[test]
fn refusals_name_the_server_and_what_it_says() {
    let check = |reply: Reply, words: &[&str]| {
        let stub = Stub::new(move |_, _| reply.clone());
        let error = ask(&stub, Api::OpenAi, &request()).0.unwrap_err().to_string();
        assert!(words.iter().all(|it| error.contains(it)), "{error}");
        assert!(error.contains(&stub.url), "{error}");
    };
    check(Reply::of(&["{}"]).with(429, "retry-after: 7"), &["429", "7"]);
    let loading = "{\"error\":{\"code\":503,\"message\":\"Loading model\"}}";
    check(Reply::of(&[loading]).with(503, "x-stub: 1"), &["503", "Loading model"]);
    let suffix = "{\"object\":\"error\",\"message\":\"suffix is not currently supported\"}";
    check(Reply::of(&[suffix]).with(400, "x-stub: 1"), &["400", "suffix is not"]);
    check(Reply::of(&["<html>not a model</html>\n"]), &["<html>", "--model-api"]);
    check(Reply::of(&["data: {\"error\":\"out of memory\"}\n\n"]), &["out of memory"]);
}

#[test]
fn what_came_before_a_server_died_is_an_answer_without_an_end() {
    let chunk = "data: {\"content\":\"12\",\"stop\":false}\n\n";
    let stub = Stub::new(move |_, _| Reply::of(&[chunk]).ending(Ending::Dies));
    let choice = ask(&stub, Api::LlamaCpp, &request()).0.unwrap().choices.remove(0);
    assert_eq!((choice.text.as_str(), choice.finish_reason), ("12", FinishReason::Unknown));
}

#[test]
fn a_server_that_hangs_is_left_at_the_deadline() {
    let late = |chunks: &'static [&'static str]| {
        let stub = Stub::new(move |_, _| Reply::of(chunks).ending(Ending::Hangs));
        let deadline = Some(Instant::now() + Duration::from_millis(150));
        let res = ask(&stub, Api::LlamaCpp, &CompletionRequest { deadline, ..request() }).0;
        // The connection closes with the runtime; the stub notices slightly later.
        let patience = Instant::now() + Duration::from_secs(5);
        while !stub.was_left() && Instant::now() < patience {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(stub.was_left());
        res
    };
    assert!(matches!(late(&[]), Err(ModelError::Timeout { .. })));
    let answer = late(&["data: {\"content\":\"12\",\"stop\":false}\n\n"]).unwrap();
    assert_eq!(
        (answer.choices[0].text.as_str(), answer.choices[0].finish_reason),
        ("12", FinishReason::Deadline)
    );
}

#[test]
fn nobody_there_is_said_with_the_remedy() {
    let connect = |url: &'static str| wait(Server::connect(url, None, None, None));
    let error = connect("http://127.0.0.1:9").unwrap_err().to_string();
    assert!(error.contains("http://127.0.0.1:9") && error.contains("start the server"), "{error}");
    let error = connect("localhost:8080").unwrap_err().to_string();
    assert!(error.contains("http://"), "{error}");
}
