//! The transport: messages behind `Content-Length` headers. Malformed input is answered with an error, and reading goes
//! on at the next header: one mistake of an editor must not end the session.

use std::io::{BufRead, Write as _};
use std::thread::JoinHandle;

use anyhow::Context as _;
use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use lsp_server::{Connection, ErrorCode, Message};
use serde_json::{Value, json};

/// Whole documents come in one message; the largest that is indexed has 1 MiB, escaped perhaps twice that.
const MAX_BODY: usize = 64 << 20;

/// Messages that may wait in the queue.
const QUEUE: usize = 1024;

/// The process's stdin and stdout; the thread that writes ends when the connection is dropped.
pub(super) fn open() -> anyhow::Result<(Connection, JoinHandle<()>)> {
    let (read, receiver) = bounded(QUEUE);
    let (sender, written) = unbounded::<Message>();
    let (rejected, errors) = unbounded::<Value>();
    let thread = |name: &str| std::thread::Builder::new().name(name.to_owned());
    thread("read").spawn(move || read_all(&read, &rejected)).context("cannot start a thread")?;
    let writer = thread("write")
        .spawn(move || write_all(&written, &errors))
        .context("cannot start a thread")?;
    Ok((Connection { sender, receiver }, writer))
}

fn read_all(messages: &Sender<Message>, rejected: &Sender<Value>) {
    let mut input = std::io::stdin().lock();
    loop {
        let sent = match read(&mut input) {
            Ok(Incoming::Message(message)) => messages.send(*message).is_ok(),
            Ok(Incoming::Rejected(error)) => rejected.send(error).is_ok(),
            Ok(Incoming::End) => return tracing::debug!("the end of the input"),
            Err(error) => return tracing::warn!("cannot read from the editor: {error}"),
        };
        if !sent {
            return;
        }
    }
}

/// Writes the messages of the server and the errors of the reader, until the server is gone.
fn write_all(messages: &Receiver<Message>, errors: &Receiver<Value>) {
    loop {
        let value = crossbeam_channel::select! {
            recv(messages) -> it => it.ok().and_then(|it| serde_json::to_value(it).ok()),
            recv(errors) -> it => match it {
                Ok(it) => Some(it),
                // The reader is at the end of its input; the remaining messages are still written.
                Err(_) => messages.recv().ok().and_then(|it| serde_json::to_value(it).ok()),
            },
        };
        let Some(mut value) = value else { return };
        value["jsonrpc"] = "2.0".into();
        let body = value.to_string();
        let mut out = std::io::stdout().lock();
        let head = format!("Content-Length: {}\r\n\r\n", body.len());
        if out.write_all((head + &body).as_bytes()).and_then(|()| out.flush()).is_err() {
            return tracing::debug!("the editor does not read any more");
        }
    }
}

enum Incoming {
    Message(Box<Message>),
    /// An error response that says what is wrong.
    Rejected(Value),
    End,
}

fn read(input: &mut impl BufRead) -> std::io::Result<Incoming> {
    let Some(length) = read_head(input)? else { return Ok(Incoming::End) };
    let length = match length.parse::<usize>() {
        Ok(length) if length <= MAX_BODY => length,
        _ => {
            let what = format!("Content-Length {length}: not a number up to {MAX_BODY}");
            return Ok(reject(&Value::Null, ErrorCode::InvalidRequest, &what));
        }
    };
    let mut body = vec![0; length];
    if input.read_exact(&mut body).is_err() {
        return Ok(Incoming::End);
    }
    Ok(parse(&body))
}

/// The length that the next header gives; `None` at the end. Lines that belong to no header are skipped.
fn read_head(input: &mut impl BufRead) -> std::io::Result<Option<String>> {
    let mut length = None;
    let mut line = Vec::new();
    loop {
        line.clear();
        // A line without an end is not a header; it is skipped in pieces of this size.
        if std::io::Read::take(&mut *input, 1 << 16).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let text = String::from_utf8_lossy(&line);
        let text = text.trim();
        let lower = text.to_ascii_lowercase();
        // After a body that was longer than declared, the header begins in the middle of a line.
        if let Some(at) = lower.rfind("content-length:") {
            length = Some(text[at + "content-length:".len()..].trim().to_owned());
        } else if text.is_empty() && length.is_some() {
            return Ok(length);
        }
    }
}

fn parse(body: &[u8]) -> Incoming {
    let value: Value = match serde_json::from_slice(body) {
        Ok(value) => value,
        Err(error) => {
            return reject(&Value::Null, ErrorCode::ParseError, &format!("not JSON: {error}"));
        }
    };
    let id = value.get("id").cloned().unwrap_or_default();
    match serde_json::from_value(value) {
        Ok(message) => Incoming::Message(Box::new(message)),
        Err(_) => reject(&id, ErrorCode::InvalidRequest, "not a request, notification or response"),
    }
}

fn reject(id: &Value, code: ErrorCode, message: &str) -> Incoming {
    tracing::warn!(%id, ?code, "malformed message");
    Incoming::Rejected(json!({ "id": id, "error": { "code": code as i32, "message": message } }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(input: &str, expect: &[&str]) {
        let mut input = input.as_bytes();
        let mut found = Vec::new();
        loop {
            match read(&mut input).unwrap() {
                Incoming::Message(it) => {
                    found.push(serde_json::to_value(*it).unwrap()["method"].to_string());
                }
                Incoming::Rejected(it) => found.push(it["error"]["code"].to_string()),
                Incoming::End => break,
            }
        }
        assert_eq!(found, expect);
    }

    const GOOD: &str = "Content-Length: 31\r\n\r\n{\"jsonrpc\":\"2.0\",\"method\":\"ok\"}";

    #[test]
    fn messages_follow_each_other() {
        check(&GOOD.repeat(2), &["\"ok\"", "\"ok\""]);
        let typed = GOOD.replace("\r\n\r\n", "\r\nContent-Type: x\r\n\r\n");
        check(&typed, &["\"ok\""]);
    }

    #[test]
    fn malformed_messages_are_rejected_and_the_next_is_read() {
        check(&format!("Content-Length: 3\r\n\r\n{{x}}{GOOD}"), &["-32700", "\"ok\""]);
        check(&format!("Content-Length: 2\r\n\r\n[]{GOOD}"), &["-32600", "\"ok\""]);
        check(&format!("Content-Length: -5\r\n\r\n{GOOD}"), &["-32600", "\"ok\""]);
        check(&format!("Content-Length: 99999999999\r\n\r\n{GOOD}"), &["-32600", "\"ok\""]);
    }

    #[test]
    fn a_body_longer_than_declared_costs_only_that_message() {
        check(&format!("Content-Length: 2\r\n\r\n{{}}garbage\r\n{GOOD}"), &["-32600", "\"ok\""]);
        check(&format!("Content-Length: 2\r\n\r\n{{}}garbage{GOOD}"), &["-32600", "\"ok\""]);
        check("nonsense\n\n\n", &[]);
        check("Content-Length: 50\r\n\r\n{", &[]);
    }
}
