//! A small server for tests with scripted replies, which records its requests.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use serde_json::Value;

/// A scripted reply.
#[derive(Clone, Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) header: &'static str,
    /// Written one by one.
    pub(crate) chunks: Vec<String>,
    pub(crate) ending: Ending,
}

/// End of a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// Complete.
    Proper,
    /// Shorter than the announced length.
    Dies,
    /// Never, until the client disconnects.
    Hangs,
}

impl Reply {
    /// A successful reply in these chunks.
    pub(crate) fn of(chunks: &[&str]) -> Self {
        let chunks = chunks.iter().map(|it| (*it).to_owned()).collect();
        Self { status: 200, header: "x-stub: 1", chunks, ending: Ending::Proper }
    }

    pub(crate) fn with(self, status: u16, header: &'static str) -> Self {
        Self { status, header, ..self }
    }

    pub(crate) fn ending(self, ending: Ending) -> Self {
        Self { ending, ..self }
    }
}

/// A server on its own port.
pub(crate) struct Stub {
    pub(crate) url: String,
    seen: Arc<Mutex<Vec<(String, Value)>>>,
    gone: Arc<Mutex<bool>>,
}

impl Stub {
    /// Starts a server that answers each path and body by `answer`.
    pub(crate) fn new(answer: impl Fn(&str, &Value) -> Reply + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let seen = Arc::new(Mutex::new(Vec::new()));
        let gone = Arc::new(Mutex::new(false));
        let (noted, left) = (Arc::clone(&seen), Arc::clone(&gone));
        thread::spawn(move || {
            for stream in listener.incoming() {
                let Ok(mut stream) = stream else { break };
                let Some((path, body)) = request(&stream) else { continue };
                let reply = answer(&path, &body);
                noted.lock().unwrap().push((path, body));
                write(&mut stream, &reply, &left);
            }
        });
        Self { url, seen, gone }
    }

    /// Bodies sent to `path`.
    pub(crate) fn seen(&self, path: &str) -> Vec<Value> {
        let seen = self.seen.lock().unwrap();
        seen.iter().filter(|it| it.0 == path).map(|it| it.1.clone()).collect()
    }

    /// Whether a client disconnected from a hanging reply.
    pub(crate) fn was_left(&self) -> bool {
        *self.gone.lock().unwrap()
    }
}

fn request(stream: &TcpStream) -> Option<(String, Value)> {
    let mut reader = BufReader::new(stream);
    let mut first = String::new();
    reader.read_line(&mut first).ok()?;
    let path = first.split(' ').nth(1)?.to_owned();
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let line = line.trim().to_ascii_lowercase();
        if line.is_empty() {
            break;
        }
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some((path, serde_json::from_slice(&body).unwrap_or(Value::Null)))
}

fn write(stream: &mut TcpStream, reply: &Reply, left: &Mutex<bool>) {
    let length: usize = reply.chunks.iter().map(String::len).sum();
    let more = if reply.ending == Ending::Proper { 0 } else { 100 };
    let head = format!(
        "HTTP/1.1 {} X\r\n{}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        reply.status,
        reply.header,
        length + more
    );
    let _ = stream.write_all(head.as_bytes());
    for chunk in &reply.chunks {
        let _ = stream.write_all(chunk.as_bytes());
        let _ = stream.flush();
    }
    if reply.ending == Ending::Hangs {
        // Returns when the client disconnects, since it sends nothing more.
        let _ = stream.read(&mut [0]);
        *left.lock().unwrap() = true;
    }
}
