//! Malformed and excessive input: errors of the protocol, and the server goes on.

use serde_json::{Value, json};

use super::{Client, SMALL, many, meta};
use crate::Repository;

/// Sends a line that must be answered with this error code.
#[track_caller]
fn refused(client: &mut Client, line: &[u8], code: i64, id: &Value) {
    client.send_line(line);
    let answer = client.receive().expect("the server is there");
    assert_eq!((&answer["error"]["code"], &answer["id"]), (&code.into(), id), "{answer}");
    assert!(answer["error"]["message"].as_str().unwrap().len() > 3, "{answer}");
}

#[test]
fn a_malformed_message_is_refused_and_the_next_one_is_answered() {
    let repository = Repository::new(SMALL);
    let mut client = Client::of(&repository);
    let none = &Value::Null;
    refused(&mut client, b"{", -32700, none);
    refused(&mut client, b"\xff\xfe{}", -32700, none);
    refused(&mut client, b"nonsense", -32700, none);
    refused(&mut client, b"[]", -32600, none);
    refused(&mut client, b"17", -32600, none);
    refused(
        &mut client,
        b"{\"jsonrpc\":\"1.0\",\"id\":3,\"method\":\"tools/list\"}",
        -32600,
        &3.into(),
    );
    refused(&mut client, b"{\"jsonrpc\":\"2.0\",\"id\":\"a\"}", -32600, &"a".into());
    refused(&mut client, &vec![b'['; 100_000], -32700, none);
    refused(&mut client, &vec![b' '; 2 << 20], -32600, none);
    client.send_line(b"");
    client.send_line(b"\r");
    assert_eq!(client.paths("now")[0], "src/clock.py");
    client.end();
}

#[test]
fn unknown_methods_and_wrong_parameters_have_different_errors() {
    let repository = Repository::new(SMALL);
    let mut client = Client::of(&repository);
    let mut code =
        |method: &str, params: Value| client.ask(method, params)["error"]["code"].clone();
    assert_eq!(code("tools/fly", json!({})), -32601);
    assert_eq!(code("", json!({})), -32601);
    assert_eq!(code("tools/call", json!({})), -32602);
    assert_eq!(code("tools/call", json!({ "name": 7 })), -32602);
    assert_eq!(code("tools/call", json!({ "name": "fly" })), -32602);
    assert_eq!(code("tools/call", json!({ "name": "search", "arguments": [] })), -32602);
    assert_eq!(code("resources/read", json!({})), -32602);
    assert_eq!(code("resources/list", json!({ "cursor": "x" })), -32602);
    client.end();
}

#[test]
fn wrong_arguments_are_refused_with_a_remedy() {
    let repository = Repository::new(SMALL);
    let mut client = Client::of(&repository);
    let mut check = |tool: &str, arguments: Value, words: &[&str]| {
        let refusal = client.refusal(tool, arguments);
        for word in words {
            assert!(refusal.contains(word), "{word:?} is not in {refusal:?}");
        }
    };
    check("search", json!({}), &["query"]);
    check("search", json!({ "query": " " }), &["empty"]);
    check("search", json!({ "query": ["x"] }), &["string"]);
    check("search", json!({ "query": "x", "colour": 1 }), &["colour", "`lang`"]);
    check("search", json!({ "query": "x", "mode": "magic" }), &["magic", "regex"]);
    check("search", json!({ "query": "x", "lang": "klingon" }), &["klingon", "python"]);
    check("search", json!({ "query": "x", "kind": "thing" }), &["thing", "function"]);
    check("search", json!({ "query": "(", "mode": "regex" }), &["(", "regular expression"]);
    check("search", json!({ "query": "x", "cursor": "what" }), &["what", "begin anew"]);
    check("search", json!({ "query": "x", "cursor": "3.00000001" }), &["another question"]);
    check("symbols", json!({}), &["name", "file"]);
    check("symbols", json!({ "file": "no.py" }), &["no.py", "not in the index"]);
    check("symbols", json!({ "file": "/etc/passwd" }), &["outside"]);
    check("context", json!({}), &["task", "file"]);
    check("context", json!({ "file": "src/clock.py", "line": 99 }), &["99", "2 lines"]);
    check("search", json!({ "query": "x", "wait_ms": -1 }), &["-1"]);
    client.end();
}

