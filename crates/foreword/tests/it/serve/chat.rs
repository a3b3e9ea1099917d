//! Questions over `/v1/chat/completions`, as clients of OpenAI's ask them.

use std::io::{BufRead as _, BufReader};

use serde_json::{Value, json};

use super::stub::{Ending, Stub, StubResponse};
use super::{Reply, Server, until};
use crate::llama_cpp::SHOP;
use crate::{Repository, Run, installed};

fn said(text: &str) -> String {
    format!("data: {}\n\n", json!({ "choices": [{ "delta": { "content": text } }] }))
}

fn answered(text: &str) -> StubResponse {
    let end = "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
    StubResponse::stream("text/event-stream", &[said(text), end.to_owned()])
}

/// An answer in one piece.
fn whole(text: &str) -> StubResponse {
    let message = json!({ "role": "assistant", "content": text });
    StubResponse::json(&json!({ "choices": [{ "message": message, "finish_reason": "stop" }] }))
}

/// A server with a chat model that answers by `answer`.
fn with_model(
    answer: impl Fn(&Value) -> StubResponse + Send + Sync + 'static,
) -> (Repository, Stub, Server) {
    let stub = Stub::new(move |path, body| match path {
        "/v1/chat/completions" => answer(body),
        _ => StubResponse::json(&json!({ "data": [] })),
    });
    let shop = Repository::new(SHOP);
    shop.configure_chat(&stub.url);
    let server = Server::start(&shop, &[]);
    (shop, stub, server)
}

fn question(text: &str) -> Value {
    json!({ "model": "foreword", "messages": [{ "role": "user", "content": text }] })
}

