//! Clients that send a byte at a time, or that do not read what they asked for.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::json;

use super::stub::{End, Said, Stub};
use super::{SHOP, Server, hole, until};
use crate::Repository;

/// Longer than any client may take, and far shorter than a client that sends a byte at a time would.
const MOST: Duration = Duration::from_secs(45);

/// Sends `head`, and then a byte every tenth of a second until the server answers or hangs up. What it said.
#[track_caller]
fn drip(server: &Server, head: &str, rest: &str) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", server.port)).unwrap();
    stream.write_all(head.as_bytes()).unwrap();
    stream.set_read_timeout(Some(Duration::from_millis(100))).unwrap();
    let (start, mut said) = (Instant::now(), [0; 512]);
    for byte in rest.bytes().cycle() {
        assert!(start.elapsed() < MOST, "it still listens");
        match stream.read(&mut said) {
            Ok(read) => return String::from_utf8_lossy(&said[..read]).into_owned(),
            Err(it) if matches!(it.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
            Err(_) => return String::new(),
        }
        if stream.write_all(&[byte]).is_err() {
            return String::new();
        }
    }
    unreachable!("the bytes come again and again")
}

#[test]
fn a_head_that_comes_a_byte_at_a_time_is_cut_off() {
    let shop = Repository::new(SHOP);
    let server = Server::of(&shop);
    let said = drip(&server, "GET /health HTTP/1.1\r\nhost: localhost\r\nx-slow: ", "a");
    assert!(said.is_empty() || said.contains(" 408 "), "{said}");
    assert_eq!(server.get("/health").status, 200);
}

#[test]
fn a_body_that_comes_a_byte_at_a_time_is_refused() {
    let shop = Repository::new(SHOP);
    let server = Server::of(&shop);
    let head = "POST /infill HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100000\r\n\r\n";
    let said = drip(&server, head, " ");
    assert!(said.starts_with("HTTP/1.1 408 "), "{said}");
    assert_eq!(server.get("/health").status, 200);
}

#[test]
fn a_client_that_does_not_read_is_not_written_for_and_holds_up_nobody() {
    let shop = Repository::new(SHOP);
    let event = format!("data: {}\n\n", json!({ "content": "x".repeat(16 << 10), "stop": false }));
    let stub = Stub::llama(move |body| {
        let end = if body["seed"] == 1 { End::Floods } else { End::Proper };
        Said::stream("text/event-stream", std::slice::from_ref(&event)).end(end)
    });
    let server = Server::before(&shop, &stub.url);
    let (prefix, suffix) = hole();
    let body = |seed: u32| json!({ "input_prefix": prefix, "input_suffix": suffix, "prompt": "", "stream": true, "seed": seed });
    let slow: Vec<_> =
        (0..3).map(|_| server.send("POST", "/infill", &[], &body(1).to_string())).collect();
    // The server behind is made to wait when all that lies between is full.
    let mut before = 0;
    until(|| {
        std::thread::sleep(Duration::from_secs(1));
        let now = stub.flooded();
        let is_still = now > 0 && now == std::mem::replace(&mut before, now);
        is_still.then_some(())
    });
    assert!(stub.flooded() < 100 << 20, "{} bytes were taken", stub.flooded());
    assert!(server.post("/infill", &body(0)).body.contains("xxx"));
    drop(slow);
    until(|| (stub.left() == 3).then_some(()));
}