#[test]
fn random_bytes_do_no_harm() {
    let repository = Repository::new(SMALL);
    let mut client = Client::of(&repository);
    let call = json!({ "name": "search", "arguments": { "query": "now" }, "_meta": meta() });
    let good =
        json!({ "jsonrpc": "2.0", "id": "f", "method": "tools/call", "params": call }).to_string();
    // A small generator with a fixed seed: the same bytes in every run.
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below as u64) as usize
    };
    for _ in 0..300 {
        let mut line = good.clone().into_bytes();
        for _ in 0..=random(4) {
            let at = random(line.len());
            match random(3) {
                0 => line[at] = random(256) as u8,
                1 => drop(line.remove(at)),
                _ => line.truncate(at.max(1)),
            }
        }
        line.retain(|it| *it != b'\n');
        client.send_line(&line);
    }
    assert_eq!(client.paths("open_session")[0], "src/session.py");
    client.end();
}

#[test]
fn every_one_of_many_concurrent_requests_is_answered() {
    let repository = Repository::new(SMALL);
    let mut client = Client::of(&repository);
    client.paths("now");
    let mut input = client.input.take().unwrap();
    let sender = std::thread::spawn(move || {
        use std::io::Write as _;
        for id in 1000..2000 {
            let arguments = json!({ "query": "open_session", "limit": 1 });
            let call = json!({ "name": "search", "arguments": arguments, "_meta": meta() });
            let method = if id % 2 == 0 { "tools/call" } else { "tools/list" };
            let request = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": call });
            writeln!(input, "{request}").unwrap();
        }
        input
    });
    let mut seen: Vec<u64> =
        (0..1000).map(|_| client.receive().unwrap()["id"].as_u64().unwrap()).collect();
    seen.sort_unstable();
    assert!(seen.into_iter().eq(1000..2000));
    client.input = Some(sender.join().unwrap());
    client.end();
}

#[test]
fn requests_before_the_end_of_input_are_answered() {
    let repository = Repository::new(SMALL);
    let mut client = Client::of(&repository);
    let arguments = json!({ "query": "now", "wait_ms": 3000 });
    let call = json!({ "name": "search", "arguments": arguments, "_meta": meta() });
    client.send(&json!({ "jsonrpc": "2.0", "id": "last", "method": "tools/call", "params": call }));
    client.input = None;
    let answer = client.receive().expect("an answer");
    assert_eq!((&answer["id"], &answer["result"]["isError"]), (&"last".into(), &false.into()));
    client.end();
}

#[test]
fn a_client_with_a_progress_token_receives_progress() {
    let repository = many();
    let mut client = Client::of(&repository);
    let mut meta = meta();
    meta["progressToken"] = "t".into();
    let arguments = json!({ "query": "needle_in_haystack", "wait_ms": 60000 });
    let params = json!({ "name": "search", "arguments": arguments, "_meta": meta });
    let answer = client.ask_plainly("tools/call", &params);
    assert_eq!(answer["result"]["structuredContent"]["complete"], true, "{answer}");
    let progress: Vec<f64> = client
        .other
        .iter()
        .filter(|it| it["method"] == "notifications/progress")
        .map(|it| {
            assert_eq!(it["params"]["progressToken"], "t");
            assert_eq!(it["params"]["total"], 301.0);
            it["params"]["progress"].as_f64().unwrap()
        })
        .collect();
    assert!(!progress.is_empty() && progress.is_sorted_by(|a, b| a < b), "{progress:?}");
    client.end();
}
