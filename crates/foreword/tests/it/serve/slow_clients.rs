//! Clients that send a byte at a time, or that do not read the response.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::json;

use super::stub::{Ending, Stub, StubResponse};
use super::{SHOP, Server, hole, until};
use crate::Repository;

/// Longer than any request may take, and far shorter than one that is sent a byte at a time.
const TIMEOUT: Duration = Duration::from_secs(45);

/// Sends `head`, and then a byte every tenth of a second until the server answers or hangs up. Returns the response.
#[track_caller]
fn drip(server: &Server, head: &str, rest: &str) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", server.port)).unwrap();
    stream.write_all(head.as_bytes()).unwrap();
    stream.set_read_timeout(Some(Duration::from_millis(100))).unwrap();
    let (start, mut response) = (Instant::now(), [0; 512]);
    for byte in rest.bytes().cycle() {
        assert!(start.elapsed() < TIMEOUT, "the server still reads");
        match stream.read(&mut response) {
            Ok(read) => return String::from_utf8_lossy(&response[..read]).into_owned(),
            Err(it) if matches!(it.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
            Err(_) => return String::new(),
        }
        if stream.write_all(&[byte]).is_err() {
            return String::new();
        }
    }
    unreachable!("the bytes are repeated forever")
}

#[test]
fn a_header_that_is_sent_a_byte_at_a_time_times_out() {
    let shop = Repository::new(SHOP);
    let server = Server::embedded(&shop);
    let response = drip(&server, "GET /health HTTP/1.1\r\nhost: localhost\r\nx-slow: ", "a");
    assert!(response.is_empty() || response.contains(" 408 "), "{response}");
    assert_eq!(server.get("/health").status, 200);
}

#[test]
fn a_body_that_is_sent_a_byte_at_a_time_times_out() {
    let shop = Repository::new(SHOP);
    let server = Server::embedded(&shop);
    let head = "POST /infill HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100000\r\n\r\n";
    let response = drip(&server, head, " ");
    assert!(response.starts_with("HTTP/1.1 408 "), "{response}");
    assert_eq!(server.get("/health").status, 200);
}

#[test]
fn a_client_that_does_not_read_stops_its_upstream_and_delays_no_other() {
    let shop = Repository::new(SHOP);
    let event = format!("data: {}\n\n", json!({ "content": "x".repeat(16 << 10), "stop": false }));
    let stub = Stub::llama(move |body| {
        let end = if body["seed"] == 1 { Ending::Floods } else { Ending::Complete };
        StubResponse::stream("text/event-stream", std::slice::from_ref(&event)).end(end)
    });
    let server = Server::with_upstream(&shop, &stub.url);
    let (prefix, suffix) = hole();
    let body = |seed: u32| json!({ "input_prefix": prefix, "input_suffix": suffix, "prompt": "", "stream": true, "seed": seed });
    let slow: Vec<_> =
        (0..3).map(|_| server.send("POST", "/infill", &[], &body(1).to_string())).collect();
    // The upstream server has to wait when all buffers are full.
    let mut before = 0;
    until(|| {
        std::thread::sleep(Duration::from_secs(1));
        let now = stub.flooded();
        let is_still = now > 0 && now == std::mem::replace(&mut before, now);
        is_still.then_some(())
    });
    assert!(stub.flooded() < 100 << 20, "{} bytes were read", stub.flooded());
    assert!(server.post("/infill", &body(0)).body.contains("xxx"));
    drop(slow);
    until(|| (stub.hung_up() == 3).then_some(()));
}
