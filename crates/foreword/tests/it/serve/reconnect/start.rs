//! What `serve` does and says when it starts.

use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};

use serde_json::json;

use crate::Repository;
use crate::serve::stub::{Stub, StubResponse};
use crate::serve::{SHOP, Server, hole};

/// The lines of stderr until one satisfies `is_last`.
fn lines_until(
    command: &mut Command,
    is_last: impl Fn(&str) -> bool,
    ask: impl Fn(u16),
) -> Vec<String> {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut address = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut address).unwrap();
    ask(address.trim().rsplit(':').next().unwrap().parse().unwrap());
    let mut lines = Vec::new();
    for line in BufReader::new(child.stderr.take().unwrap()).lines() {
        let line = line.unwrap();
        let is_last = is_last(&line);
        lines.push(line);
        if is_last {
            break;
        }
    }
    child.kill().unwrap();
    child.wait().unwrap();
    lines
}

fn post(port: u16) {
    use std::io::{Read as _, Write as _};
    let (prefix, suffix) = hole();
    let body = json!({ "prompt": prefix, "suffix": suffix, "max_tokens": 8 }).to_string();
    let mut stream = std::net::TcpStream::connect(("127.0.0.1", port)).unwrap();
    let head = format!(
        "POST /v1/completions HTTP/1.0\r\nhost: 127.0.0.1:{port}\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all(format!("{head}{body}").as_bytes()).unwrap();
    stream.read_to_string(&mut String::new()).unwrap();
}

#[test]
fn the_models_server_is_asked_before_the_first_request() {
    let shop = Repository::new(SHOP);
    let stub =
        Stub::llama(|_| StubResponse::json(&json!({ "content": "add(name)", "stop": true })));
    let _server = Server::with_upstream(&shop, &stub.url);
    assert!(!stub.requests_to("/props").is_empty());
    assert!(stub.requests_to("/completion").is_empty(), "the model is not asked for text");
}

#[test]
fn a_person_sees_what_is_served_and_a_line_for_each_request() {
    let shop = Repository::new(SHOP);
    let stub = Stub::llama(|_| {
        StubResponse::json(&json!({ "choices": [{ "index": 0, "text": "add(name)" }] }))
    });
    let args =
        ["serve", "--port", "0", "--log", "text", "--patience", "20000", "--model-url", &stub.url];
    let lines = lines_until(&mut shop.command(&args), |it| it.contains("openai"), post);
    let all = lines.join("\n");
    assert!(lines[0].contains("http://127.0.0.1:"), "{all}");
    for part in ["repository", "model       qwen2.5-coder-0.5b at", "qwen2.5-coder, 8192 tokens"] {
        assert!(all.contains(part), "{part}: {all}");
    }
    let last = lines.last().unwrap();
    assert!(last.contains("openai /v1/completions  200  shop/order.py:16,"), "{last}");
    assert!(!all.contains("def open_order"), "no code: {all}");
}

#[test]
fn a_program_reads_what_is_served_and_one_line_of_json_for_each_request() {
    let shop = Repository::new(SHOP);
    let args = ["serve", "--port", "0", "--log", "json", "--patience", "20000"];
    let lines = lines_until(&mut shop.command(&args), |it| it.contains("openai"), post);
    let [start, record] = [&lines[0], lines.last().unwrap()]
        .map(|it| serde_json::from_str::<serde_json::Value>(it).unwrap());
    assert_eq!(start["event"], "start", "{lines:?}");
    assert_eq!(start["repositories"].as_array().map(Vec::len), Some(1), "{start}");
    assert!(start["model"].as_str().unwrap().contains("embedded"), "{start}");
    assert_eq!(
        (&record["event"], &record["status"]),
        (&json!("request"), &json!(200)),
        "{lines:?}"
    );
}

#[test]
fn an_address_that_is_none_is_refused_at_the_start() {
    let shop = Repository::new(SHOP);
    for (url, why) in [
        ("localhost:8012", "http://"),
        ("ftp://localhost", "http://"),
        ("http://", "host"),
        ("127.0.0.1", "http://127.0.0.1:8012"),
    ] {
        shop.run(&["serve", "--port", "0", "--model-url", url]).fails(2, &[url, why]);
    }
}

#[test]
fn a_server_that_is_not_up_yet_is_named_and_found_later() {
    let shop = Repository::new(SHOP);
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let url = format!("http://127.0.0.1:{port}");
    let args = ["serve", "--port", "0", "--log", "text", "--model-url", &url];
    let lines = lines_until(&mut shop.command(&args), |it| it.contains("shows each"), |_| ());
    let line = lines.iter().find(|it| it.contains("model  ")).unwrap();
    assert!(line.contains("not reached yet") && line.contains(&url), "{line}");
}
