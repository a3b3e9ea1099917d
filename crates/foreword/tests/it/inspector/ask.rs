//! Questions of the page: `/api/ask`, and the lines that its citations open.

use std::io::{BufRead as _, BufReader};
use std::net::TcpStream;

use serde_json::{Value, json};

use super::Server;
use crate::serve::stub::{Ending, Stub, StubResponse};
use crate::serve::until;

/// A chat model that reads a file, then cites it and lies once; asked to hang, it never ends.
pub(super) fn scripted() -> Stub {
    with_answer(|body| {
        let messages = body["messages"].as_array().unwrap();
        if messages.last().unwrap()["content"].as_str().unwrap().ends_with("hang\n") {
            return said("It takes items\n", Ending::Hangs);
        }
        let is_first = body["messages"].as_array().unwrap().iter().all(|it| it["role"] != "tool");
        if is_first {
            let arguments = r#"{"path": "shop/cart.py", "start_line": 1, "end_line": 2}"#;
            return calls(&[("read", arguments), ("burn", "{}")]);
        }
        said("It takes items off [1].\n\nSee `shop/gone.py:3`.\n", Ending::Complete)
    })
}

/// A chat model that answers by `answer`.
pub(crate) fn with_answer(answer: impl Fn(&Value) -> StubResponse + Send + Sync + 'static) -> Stub {
    Stub::new(move |path, body| match path {
        "/v1/chat/completions" => answer(body),
        _ => StubResponse::json(&json!({ "data": [] })),
    })
}

/// A streamed text; without its end if it hangs.
pub(crate) fn said(text: &str, end: Ending) -> StubResponse {
    let event = |delta: Value, reason: Value| {
        let choice = json!([{ "delta": delta, "finish_reason": reason }]);
        format!("data: {}\n\n", json!({ "choices": choice }))
    };
    let mut events = vec![event(json!({ "content": text }), Value::Null)];
    if end == Ending::Complete {
        events.push(event(json!({}), json!("stop")) + "data: [DONE]\n\n");
    }
    StubResponse::stream("text/event-stream", &events).end(end)
}

/// Calls of tools: names and arguments.
pub(crate) fn calls(all: &[(&str, &str)]) -> StubResponse {
    let call = |(at, (name, arguments)): (usize, &(&str, &str))| {
        let function = json!({ "name": name, "arguments": arguments });
        json!({ "index": at, "id": format!("c{at}"), "function": function })
    };
    let delta = json!({ "tool_calls": all.iter().enumerate().map(call).collect::<Vec<_>>() });
    let choice = json!([{ "delta": delta, "finish_reason": "tool_calls" }]);
    let event = json!({ "choices": choice });
    StubResponse::stream("text/event-stream", &[format!("data: {event}\n\ndata: [DONE]\n\n")])
}

/// The events of an answer: names and data.
pub(super) fn ask(server: &Server, body: &Value) -> Vec<(String, Value)> {
    let (status, answer) = server.ask("POST /api/ask HTTP/1.1", &body.to_string());
    assert_eq!(status, 200, "{answer}");
    let mut res = Vec::new();
    let mut name = String::new();
    for line in answer.lines() {
        if let Some(it) = line.strip_prefix("event: ") {
            it.clone_into(&mut name);
        } else if let Some(data) = line.strip_prefix("data: ") {
            res.push((name.clone(), serde_json::from_str(data).unwrap()));
        }
    }
    res
}

fn names(events: &[(String, Value)]) -> Vec<&str> {
    events.iter().map(|it| it.0.as_str()).collect()
}

const QUESTION: &str = "what does take do?";

#[test]
fn without_a_model_the_evidence_has_the_order_of_the_reading_list() {
    let server = Server::new(&[]);
    let events = ask(&server, &json!({ "question": QUESTION }));
    assert_eq!(names(&events), ["evidence", "text", "end"]);
    let found = &events[0].1;
    assert_eq!((&found["by"], &found["missing"]), (&Value::Null, &Value::Null));
    assert_eq!(found["sections"][0], json!({ "title": "Start here", "evidence": [1, 2] }));
    assert_eq!(found["evidence"][0]["cited_lines"], json!([1, 3]));
    assert_eq!(events[2].1["evidence"], found["evidence"]);
    let nothing = ask(&server, &json!({ "question": "how are GraphQL subscriptions sent?" }));
    assert!(nothing[0].1["missing"].as_str().unwrap().starts_with("Not there: nothing in"));
}

