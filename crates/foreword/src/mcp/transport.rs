//! Lines of JSON on stdin and stdout, one message each.
//!
//! Two threads read and write, so that a client that reads slowly delays no other answer. A line that is no message is
//! answered with the error that JSON-RPC has for it, and the next line is read.

use std::io::{BufRead, Write as _};
use std::thread::JoinHandle;

use anyhow::Context as _;
use rmcp::RoleServer;
use rmcp::model::{ClientJsonRpcMessage, ErrorCode, ServerJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::{Value, json};
use tokio::sync::mpsc;

/// The largest message. No sensible one is near this size; a longer line is skipped while it comes in.
pub(super) const MAX_MESSAGE: usize = 4 << 20;

/// The number of messages that may queue in either direction.
const QUEUE: usize = 64;

/// A line from the client.
enum Line {
    Message(Box<ClientJsonRpcMessage>),
    /// Not a message; the error response that says why.
    Malformed(Vec<u8>),
}

/// The process's stdin and stdout.
pub(super) struct Stdio {
    lines: mpsc::Receiver<Line>,
    out: Option<mpsc::Sender<Vec<u8>>>,
}

impl Stdio {
    /// Starts the threads. The writer ends when the transport is closed and everything is written.
    pub(super) fn open() -> anyhow::Result<(Self, JoinHandle<()>)> {
        let (read, lines) = mpsc::channel(QUEUE);
        let (out, written) = mpsc::channel(QUEUE);
        let thread = |name: &str| std::thread::Builder::new().name(name.to_owned());
        thread("read").spawn(move || read_all(&read)).context("cannot start a thread")?;
        let writer =
            thread("write").spawn(move || write_all(written)).context("cannot start a thread")?;
        Ok((Self { lines, out: Some(out) }, writer))
    }
}

impl Transport<RoleServer> for Stdio {
    type Error = std::io::Error;

    fn send(
        &mut self,
        message: ServerJsonRpcMessage,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        let out = self.out.clone();
        async move {
            let closed = || std::io::Error::from(std::io::ErrorKind::BrokenPipe);
            let line = serde_json::to_vec(&message)?;
            out.ok_or_else(closed)?.send(line).await.map_err(|_| closed())
        }
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            match self.lines.recv().await? {
                Line::Message(message) => return Some(*message),
                Line::Malformed(answer) => self.out.as_ref()?.send(answer).await.ok()?,
            }
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.out = None;
        Ok(())
    }
}

fn read_all(to: &mpsc::Sender<Line>) {
    let mut input = std::io::stdin().lock();
    let mut line = Vec::new();
    loop {
        line.clear();
        let sent = match read_line(&mut input, &mut line) {
            Ok(Read::End) => return,
            Err(error) => return tracing::warn!("cannot read from the agent: {error}"),
            Ok(Read::TooLong) => to.blocking_send(Line::Malformed(too_long())),
            Ok(Read::Line) if line.trim_ascii().is_empty() => Ok(()),
            Ok(Read::Line) => to.blocking_send(parse(&line)),
        };
        if sent.is_err() {
            return;
        }
    }
}

fn write_all(mut lines: mpsc::Receiver<Vec<u8>>) {
    while let Some(mut line) = lines.blocking_recv() {
        line.push(b'\n');
        let mut out = std::io::stdout().lock();
        if out.write_all(&line).and_then(|()| out.flush()).is_err() {
            return;
        }
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Read {
    Line,
    TooLong,
    End,
}

/// Reads a line into `line` and holds no more than [`MAX_MESSAGE`] of it in memory. The last line needs no line break.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> std::io::Result<Read> {
    let mut too_long = false;
    loop {
        let buffer = input.fill_buf()?;
        if buffer.is_empty() {
            let nothing = line.is_empty() && !too_long;
            return Ok(if nothing {
                Read::End
            } else if too_long {
                Read::TooLong
            } else {
                Read::Line
            });
        }
        let end = memchr::memchr(b'\n', buffer);
        let taken = end.map_or(buffer.len(), |at| at + 1);
        too_long |= line.len() + taken > MAX_MESSAGE;
        if too_long {
            line.clear();
        } else {
            line.extend_from_slice(&buffer[..taken]);
        }
        input.consume(taken);
        if end.is_some() {
            return Ok(if too_long { Read::TooLong } else { Read::Line });
        }
    }
}

fn parse(bytes: &[u8]) -> Line {
    let value: Value = match serde_json::from_slice(bytes) {
        Ok(value) => value,
        Err(error) => {
            let message = format!("not JSON: {error}");
            return Line::Malformed(error_response(None, ErrorCode::PARSE_ERROR, &message));
        }
    };
    let id = value.get("id").filter(|it| it.is_string() || it.is_i64() || it.is_u64()).cloned();
    match serde_json::from_value(value) {
        Ok(message) => Line::Message(Box::new(message)),
        Err(_) => {
            let message = "not a JSON-RPC 2.0 request or notification; batches are not served";
            Line::Malformed(error_response(id, ErrorCode::INVALID_REQUEST, message))
        }
    }
}

/// The error response to bytes that are no message; `None` for a message.
pub(super) fn error_for(bytes: &[u8]) -> Option<Vec<u8>> {
    match parse(bytes) {
        Line::Message(_) => None,
        Line::Malformed(answer) => Some(answer),
    }
}

/// The error response to a message that is longer than [`MAX_MESSAGE`].
pub(super) fn too_long() -> Vec<u8> {
    let message = format!("the message is longer than {} MiB", MAX_MESSAGE >> 20);
    error_response(None, ErrorCode::INVALID_REQUEST, &message)
}

/// An error response. The id is left out where it is not known, as MCP's schema has it.
fn error_response(id: Option<Value>, code: ErrorCode, message: &str) -> Vec<u8> {
    let mut answer = json!({ "jsonrpc": "2.0", "error": { "code": code.0, "message": message } });
    if let Some(id) = id {
        answer["id"] = id;
    }
    answer.to_string().into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_too_long_is_skipped_and_the_next_is_read() {
        let mut input = vec![b'x'; MAX_MESSAGE + 1];
        input.extend_from_slice(b"\nnext\nlast");
        let mut input = std::io::BufReader::with_capacity(1000, &input[..]);
        let mut line = Vec::new();
        assert_eq!(read_line(&mut input, &mut line).unwrap(), Read::TooLong);
        assert!(line.is_empty());
        assert_eq!(read_line(&mut input, &mut line).unwrap(), Read::Line);
        assert_eq!(line, b"next\n");
        line.clear();
        assert_eq!(read_line(&mut input, &mut line).unwrap(), Read::Line);
        assert_eq!(line, b"last");
        line.clear();
        assert_eq!(read_line(&mut input, &mut line).unwrap(), Read::End);
    }

    #[track_caller]
    fn check(line: &str, code: i32, id: &Value) {
        let Line::Malformed(answer) = parse(line.as_bytes()) else { panic!("{line} is accepted") };
        let answer: Value = serde_json::from_slice(&answer).unwrap();
        assert_eq!((&answer["error"]["code"], &answer["id"]), (&code.into(), id), "{line}");
    }

    #[test]
    fn a_malformed_message_is_answered_with_an_error_and_its_id() {
        check("{", -32700, &Value::Null);
        check("\u{0}", -32700, &Value::Null);
        check("[]", -32600, &Value::Null);
        check("{\"jsonrpc\":\"1.0\",\"id\":7,\"method\":\"x\"}", -32600, &7.into());
        check("{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":7}", -32600, &"a".into());
        check("{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"tools/list\"}", -32600, &Value::Null);
    }
}