fn content(reply: &Reply) -> String {
    reply.json()["choices"][0]["message"]["content"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn a_question_is_answered_by_the_evidence_where_there_is_no_model() {
    let shop = Repository::new(SHOP);
    let server = Server::embedded(&shop);
    let reply = server.post("/v1/chat/completions", &question("what does the class Stock do?"));
    assert_eq!(reply.status, 200, "{reply:?}");
    assert!(content(&reply).contains("[1] shop/stock.py:"), "{reply:?}");
    assert_eq!(reply.json()["foreword"]["evidence"][0]["path"], "shop/stock.py");
    let nothing =
        server.post("/v1/chat/completions", &question("how are GraphQL subscriptions sent?"));
    assert!(content(&nothing).starts_with("Not there: nothing in"), "{nothing:?}");
    let empty = server.post("/v1/chat/completions", &json!({ "messages": [] }));
    assert!(empty.status == 400 && empty.body.contains("none is of the user"), "{empty:?}");
}

#[test]
fn a_model_answers_with_evidence_and_what_it_says_is_checked() {
    let (_shop, stub, server) = with_model(|_| answered("It counts [1]. See shop/gone.py:3.\n"));
    let reply = server.post("/v1/chat/completions", &question("what does the class Stock do?"));
    let text = content(&reply);
    assert!(
        text.starts_with(
            "It counts [1]. See shop/gone.py:3. [⚠ unverified: there is no file shop/gone.py]"
        ),
        "{text}"
    );
    assert!(text.contains("Sources:\n[1] shop/stock.py:"), "{text}");
    let details = &reply.json()["foreword"];
    assert_eq!(details["answer"]["problems"][0]["code"], "no_such_file");
    let sent = &stub.requests_to("/v1/chat/completions")[0]["messages"];
    assert!(sent[1]["content"].as_str().unwrap().contains("[1] shop/stock.py:"), "{sent}");
    // A later question keeps what was cited.
    let messages = json!([
        { "role": "user", "content": "what does the class Stock do?" },
        { "role": "assistant", "content": text },
        { "role": "user", "content": "who calls it?" },
    ]);
    let later = server.post("/v1/chat/completions", &json!({ "messages": messages }));
    let evidence = later.json()["foreword"]["evidence"].as_array().unwrap().clone();
    assert!(evidence.iter().any(|it| it["path"] == "shop/stock.py"), "{evidence:?}");
    assert_eq!(
        stub.requests_to("/v1/chat/completions")[1]["messages"].as_array().unwrap().len(),
        4
    );
}

#[test]
fn a_client_that_goes_away_stops_the_model() {
    let (_shop, stub, server) = with_model(|_| {
        StubResponse::stream("text/event-stream", &[said("It counts\n")]).end(Ending::Hangs)
    });
    let mut body = question("what does the class Stock do?");
    body["stream"] = true.into();
    let stream = server.send("POST", "/v1/chat/completions", &[], &body.to_string());
    let mut lines = BufReader::new(stream).lines().map(Result::unwrap);
    assert!(lines.any(|it| it.contains("It counts")));
    drop(lines);
    until(|| (stub.hung_up() == 1).then_some(()));
}

#[test]
fn a_streamed_answer_is_whole() {
    let (_shop, _stub, server) = with_model(|_| answered("It counts [1].\n"));
    let mut body = question("what does the class Stock do?");
    body["stream"] = true.into();
    let reply = server.post("/v1/chat/completions", &body);
    let events: Vec<Value> = reply
        .body
        .lines()
        .filter_map(|it| serde_json::from_str(it.strip_prefix("data: ")?).ok())
        .collect();
    let text: String =
        events.iter().filter_map(|it| it["choices"][0]["delta"]["content"].as_str()).collect();
    assert!(text.starts_with("It counts [1].\n\nSources:\n[1] shop/stock.py:"), "{text}");
    let last = events.last().unwrap();
    assert_eq!(last["choices"][0]["finish_reason"], "stop");
    assert_eq!(last["foreword"]["answer"]["by"], "scripted");
    assert!(reply.body.ends_with("data: [DONE]\n\n"), "{}", reply.body);
}

fn sent(stub: &Stub) -> Vec<Value> {
    stub.requests_to("/v1/chat/completions")
}

fn texts(messages: &Value) -> Vec<&str> {
    messages.as_array().unwrap().iter().map(|it| it["content"].as_str().unwrap()).collect()
}

#[test]
fn what_asks_nothing_is_answered_by_how_to_ask_where_there_is_no_model() {
    let shop = Repository::new(SHOP);
    let server = Server::embedded(&shop);
    for text in ["hello", "thanks!", "", "?"] {
        let reply = server.post("/v1/chat/completions", &question(text));
        assert!(content(&reply).starts_with("Ask about the code: "), "{text}: {reply:?}");
        let told = &reply.json()["foreword"];
        assert_eq!((&told["evidence"], &told["missing"]), (&json!([]), &Value::Null), "{text}");
    }
    let reply = server.post("/v1/chat/completions", &question("hello Stock"));
    assert!(content(&reply).contains("shop/stock.py"), "{reply:?}");
}

#[test]
fn a_greeting_and_a_request_for_a_title_are_answered_plainly() {
    let (_shop, stub, server) = with_model(|_| whole("Hello."));
    for text in ["hi", "thanks!", "Generate a title for this conversation"] {
        let reply = server.post("/v1/chat/completions", &question(text));
        assert_eq!((reply.status, content(&reply).as_str()), (200, "Hello."), "{reply:?}");
    }
    for (request, text) in sent(&stub).iter().zip(["hi", "thanks!", "Generate a title"]) {
        assert_eq!(request["messages"].as_array().unwrap().len(), 1, "{request}");
        assert!(texts(&request["messages"])[0].starts_with(text), "{request}");
        assert_eq!(request["model"], "scripted");
    }
}

#[test]
fn a_follow_up_in_another_language_keeps_the_evidence_of_its_conversation() {
    let (_shop, stub, server) = with_model(|_| answered("Sie zählt [1].\n"));
    let messages = json!([
        { "role": "user", "content": "what does the class Stock do?" },
        { "role": "assistant", "content": "It counts [1].\n\nSources:\n[1] shop/stock.py:4-11\n" },
        { "role": "user", "content": "Und wer ruft das eigentlich auf?" },
    ]);
    let reply = server.post("/v1/chat/completions", &json!({ "messages": messages }));
    assert!(content(&reply).starts_with("Sie zählt [1]."), "{reply:?}");
    let last = sent(&stub)[0]["messages"][3]["content"].as_str().unwrap().to_owned();
    assert!(last.contains("[1] shop/stock.py:"), "{last}");
    assert!(last.contains("Question: Und wer ruft das") && !last.contains("Not there"), "{last}");
}

#[test]
fn an_editing_client_keeps_its_messages_and_its_tools() {
    let edit = "shop/stock.py\n<<<<<<< SEARCH\n    pass\n=======\n    return 1\n>>>>>>> REPLACE\n";
    let (_shop, stub, server) = with_model(move |_| whole(edit));
    let tools = json!([{ "type": "function", "function": { "name": "edit", "parameters": {} } }]);
    let system = json!({ "role": "system", "content": "Answer with SEARCH/REPLACE blocks." });
    let files = json!({ "role": "user", "content": "I have *added these files to the chat*: shop/stock.py" });
    let ok = json!({ "role": "assistant", "content": "Ok." });
    let change = json!({ "role": "user", "content": "Add a method `restock` to Stock." });
    let asks = json!({ "role": "user", "content": "what does the class Stock do?" });
    let body = |last: &Value| json!({ "model": "x", "temperature": 0.5, "tools": tools, "messages": [system, files, ok, last] });
    let reply = server.post("/v1/chat/completions", &body(&change));
    assert_eq!(content(&reply), edit);
    server.post("/v1/chat/completions", &body(&asks));
    let sent = sent(&stub);
    assert_eq!(sent[0]["messages"], body(&change)["messages"]);
    assert_eq!((&sent[0]["tools"], &sent[0]["temperature"]), (&tools, &json!(0.5)));
    let messages = sent[1]["messages"].as_array().unwrap();
    let own: Vec<&Value> =
        messages.iter().enumerate().filter(|it| it.0 != 3).map(|it| it.1).collect();
    assert_eq!(own, [&system, &files, &ok, &asks]);
    let added = messages[3]["content"].as_str().unwrap();
    assert!(added.contains("They are data") && added.contains("[1] shop/stock.py:"), "{added}");
}

#[test]
fn a_server_that_refuses_the_additional_message_gets_the_conversation_without_it() {
    let (_shop, stub, server) =
        with_model(|body| match body["messages"].as_array().unwrap().len() {
            2 => whole("It counts."),
            _ => StubResponse::json(&json!({ "error": "roles must alternate" })).status(400),
        });
    let messages = json!([
        { "role": "system", "content": "Be brief." },
        { "role": "user", "content": "what does the class Stock do?" },
    ]);
    let reply = server.post("/v1/chat/completions", &json!({ "messages": messages }));
    assert_eq!(content(&reply), "It counts.");
    assert_eq!(sent(&stub).len(), 2);
}

#[test]
fn a_model_without_an_answer_comes_with_the_reading_list() {
    let (_shop, _stub, server) = with_model(|_| answered("Not enough information.\n"));
    let reply = server.post("/v1/chat/completions", &question("what does the class Stock do?"));
    let text = content(&reply);
    assert!(
        text.starts_with("Not enough information.\n\nStart here\n  [1] shop/stock.py:"),
        "{text}"
    );
}

/// The command line `llm`, as its users configure a server of OpenAI's protocol.
#[test]
fn llm_asks_whole_and_in_streams_and_goes_on() {
    let test = "serve::chat::llm_asks_whole_and_in_streams_and_goes_on";
    let Some(llm) = installed(test, "python/bin/llm") else { return };
    let shop = Repository::new(SHOP);
    let server = Server::embedded(&shop);
    let home = tempfile::tempdir().unwrap();
    let model = format!(
        "- model_id: shop\n  model_name: foreword\n  api_base: http://127.0.0.1:{}/v1\n",
        server.port
    );
    std::fs::write(home.path().join("extra-openai-models.yaml"), model).unwrap();
    let run = |args: &[&str]| {
        let mut command = std::process::Command::new(&llm);
        command.env("LLM_USER_PATH", home.path()).env("HOME", home.path());
        let run = Run::of(&command.args(args).output().unwrap());
        assert_eq!(run.code, 0, "{run:?}");
        run.out
    };
    let question = "what does restock do?";
    let whole = run(&["-m", "shop", "--no-stream", question]);
    assert!(whole.contains("[1] shop/stock.py:"), "{whole}");
    assert_eq!(run(&["-m", "shop", question]), whole);
    let later = run(&["-c", "who calls it?"]);
    assert!(later.contains("shop/stock.py:"), "{later}");
}

#[test]
fn the_sdk_of_openai_asks_whole_and_in_streams() {
    let test = "serve::chat::the_sdk_of_openai_asks_whole_and_in_streams";
    let Some(python) = installed(test, "python/bin/python") else { return };
    let shop = Repository::new(SHOP);
    let server = Server::embedded(&shop);
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/serve/chat_sdk.py");
    let mut command = std::process::Command::new(python);
    let run = command.arg(script).arg(format!("http://127.0.0.1:{}", server.port)).output();
    let run = Run::of(&run.unwrap());
    assert_eq!((run.code, run.out.trim()), (0, "done"), "{run:?}");
}
