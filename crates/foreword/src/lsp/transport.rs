//! The transport: messages with `Content-Length` headers. Malformed input is answered with an error, and reading
//! resumes at the next header, so that a mistake of the editor does not end the session.
//!
//! Memory is bounded: reading stops while [`MAX_UNREAD_BYTES`] wait for the editor or [`MAX_QUEUED_BYTES`] were read
//! but not handled.

use std::io::{BufRead, Read as _, Write as _};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use lsp_server::{ErrorCode, Message};
use serde_json::{Value, json};

use crate::limits::gate::{Gate, Pass};
use crate::limits::json_size::{MAX_VALUES, has_too_many_values};

/// Maximum bytes of a message. Whole documents come in one message; analysed ones have at most 1 MiB by default, about
/// twice that when escaped.
const MAX_BODY: usize = 32 << 20;

/// Maximum bytes of messages read but not handled; a longer message is read only alone.
const MAX_QUEUED_BYTES: usize = 8 << 20;

/// Maximum bytes waiting for the editor.
const MAX_UNREAD_BYTES: usize = 16 << 20;

/// Time limit for the editor to read the last messages.
const LAST_MESSAGES: Duration = Duration::from_secs(5);

/// Overhead counted per message, to bound many small ones.
const MESSAGE_BYTES: usize = 1 << 10;

/// A message from the editor; counts as queued until its pass is dropped.
pub(super) struct Incoming {
    pub(super) message: Message,
    pub(super) pass: Pass,
}

/// A message to the editor; counts as unread until written.
struct Outgoing {
    body: String,
    pass: Pass,
}

/// Sends messages to the editor; drops them once the editor is gone.
#[derive(Clone)]
pub(super) struct Outbox {
    /// `None` ends the writer.
    sender: Sender<Option<Outgoing>>,
    unread: Arc<Gate>,
}

impl Outbox {
    /// Sends a message; blocks while too much is unread.
    pub(super) fn send(&self, message: &Message) {
        let value = serde_json::to_value(message);
        if let Ok(value) =
            value.inspect_err(|it| tracing::warn!("a message has no JSON form: {it}"))
        {
            self.send_value(value);
        }
    }

    fn send_value(&self, mut value: Value) {
        value["jsonrpc"] = "2.0".into();
        let body = value.to_string();
        let pass = self.unread.pass(body.len() + MESSAGE_BYTES);
        drop(self.sender.send(Some(Outgoing { body, pass })));
    }

    /// Ends the writing thread after everything sent so far.
    pub(super) fn close(&self) {
        drop(self.sender.send(None));
    }
}

/// The writing thread.
pub(super) struct Writer(Receiver<()>);

impl Writer {
    /// Waits until everything is written, or a time limit.
    pub(super) fn finish(self) {
        // Nothing is ever sent: the channel closes at the end.
        let _ = self.0.recv_timeout(LAST_MESSAGES);
    }
}

/// The process's stdin and stdout.
pub(super) fn open() -> anyhow::Result<(Receiver<Incoming>, Outbox, Writer)> {
    // The gates bound the channels.
    let (read, incoming) = unbounded();
    let (sender, written) = unbounded();
    let (end, ended) = bounded(0);
    let outbox = Outbox { sender, unread: Gate::new(MAX_UNREAD_BYTES) };
    let thread = |name: &str| std::thread::Builder::new().name(name.to_owned());
    let errors = outbox.clone();
    thread("read").spawn(move || read_all(&read, &errors)).context("cannot start a thread")?;
    let write = move || {
        write_all(&written);
        // Releases threads that wait for room.
        drop((written, end));
    };
    thread("write").spawn(write).context("cannot start a thread")?;
    Ok((incoming, outbox, Writer(ended)))
}

