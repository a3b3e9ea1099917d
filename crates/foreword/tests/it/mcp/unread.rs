//! A client that sends without reading.

use std::io::Write as _;
use std::sync::mpsc::channel;
use std::time::Duration;

use serde_json::json;

use super::{Client, SMALL, meta};
use crate::Repository;

#[cfg(target_os = "linux")]
#[test]
fn a_client_that_does_not_read_is_not_read_and_every_request_is_answered_later() {
    let repository = Repository::new(SMALL);
    let mut client = Client::of(&repository);
    client.paths("now");
    let pid = client.child.id();
    let before = crate::memory(pid);
    let mut input = client.input.take().unwrap();
    let (sender, sent) = channel();
    let writer = std::thread::spawn(move || {
        for id in 0..4000 {
            let method = ["tools/list", "tools/call", "resources/read", "ping"][id % 4];
            let arguments = json!({ "query": "open_session", "limit": 1 });
            let params = json!({ "name": "search", "arguments": arguments, "uri": "foreword://file/src/session.py", "_meta": meta() });
            let request = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
            writeln!(input, "{request}").unwrap();
            if id % 3 == 0 {
                // An answer that never comes must not take its place for ever.
                let params = json!({ "requestId": id, "_meta": meta() });
                let cancel = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params });
                writeln!(input, "{cancel}").unwrap();
            }
        }
        sender.send(()).unwrap();
        input
    });
    assert!(sent.recv_timeout(Duration::from_secs(3)).is_err(), "the server reads on");
    let grown = crate::memory(pid).saturating_sub(before);
    assert!(grown < 48 << 20, "{grown} bytes");
    let mut answered = std::collections::BTreeSet::new();
    while !answered.contains(&3998) {
        let answer = client.receive().expect("the server is there");
        answered.extend(answer["id"].as_u64());
    }
    client.input = Some(writer.join().unwrap());
    let missing: Vec<u64> = (0..4000).filter(|it| it % 3 != 0 && !answered.contains(it)).collect();
    // Answers of the last ones may come after that of the last that was not cancelled.
    assert!(missing.len() < 64, "{missing:?}");
    assert_eq!(client.paths("now")[0], "src/clock.py");
    client.end();
}

#[test]
fn a_message_of_too_many_values_is_refused() {
    let repository = Repository::new(SMALL);
    let mut client = Client::of(&repository);
    let many = format!("[{}0]", "0,".repeat(400_000));
    let line = format!(
        "{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{{\"name\":\"search\",\"arguments\":{{\"query\":{many}}}}}}}"
    );
    client.send_line(line.as_bytes());
    let answer = client.receive().unwrap();
    assert!(answer["error"]["message"].as_str().unwrap().contains("values"), "{answer}");
    assert_eq!(client.paths("now")[0], "src/clock.py");
    client.end();
}

#[test]
fn a_server_whose_input_has_ended_does_not_wait_for_ever_for_a_reader() {
    let repository = Repository::new(SMALL);
    let mut client = Client::of(&repository);
    client.paths("now");
    for id in 0..40 {
        client.send(&json!({ "jsonrpc": "2.0", "id": id, "method": "tools/list", "params": { "_meta": meta() } }));
    }
    client.input = None;
    for _ in 0..600 {
        if client.child.try_wait().unwrap().is_some() {
            return;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    panic!("the server is still there after a minute");
}
