//! Access checks, limits of requests, and the end of the server.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::process::Stdio;

use serde_json::{Value, json};

use super::stub::{Stub, StubResponse};
use super::{SHOP, Server};
use crate::{Repository, Run};

#[test]
fn only_requests_that_are_addressed_to_this_server_are_answered() {
    let shop = Repository::new(SHOP);
    let server = Server::start(&shop, &["--allow-host", "devbox"]);
    let ask = |header: &str| server.ask("GET", "/api/requests", &[header], "").status;
    assert_eq!(ask("accept: */*"), 200);
    for host in ["localhost:1", "127.0.0.1", "[::1]:8484", "devbox:8484"] {
        assert_eq!(ask(&format!("host: {host}")), 200, "{host}");
    }
    // Another host's name that resolves to this machine, as in DNS rebinding.
    for host in ["evil.example", "evil.example:8484", "localhost.evil.example", "10.0.0.1", ""] {
        let status = ask(&format!("host: {host}"));
        assert!(status == 403 || status == 400, "{host}: {status}");
    }
    assert_eq!(ask("host: localhost:80@evil.example"), 400);
    let twice = ["host: localhost", "host: localhost"];
    assert_eq!(server.ask("GET", "/api/requests", &twice, "").status, 400);
    assert_eq!(ask(&format!("origin: http://127.0.0.1:{}", server.port)), 200);
    for origin in
        ["http://evil.example", "null", "http://127.0.0.1:1", "file://", "http://localhost:3000"]
    {
        assert_eq!(ask(&format!("origin: {origin}")), 403, "{origin}");
    }
}

#[test]
fn pages_of_other_sites_can_only_link_to_the_inspector() {
    let shop = Repository::new(SHOP);
    let server = Server::start(&shop, &[]);
    let ask = |path: &str, site: &str, mode: &str, dest: &str| {
        let headers = [
            format!("sec-fetch-site: {site}"),
            format!("sec-fetch-mode: {mode}"),
            format!("sec-fetch-dest: {dest}"),
        ];
        let headers: Vec<&str> = headers.iter().map(String::as_str).collect();
        server.ask("GET", path, &headers, "").status
    };
    assert_eq!(ask("/api/requests", "cross-site", "no-cors", "script"), 403);
    assert_eq!(ask("/", "cross-site", "navigate", "iframe"), 403);
    assert_eq!(ask("/", "cross-site", "navigate", "document"), 200);
    assert_eq!(ask("/", "none", "navigate", "document"), 200);
    assert_eq!(ask("/api/requests", "same-origin", "cors", "empty"), 200);
}

#[test]
fn every_answer_says_that_it_is_not_to_be_sniffed_or_embedded() {
    let shop = Repository::new(SHOP);
    let server = Server::start(&shop, &[]);
    for (path, header) in
        [("/api/index", ""), ("/", ""), ("/no/where", ""), ("/api/index", "host: evil.example")]
    {
        let headers: Vec<&str> = Some(header).filter(|it| !it.is_empty()).into_iter().collect();
        let reply = server.ask("GET", path, &headers, "");
        assert_eq!(reply.header("x-content-type-options"), "nosniff", "{reply:?}");
        assert_eq!(reply.header("cross-origin-resource-policy"), "same-origin", "{reply:?}");
    }
}

#[test]
fn a_token_is_required_everywhere_except_for_health() {
    let shop = Repository::new(SHOP);
    let server = Server::start(&shop, &["--token", "s3cret"]);
    let ask = |path: &str, header: &str| server.ask("GET", path, &[header], "").status;
    assert_eq!(ask("/health", "accept: */*"), 200);
    assert_eq!(ask("/v1/health", "accept: */*"), 401);
    assert_eq!(ask("/api/requests", "authorization: Bearer wrong"), 401);
    assert_eq!(ask("/api/requests", "authorization: Bearer s3cret"), 200);
    assert_eq!(ask("/api/requests?token=s3cret", "accept: */*"), 200);
    assert_eq!(server.ask("POST", "/v1/completions?token=s3cret", &[], "{}").status, 401);
}

#[test]
fn the_servers_token_is_not_forwarded_and_a_key_is() {
    let shop = Repository::new(SHOP);
    let stub = Stub::llama(|_| StubResponse::json(&json!({ "content": "x", "stop": true })));
    for (args, key) in [(&["--token", "s3cret"][..], Value::Null), (&[], json!("Bearer s3cret"))] {
        let server = Server::start(&shop, &[args, &["--model-url", &stub.url]].concat());
        let body = json!({ "input_prefix": "x", "input_suffix": "" }).to_string();
        let header = ["authorization: Bearer s3cret"];
        assert_eq!(server.ask("POST", "/infill", &header, &body).status, 200);
        assert_eq!(stub.key(), key);
        assert_eq!(server.ask("GET", "/slots", &header, "").status, 200);
        assert_eq!(stub.key(), key);
    }
}

