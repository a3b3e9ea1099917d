//! Lines of JSON on stdin and stdout, one message each.
//!
//! One thread reads and one writes, so that a slow reader delays no other answer. A malformed line is answered with
//! JSON-RPC's error, and reading goes on with the next line.
//!
//! Reading stops for a client that sends without reading: a message counts against [`MAX_IN_FLIGHT`] from the moment it
//! is read until its answer is written, and no answer is computed while more than [`MAX_UNREAD_BYTES`] wait. Further
//! messages stay in the pipe.

use std::collections::HashMap;
use std::io::{BufRead, Write as _};
use std::sync::{Arc, mpsc as std_mpsc};
use std::time::Duration;

use anyhow::Context as _;
use rmcp::RoleServer;
use rmcp::model::{
    ClientJsonRpcMessage, ClientNotification, ErrorCode, GetExtensions as _, JsonRpcMessage,
    RequestId, ServerJsonRpcMessage,
};
use rmcp::transport::Transport;
use serde_json::{Value, json};
use tokio::sync::mpsc;

use crate::limits::gate::{Gate, Pass};
use crate::limits::json_size::{MAX_VALUES, has_too_many_values};

/// Maximum size of a message in bytes; a longer line is skipped while it is read.
pub(super) const MAX_MESSAGE: usize = 1 << 20;

/// Maximum total weight of messages in flight: the bytes of each, at least [`MIN_WEIGHT`]. Enough for 64 small messages.
const MAX_IN_FLIGHT: usize = 64 * MIN_WEIGHT;

/// The weight of a small message.
const MIN_WEIGHT: usize = 16 << 10;

/// Maximum bytes of unread answers before the next one is computed.
const MAX_UNREAD_BYTES: usize = 8 << 20;

/// Capacity of each queue, in messages.
const QUEUE: usize = 64;

/// How long the client may take to read the last answers when its input has ended.
const LAST_ANSWERS: Duration = Duration::from_secs(5);

/// A message, and its place among those in flight.
struct Incoming {
    message: ClientJsonRpcMessage,
    pass: Arc<Pass>,
}

/// A line for the client. It leaves the gates when it is written.
struct Outgoing {
    line: Vec<u8>,
    _passes: (Option<Arc<Pass>>, Pass),
}

/// The process's stdin and stdout.
pub(super) struct Stdio {
    messages: mpsc::Receiver<Incoming>,
    out: Option<mpsc::Sender<Outgoing>>,
    /// Gate passes of the unanswered requests.
    passes: HashMap<RequestId, Arc<Pass>>,
    unread: Arc<Gate>,
}

/// The thread that writes.
pub(super) struct Writer(std_mpsc::Receiver<()>);

impl Stdio {
    /// Starts the threads. The writer ends when the transport is closed and everything is written.
    pub(super) fn open() -> anyhow::Result<(Self, Writer)> {
        let (read, messages) = mpsc::channel(QUEUE);
        let (out, written) = mpsc::channel(QUEUE);
        let (end, ended) = std_mpsc::channel();
        let unread = Gate::new(MAX_UNREAD_BYTES);
        let reader = Reader {
            in_flight: Gate::new(MAX_IN_FLIGHT),
            unread: Arc::clone(&unread),
            messages: read,
            // Weak: the transport alone decides when the writer ends.
            errors: out.downgrade(),
        };
        let thread = |name: &str| std::thread::Builder::new().name(name.to_owned());
        thread("read").spawn(move || reader.read_all()).context("cannot start a thread")?;
        let write = move || {
            write_all(written);
            drop(end);
        };
        thread("write").spawn(write).context("cannot start a thread")?;
        let res = Self { messages, out: Some(out), passes: HashMap::new(), unread };
        Ok((res, Writer(ended)))
    }

    /// Answers that the client has not read yet.
    pub(super) fn unread(&self) -> Arc<Gate> {
        Arc::clone(&self.unread)
    }

    /// Keeps the place of a message for as long as it is handled, and that of a request until it is answered.
    fn admit(&mut self, Incoming { mut message, pass }: Incoming) -> ClientJsonRpcMessage {
        match &mut message {
            JsonRpcMessage::Request(it) => {
                it.request.extensions_mut().insert(Arc::clone(&pass));
                self.passes.insert(it.id.clone(), pass);
            }
            JsonRpcMessage::Notification(it) => {
                // A cancelled request has no answer; its handler still has the pass.
                if let ClientNotification::CancelledNotification(cancelled) = &it.notification
                    && let Some(id) = &cancelled.params.request_id
                {
                    self.passes.remove(id);
                }
                it.notification.extensions_mut().insert(pass);
            }
            _ => {}
        }
        message
    }
}

impl Writer {
    /// Waits until the last answers are written, unless the client does not read them.
    pub(super) fn finish(self) {
        // Nothing is ever sent: the channel is closed at the end.
        let _ = self.0.recv_timeout(LAST_ANSWERS);
    }
}

impl Transport<RoleServer> for Stdio {
    type Error = std::io::Error;

