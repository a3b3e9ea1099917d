//! Requests with more text than is analysed, and the memory that is left when they are over.

use std::time::{Duration, Instant};

use serde_json::json;

use super::{SHOP, Server, hole};
use crate::Repository;

/// About 3 MB of Python, then what stands before the cursor of `hole`.
fn large_prefix() -> String {
    let lines: String =
        (0..60_000).map(|it| format!("def function_{it}(a, b):\n    return a\n\n")).collect();
    lines + &hole().0
}

#[test]
fn of_a_text_that_is_too_large_to_be_indexed_the_lines_around_the_cursor_are_used() {
    let shop = Repository::new(SHOP);
    let server = Server::embedded(&shop);
    let start = Instant::now();
    let suffix = hole().1;
    for (path, body) in [
        ("/infill", json!({ "input_prefix": large_prefix(), "input_suffix": suffix })),
        ("/v1/fim/completions", json!({ "prompt": large_prefix(), "suffix": suffix })),
    ] {
        let reply = server.post(path, &body);
        assert_eq!(reply.status, 200, "{reply:?}");
        let record = server.record(&reply);
        let notes = record["notes"].to_string();
        assert!(notes.contains("lines around the cursor"), "{notes}");
        // The journal keeps no body of that size.
        assert!(record["request"]["not_kept"].is_string(), "{}", record["request"]);
        assert!(record["prompt"].as_str().is_none_or(|it| it.len() < 200_000));
    }
    // The whole would take minutes in a debug build.
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

#[test]
fn a_body_of_too_many_values_is_refused() {
    let shop = Repository::new(SHOP);
    let server = Server::embedded(&shop);
    let body = format!("{{\"prompt\":[{}0]}}", "0,".repeat(400_000));
    let reply = server.ask("POST", "/v1/completions", &[], &body);
    assert!(reply.status == 413 && reply.body.contains("values"), "{reply:?}");
    let deep = format!("{{\"prompt\":{}{}}}", "[".repeat(100_000), "]".repeat(100_000));
    assert_eq!(server.ask("POST", "/v1/completions", &[], &deep).status, 400);
}

#[cfg(target_os = "linux")]
#[test]
fn the_memory_of_large_requests_is_given_back() {
    let shop = Repository::new(SHOP);
    let server = Server::embedded(&shop);
    let body = json!({ "input_prefix": large_prefix(), "input_suffix": hole().1 });
    server.post("/infill", &body);
    let pid = server.child.id();
    let before = crate::memory(pid);
    for _ in 0..30 {
        assert_eq!(server.post("/infill", &body).status, 200);
    }
    let grown = crate::memory(pid).saturating_sub(before);
    assert!(grown < 48 << 20, "{grown} bytes");
}

#[test]
fn health_is_answered_at_once_while_large_requests_are_worked_on() {
    let shop = Repository::new(SHOP);
    let server = Server::embedded(&shop);
    let text = "xoxb-".repeat(80_000);
    let body = json!({
        "input_prefix": "a = ", "input_suffix": "\n",
        "input_extra": [{ "filename": "a.py", "text": text }, { "filename": "b.py", "text": text }],
    });
    let start = Instant::now();
    let longest = std::thread::scope(|scope| {
        // More than there are threads for sockets.
        let large: Vec<_> =
            (0..6).map(|_| scope.spawn(|| server.post("/infill", &body).status)).collect();
        let mut longest = Duration::ZERO;
        while large.iter().any(|it| !it.is_finished()) {
            let asked = Instant::now();
            assert_eq!(server.get("/health").status, 200);
            longest = longest.max(asked.elapsed());
        }
        assert!(large.into_iter().all(|it| it.join().unwrap() == 200));
        longest
    });
    assert!(longest * 4 < start.elapsed(), "{longest:?} of {:?}", start.elapsed());
}
