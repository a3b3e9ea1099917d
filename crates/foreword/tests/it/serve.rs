//! `foreword serve` over HTTP, as completion tools use it.

mod chat;
mod clients;
mod context;
mod docs;
mod failures;
mod feedback;
#[cfg(feature = "gguf")]
mod gguf;
mod journal;
mod large;
mod llama_vim;
mod mcp;
mod next_edit;
mod protocols;
mod reconnect;
mod safety;
mod slow_clients;
pub(crate) mod stub;
mod tabby;
mod tokens;

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::Repository;

/// A running server; dropping this stops it.
pub(crate) struct Server {
    child: Child,
    port: u16,
}

/// A response.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    head: String,
    pub(crate) body: String,
}

impl Reply {
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("no JSON: {self:?}"))
    }

    /// The value of a header; empty if there is none.
    pub(crate) fn header(&self, name: &str) -> &str {
        let lines = self.head.lines().filter_map(|it| it.split_once(": "));
        lines.filter(|it| it.0.eq_ignore_ascii_case(name)).map(|it| it.1).next().unwrap_or("")
    }

    /// The objects of a stream of events or lines, and whether it ended in `[DONE]`.
    pub(crate) fn events(&self) -> (Vec<Value>, bool) {
        let lines = self.body.lines().map(|it| it.strip_prefix("data: ").unwrap_or(it));
        let lines: Vec<&str> = lines.filter(|it| !it.is_empty()).collect();
        let objects = lines.iter().filter_map(|it| serde_json::from_str(it).ok()).collect();
        (objects, lines.last() == Some(&"[DONE]"))
    }
}

impl Server {
    /// A server with the embedded model.
    pub(crate) fn embedded(repository: &Repository) -> Self {
        Self::start(repository, &[])
    }

    /// A server with an upstream server.
    pub(crate) fn with_upstream(repository: &Repository, url: &str) -> Self {
        Self::start(repository, &["--model-url", url])
    }

    fn start(repository: &Repository, args: &[&str]) -> Self {
        let mut command = repository.command(&["serve", "--port", "0", "--quiet"]);
        // What the tests' small repositories make likely says nothing of the default.
        if !args.contains(&"--least-confidence") {
            command.args(["--least-confidence", "0"]);
        }
        // Retrieval is slow in a debug build.
        if !args.contains(&"--patience") {
            command.args(["--patience", "20000"]);
        }
        Self::spawn(command.args(args))
    }

    /// Waits until the server says where it listens.
    pub(crate) fn spawn(command: &mut std::process::Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let port = line.trim().rsplit(':').next().unwrap().parse();
        Self { child, port: port.unwrap_or_else(|_| panic!("no address: {line:?}")) }
    }

    pub(crate) fn get(&self, path: &str) -> Reply {
        self.ask("GET", path, &[], "")
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Reply {
        self.ask("POST", path, &[], &body.to_string())
    }

    pub(crate) fn ask(&self, method: &str, path: &str, headers: &[&str], body: &str) -> Reply {
        self.ask_bytes(method, path, headers, body.as_bytes())
    }

    fn ask_bytes(&self, method: &str, path: &str, headers: &[&str], body: &[u8]) -> Reply {
        let mut stream = self.send_bytes(method, path, headers, body);
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("{text:?}"));
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Reply { status, head: head.to_owned(), body: body.to_owned() }
    }

    /// Sends a request of HTTP 1.0, whose response ends with the connection.
    pub(crate) fn send(&self, method: &str, path: &str, headers: &[&str], body: &str) -> TcpStream {
        self.send_bytes(method, path, headers, body.as_bytes())
    }

    fn send_bytes(&self, method: &str, path: &str, headers: &[&str], body: &[u8]) -> TcpStream {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_mins(1))).unwrap();
        let mut head = format!("{method} {path} HTTP/1.0\r\n");
        if !headers.iter().any(|it| it.to_ascii_lowercase().starts_with("host:")) {
            head.push_str(&format!("host: 127.0.0.1:{}\r\n", self.port));
        }
        headers.iter().for_each(|it| head.push_str(&format!("{it}\r\n")));
        head.push_str(&format!("content-length: {}\r\n\r\n", body.len()));
        stream.write_all(&[head.as_bytes(), body].concat()).unwrap();
        stream
    }

    /// Tells it to stop, and waits for that.
    fn stop(mut self) {
        let pid = self.child.id().to_string();
        assert!(
            std::process::Command::new("kill").args(["-TERM", &pid]).status().unwrap().success()
        );
        assert_eq!(self.child.wait().unwrap().code(), Some(0));
    }

    /// The record of a request that is over.
    #[track_caller]
    pub(crate) fn record(&self, reply: &Reply) -> Value {
        let id = reply.header("x-foreword-request");
        let path = format!("/api/requests/{id}");
        until(|| Some(self.get(&path).json()).filter(|it| it["end"] != "running"))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Waits until `find` finds something.
#[track_caller]
pub(crate) fn until<T>(mut find: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(found) = find() {
            return found;
        }
        assert!(start.elapsed() < Duration::from_secs(20), "timed out");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A shop whose files refer to each other.
const SHOP: &str = "
//- shop/cart.py
class Cart:
    def __init__(self, owner):
        self.owner = owner
        self.items = []

    def add(self, item, amount=1):
        check(item, '<|fim_middle|>')
        self.items.append((item, amount))
        return self

    def total(self, prices):
        return sum(prices[item] * amount for item, amount in self.items)
//- shop/order.py
from shop.cart import Cart

TAX = 0.19

def open_order(customer):
    cart = Cart(customer)
    return cart

def reserve(cart, names):
    for name in names:
        cart.add(name, amount=1)
    return cart

def restock(cart, names):
    for name in names:
        cart.add(name, amount=10)
    return cart

def invoice(cart, prices):
    net = cart.total(prices)
    gross = net * (1 + TAX)
    return gross
//- shop/secret.env
TOKEN=very-secret-of-the-shop
//- .gitignore
hidden.py
//- hidden.py
def hidden_restock(cart):
    cart.add('contraband', amount=99)
";

/// The text before and after a cursor in `restock`, as a tool sends it: a window without a path.
fn hole() -> (String, String) {
    let text = SHOP.split("//- shop/order.py\n").nth(1).unwrap().split("//-").next().unwrap();
    let at = text.rfind("cart.add(name").unwrap() + "cart.".len();
    let rest = text[at..].find('\n').unwrap();
    (text[..at].to_owned(), text[at + rest..].to_owned())
}