    fn send(
        &mut self,
        message: ServerJsonRpcMessage,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        let pass = answered(&message).and_then(|it| self.passes.remove(it));
        let line = serde_json::to_vec(&message);
        let counted = self.unread.count(line.as_ref().map_or(0, Vec::len));
        let out = self.out.clone();
        async move {
            let closed = || std::io::Error::from(std::io::ErrorKind::BrokenPipe);
            let outgoing = Outgoing { line: line?, _passes: (pass, counted) };
            out.ok_or_else(closed)?.send(outgoing).await.map_err(|_| closed())
        }
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        let incoming = self.messages.recv().await?;
        Some(self.admit(incoming))
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.out = None;
        Ok(())
    }
}

/// The request that a message answers.
fn answered(message: &ServerJsonRpcMessage) -> Option<&RequestId> {
    match message {
        JsonRpcMessage::Response(it) => Some(&it.id),
        JsonRpcMessage::Error(it) => it.id.as_ref(),
        _ => None,
    }
}

/// The state of the reading thread.
struct Reader {
    in_flight: Arc<Gate>,
    unread: Arc<Gate>,
    messages: mpsc::Sender<Incoming>,
    errors: mpsc::WeakSender<Outgoing>,
}

impl Reader {
    fn read_all(&self) {
        let mut input = std::io::stdin().lock();
        loop {
            let mut line = Vec::new();
            let read = match read_line(&mut input, &mut line) {
                Ok(NextLine::End) => return,
                Err(error) => return tracing::warn!("cannot read from the agent: {error}"),
                Ok(NextLine::TooLong) => Err(too_long()),
                Ok(NextLine::Line) if line.trim_ascii().is_empty() => continue,
                Ok(NextLine::Line) => Ok(line),
            };
            if self.handle(read).is_none() {
                return;
            }
        }
    }

    /// Passes a line on; `None` if the receiver is gone.
    fn handle(&self, line: Result<Vec<u8>, Vec<u8>>) -> Option<()> {
        let pass = self.in_flight.pass(line.as_ref().map_or(0, Vec::len).max(MIN_WEIGHT));
        match line.and_then(|it| parse(&it)) {
            Ok(message) => {
                let incoming = Incoming { message: *message, pass: Arc::new(pass) };
                self.messages.blocking_send(incoming).ok()
            }
            Err(answer) => {
                let passes = (Some(Arc::new(pass)), self.unread.count(answer.len()));
                let outgoing = Outgoing { line: answer, _passes: passes };
                self.errors.upgrade()?.blocking_send(outgoing).ok()
            }
        }
    }
}

fn write_all(mut lines: mpsc::Receiver<Outgoing>) {
    while let Some(mut it) = lines.blocking_recv() {
        it.line.push(b'\n');
        let mut out = std::io::stdout().lock();
        if out.write_all(&it.line).and_then(|()| out.flush()).is_err() {
            return;
        }
    }
}

#[derive(Debug, PartialEq, Eq)]
enum NextLine {
    Line,
    TooLong,
    End,
}

/// Reads a line into `line` and holds no more than [`MAX_MESSAGE`] of it in memory. The last line needs no line break.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> std::io::Result<NextLine> {
    let mut too_long = false;
    loop {
        let buffer = input.fill_buf()?;
        if buffer.is_empty() {
            let nothing = line.is_empty() && !too_long;
            return Ok(if nothing {
                NextLine::End
            } else if too_long {
                NextLine::TooLong
            } else {
                NextLine::Line
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
            return Ok(if too_long { NextLine::TooLong } else { NextLine::Line });
        }
    }
}

/// Parses a message, or returns the error response.
fn parse(bytes: &[u8]) -> Result<Box<ClientJsonRpcMessage>, Vec<u8>> {
    if has_too_many_values(bytes) {
        let message = format!("the message has more than {MAX_VALUES} values");
        return Err(error_response(None, ErrorCode::INVALID_REQUEST, &message));
    }
    let value: Value = serde_json::from_slice(bytes).map_err(|error| {
        error_response(None, ErrorCode::PARSE_ERROR, &format!("not JSON: {error}"))
    })?;
    let id = value.get("id").filter(|it| it.is_string() || it.is_i64() || it.is_u64()).cloned();
    serde_json::from_value(value).map(Box::new).map_err(|_| {
        let message = "not a JSON-RPC 2.0 request or notification; batches are not served";
        error_response(id, ErrorCode::INVALID_REQUEST, message)
    })
}

/// The error response to malformed bytes; `None` for a valid message.
pub(super) fn error_for(bytes: &[u8]) -> Option<Vec<u8>> {
    parse(bytes).err()
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
        assert_eq!(read_line(&mut input, &mut line).unwrap(), NextLine::TooLong);
        assert!(line.is_empty());
        assert_eq!(read_line(&mut input, &mut line).unwrap(), NextLine::Line);
        assert_eq!(line, b"next\n");
        line.clear();
        assert_eq!(read_line(&mut input, &mut line).unwrap(), NextLine::Line);
        assert_eq!(line, b"last");
        line.clear();
        assert_eq!(read_line(&mut input, &mut line).unwrap(), NextLine::End);
    }

    #[track_caller]
    fn check(line: &str, code: i32, id: &Value) {
        let Err(answer) = parse(line.as_bytes()) else { panic!("{line} is accepted") };
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