#[test]
fn wrong_settings_are_reported_at_once() {
    let shop = Repository::new(SHOP);
    let serve = |args: &[&str]| shop.run(&[&["serve", "--port", "0"], args].concat());
    serve(&["--model-api", "telepathy"]).fails(2, &["telepathy", "llama.cpp"]);
    serve(&["--model", "qwen2.5-coder"]).fails(2, &["qwen2.5-coder", "--model-url"]);
    serve(&["--workspace", "/no/such/place"]).fails(2, &["/no/such/place"]);
    serve(&["--host", "nowhere"]).fails(2, &["nowhere"]);
}

#[test]
fn other_machines_are_admitted_only_with_a_token() {
    let shop = Repository::new(SHOP);
    shop.run(&["serve", "--host", "0.0.0.0", "--port", "0"]).fails(2, &["--token", "0.0.0.0"]);
    shop.run(&["serve", "--token", " "]).fails(2, &["--token"]);
    let server = Server::start(&shop, &["--host", "0.0.0.0", "--token", "s3cret"]);
    assert_eq!(server.ask("GET", "/health", &["host: 10.1.2.3:8484"], "").status, 200);
    assert_eq!(server.ask("GET", "/health", &["host: evil.example"], "").status, 403);
}

#[test]
fn a_port_that_is_in_use_is_reported() {
    let shop = Repository::new(SHOP);
    let server = Server::embedded(&shop);
    let port = server.port.to_string();
    let run = shop.run(&["serve", "--port", &port]);
    assert!(run.code != 0 && run.err.contains(&port) && run.err.contains("--port"), "{run:?}");
}

/// Whether an error says something, in the shape of any protocol.
fn has_message(error: &Value) -> bool {
    let places = ["/error/message", "/message", "/error"];
    let message = places.iter().find_map(|it| error.pointer(it)?.as_str());
    message.is_some_and(|it| !it.is_empty())
}

#[test]
fn large_and_invalid_bodies_are_refused_and_the_server_goes_on() {
    let shop = Repository::new(SHOP);
    let server = Server::embedded(&shop);
    let large = "x".repeat(9 << 20);
    let mut stream = TcpStream::connect(("127.0.0.1", server.port)).unwrap();
    let head = format!(
        "POST /infill HTTP/1.0\r\nhost: localhost\r\ncontent-length: {}\r\n\r\n",
        large.len()
    );
    stream.write_all(head.as_bytes()).unwrap();
    let _ = stream.write_all(large.as_bytes());
    let mut answer = [0; 12];
    if stream.read_exact(&mut answer).is_ok() {
        assert_eq!(&answer, b"HTTP/1.0 413");
    }
    for body in [
        "",
        "{",
        "[]",
        "1",
        "{\"prompt\":1}",
        "{\"prompt\":null}",
        "{\"input_prefix\":1,\"input_suffix\":\"\"}",
    ] {
        for path in [
            "/infill",
            "/completion",
            "/v1/completions",
            "/v1/fim/completions",
            "/beta/completions",
            "/api/show",
            "/v1/events",
        ] {
            let reply = server.ask("POST", path, &[], body);
            assert_eq!(reply.status, 400, "{path} {body}: {reply:?}");
            assert!(has_message(&reply.json()), "{path}: {reply:?}");
        }
    }
    assert_eq!(server.get("/nothing").status, 404);
    assert_eq!(server.get("/infill").status, 405);
    assert_eq!(server.get("/health").status, 200);
}

#[cfg(unix)]
#[test]
fn the_server_stops_on_a_signal_and_logs_no_code() {
    let shop = Repository::new(SHOP);
    let mut command = shop.command(&["serve", "--port", "0", "--patience", "20000"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    std::io::BufRead::read_line(
        &mut std::io::BufReader::new(child.stdout.take().unwrap()),
        &mut line,
    )
    .unwrap();
    let server = Server { port: line.trim().rsplit(':').next().unwrap().parse().unwrap(), child };
    let body = serde_json::json!({ "input_prefix": "very_private = ", "input_suffix": "\n" });
    assert_eq!(server.post("/infill", &body).status, 200);
    // A live stream does not keep it alive.
    let _live = server.send("GET", "/api/requests/live", &[], "");
    let mut server = std::mem::ManuallyDrop::new(server);
    let pid = server.child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
    let mut stderr = String::new();
    server.child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    let status = server.child.wait().unwrap();
    let run = Run { code: status.code().unwrap_or(-1), out: String::new(), err: stderr };
    assert_eq!(run.code, 0, "{run:?}");
    assert!(
        run.err.contains("\"event\":\"request\"") && !run.err.contains("very_private"),
        "{run:?}"
    );
}