fn read_all(messages: &Sender<Incoming>, errors: &Outbox) {
    let mut input = std::io::stdin().lock();
    let queued = Gate::new(MAX_QUEUED_BYTES);
    loop {
        match read(&mut input, &queued) {
            Ok(Input::Message(it)) => {
                if messages.send(*it).is_err() {
                    return;
                }
            }
            Ok(Input::Rejected(error)) => errors.send_value(error),
            Ok(Input::End) => return tracing::debug!("the end of the input"),
            Err(error) => return tracing::warn!("cannot read from the editor: {error}"),
        }
    }
}

fn write_all(messages: &Receiver<Option<Outgoing>>) {
    while let Ok(Some(Outgoing { body, pass })) = messages.recv() {
        let mut out = std::io::stdout().lock();
        let head = format!("Content-Length: {}\r\n\r\n", body.len());
        if out.write_all((head + &body).as_bytes()).and_then(|()| out.flush()).is_err() {
            return tracing::debug!("the editor does not read any more");
        }
        drop(pass);
    }
}

enum Input {
    Message(Box<Incoming>),
    /// The error response.
    Rejected(Value),
    End,
}

fn read(input: &mut impl BufRead, queued: &Arc<Gate>) -> std::io::Result<Input> {
    let Some(length) = read_head(input)? else { return Ok(Input::End) };
    let length = match length.parse::<usize>() {
        Ok(length) if length <= MAX_BODY => length,
        _ => {
            let what = format!("Content-Length {length}: not a number up to {MAX_BODY}");
            return Ok(Input::Rejected(reject(&Value::Null, ErrorCode::InvalidRequest, &what)));
        }
    };
    let pass = queued.pass(length + MESSAGE_BYTES);
    // Allocates as bytes arrive, not by the announced length.
    let mut body = Vec::new();
    input.take(length as u64).read_to_end(&mut body)?;
    if body.len() < length {
        return Ok(Input::End);
    }
    Ok(match parse(&body) {
        Ok(message) => Input::Message(Box::new(Incoming { message, pass })),
        Err(error) => Input::Rejected(error),
    })
}

/// Content length from the next header; `None` at the end. Skips other lines.
fn read_head(input: &mut impl BufRead) -> std::io::Result<Option<String>> {
    let mut length = None;
    let mut line = Vec::new();
    loop {
        line.clear();
        // A line without an end is no header; skips it in pieces of this size.
        if std::io::Read::take(&mut *input, 1 << 16).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let text = String::from_utf8_lossy(&line);
        let text = text.trim();
        let lower = text.to_ascii_lowercase();
        // After a body longer than declared, the header starts in the middle of a line.
        if let Some(at) = lower.rfind("content-length:") {
            length = Some(text[at + "content-length:".len()..].trim().to_owned());
        } else if text.is_empty() && length.is_some() {
            return Ok(length);
        }
    }
}

/// Parses a message; fails with an error response.
fn parse(body: &[u8]) -> Result<Message, Value> {
    if has_too_many_values(body) {
        let what = format!("the message has more than {MAX_VALUES} values");
        return Err(reject(&Value::Null, ErrorCode::InvalidRequest, &what));
    }
    let value: Value = serde_json::from_slice(body).map_err(|error| {
        reject(&Value::Null, ErrorCode::ParseError, &format!("not JSON: {error}"))
    })?;
    let id = value.get("id").cloned().unwrap_or_default();
    serde_json::from_value(value).map_err(|_| {
        reject(&id, ErrorCode::InvalidRequest, "not a request, notification or response")
    })
}

fn reject(id: &Value, code: ErrorCode, message: &str) -> Value {
    tracing::warn!(%id, ?code, "malformed message");
    json!({ "id": id, "error": { "code": code as i32, "message": message } })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(input: &str, expect: &[&str]) {
        let (mut input, queued) = (input.as_bytes(), Gate::new(MAX_QUEUED_BYTES));
        let mut found = Vec::new();
        loop {
            match read(&mut input, &queued).unwrap() {
                Input::Message(it) => {
                    found.push(serde_json::to_value(it.message).unwrap()["method"].to_string());
                }
                Input::Rejected(it) => found.push(it["error"]["code"].to_string()),
                Input::End => break,
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