#[test]
fn the_evidence_comes_first_then_calls_and_checked_lines_as_the_model_writes() {
    let model = scripted();
    let server = Server::with_model(&model);
    let events = ask(&server, &json!({ "question": QUESTION }));
    assert_eq!(names(&events), ["evidence", "call", "call", "text", "text", "text", "end"]);
    assert_eq!(events[0].1["by"], "scripted");
    let n = events[0].1["evidence"].as_array().unwrap().len() + 1;
    let piece = &events[1].1["pieces"][0];
    assert_eq!((&piece["n"], &piece["path"]), (&json!(n), &json!("shop/cart.py")));
    assert_eq!(events[1].1["call"]["evidence"], json!([n]));
    assert!(events[2].1["call"]["error"].as_str().unwrap().contains("no such tool"));
    let lie = events[5].1.as_str().unwrap();
    assert!(lie.contains("[⚠ unverified: there is no file shop/gone.py]"), "{lie}");
    let end = &events[6].1;
    assert_eq!(end["answer"]["problems"][0]["code"], "no_such_file");
    assert_eq!(end["evidence"].as_array().unwrap().len(), n);
}

#[test]
fn a_later_question_keeps_what_was_cited_and_the_model_is_shown_what_was_said() {
    let model = with_answer(|_| said("Nobody [1].\n", Ending::Complete));
    let server = Server::with_model(&model);
    let body = json!({
        "question": "who calls it?",
        "earlier": [{ "question": QUESTION, "answer": "It takes [1]." }, { "question": "x", "answer": "" }],
        "places": [["shop/stock.py", 1, 3]],
    });
    let events = ask(&server, &body);
    let evidence = events[0].1["evidence"].as_array().unwrap();
    assert!(evidence.iter().any(|it| it["path"] == "shop/stock.py"), "{evidence:?}");
    let messages = &model.requests_to("/v1/chat/completions")[0]["messages"];
    let roles: Vec<&str> =
        messages.as_array().unwrap().iter().map(|it| it["role"].as_str().unwrap()).collect();
    assert_eq!(roles, ["system", "user", "assistant", "user", "user"]);
}

#[test]
fn the_evidence_can_be_asked_alone() {
    let model = with_answer(|_| said("no\n", Ending::Complete));
    let server = Server::with_model(&model);
    let events = ask(&server, &json!({ "question": QUESTION, "by": "evidence" }));
    assert_eq!((names(&events)[0], &events[0].1["by"]), ("evidence", &Value::Null));
    assert!(model.requests_to("/v1/chat/completions").is_empty());
}

#[test]
fn a_model_that_fails_leaves_the_evidence() {
    let model = with_answer(|_| StubResponse::json(&json!({ "error": "no" })).status(500));
    let server = Server::with_model(&model);
    let events = ask(&server, &json!({ "question": QUESTION }));
    assert_eq!(names(&events), ["evidence", "error"]);
    assert!(events[1].1["error"]["message"].is_string(), "{events:?}");
}

#[test]
fn a_page_that_cancels_stops_the_model() {
    let model = with_answer(|_| said("It takes\n", Ending::Hangs));
    let server = Server::with_model(&model);
    let mut stream = TcpStream::connect(&server.address).unwrap();
    let body = json!({ "question": QUESTION }).to_string();
    server.send(&mut stream, "POST /api/ask HTTP/1.1", &body);
    let mut lines = BufReader::new(stream).lines().map(Result::unwrap);
    assert!(lines.any(|it| it.contains("It takes")));
    drop(lines);
    until(|| (model.hung_up() == 1).then_some(()));
}

#[test]
fn what_is_no_question_is_refused() {
    let server = Server::new(&[]);
    for (body, says) in [
        ("{", "not a valid question"),
        ("{}", "question"),
        (r#"{"question": " "}"#, "question is missing"),
        (r#"{"question": "x", "surprise": 1}"#, "surprise"),
    ] {
        let (status, answer) = server.ask("POST /api/ask HTTP/1.1", body);
        assert!(status == 400 && answer.contains(says), "{body}: {answer}");
    }
    let (status, answer) =
        server.ask("POST /api/ask HTTP/1.1", r#"{"question": "x", "workspace": "/etc"}"#);
    assert!(status == 404 && answer.contains("no workspace /etc"), "{answer}");
    let foreign = "POST /api/ask HTTP/1.1\r\norigin: http://evil.example";
    assert_eq!(server.ask(foreign, r#"{"question": "x"}"#).0, 403);
}

#[test]
fn cited_lines_are_read_with_their_colours_and_only_from_the_index() {
    let server = Server::new(&[]);
    let lines = server.get("/api/lines?path=shop/stock.py&from=1&to=2");
    assert_eq!((&lines["total"], &lines["from"]), (&json!(3), &json!(1)), "{lines}");
    let first =
        json!([["keyword", "def"], ["", " "], ["name", "take"], ["", "(stock, name, count):"]]);
    assert_eq!(lines["lines"][0]["runs"], first);
    assert_eq!(lines["lines"].as_array().unwrap().len(), 2);
    let whole = server.get("/api/lines?path=shop/stock.py&from=99");
    assert_eq!(whole["from"], 3, "{whole}");
    for path in [".env", "shop/old.log", "../../etc/passwd", "/etc/passwd", "shop", ""] {
        let (status, message) = server.refusal(&format!("/api/lines?path={path}"));
        assert!(status == 404 && message.contains("not in the index"), "{path}: {message}");
    }
}
