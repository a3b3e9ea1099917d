//! The inspector: its page from the command line, and the server's answers to it.

pub(crate) mod ask;
mod plans;
mod schema;
mod typescript;

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use crate::serve::stub::Stub;
use crate::{Repository, Run, installed, skipped, target};

const HOSTILE: &str = "
//- a.py
def page():
    '''Ends a script: </script><script>alert(1)</script> and begins a comment <!--data-->.'''
    return '</script>'
//- b.py
from a import page

print(page())
";

/// The data of a page.
fn data(page: &str) -> Value {
    let begin = "<script id=\"data\" type=\"application/json\">";
    let rest = page.split_once(begin).expect("there is data").1;
    serde_json::from_str(rest.split_once("</script>").expect("it ends").0).unwrap()
}

#[test]
fn a_page_contains_the_trace_and_no_code_can_end_its_element() {
    let repository = Repository::new(HOSTILE);
    let page = repository.run(&["context", "b.py:3", "--html", "-"]).out;
    let (trace, prompt) = (data(&page), repository.run(&["context", "b.py:3", "--prompt"]).out);
    let segments = trace["segments"].as_array().unwrap();
    let text: String = segments.iter().filter_map(|it| it["text"].as_str()).collect();
    assert_eq!(text, prompt);
    assert!(prompt.contains("</script><script>alert(1)"), "{prompt}");
    assert!(!page.contains("alert(1)</script>"));
}

#[test]
fn a_page_is_written_to_the_named_file() {
    let repository = Repository::new(HOSTILE);
    let file = repository.dir.path().join("out.html");
    let file = file.to_str().unwrap();
    let run = repository.run(&["context", "b.py:3", "--html", file]);
    assert_eq!((run.code, run.out.as_str()), (0, ""));
    assert_eq!(data(&std::fs::read_to_string(file).unwrap())["path"], "b.py");
    repository.run(&["context", "b.py:3", "--html", "no/such/dir.html"]).fails(2, &["no/such"]);
}

const SHOP: &str = "
//- shop/stock.py
def take(stock, name, count):
    stock[name] -= count
    return stock[name]
//- shop/cart.py
from shop.stock import take

def add(cart, stock, name):
    return take(stock, name, 1)
//- shop/notes.md
# Notes
//- .gitignore
*.log
//- shop/old.log
nothing
//- .env
KEY=1
";

/// A running `foreword serve`, stopped on drop.
pub(crate) struct Server {
    child: Child,
    pub(crate) address: String,
    repository: Repository,
}

impl Server {
    fn new(args: &[&str]) -> Self {
        Self::of(Repository::new(SHOP), args)
    }

    /// With a chat model.
    fn with_model(model: &Stub) -> Self {
        let repository = Repository::new(SHOP);
        repository.configure_chat(&model.url);
        Self::of(repository, &["--patience", "60000"])
    }

    pub(crate) fn of(repository: Repository, args: &[&str]) -> Self {
        // Git's ignore files apply in its repositories only.
        repository.git(&["init", "-q"]);
        let mut command =
            repository.command(&["serve", "--port", "0", "-q", "--least-confidence", "0"]);
        let mut child = command.args(args).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("http://").expect("an address").to_owned();
        Self { child, address, repository }
    }

    /// The status and the whole response, headers included.
    pub(crate) fn ask(&self, head: &str, body: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        self.send(&mut stream, head, body);
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        (answer.split(' ').nth(1).unwrap().parse().unwrap(), answer)
    }

    fn send(&self, stream: &mut TcpStream, head: &str, body: &str) {
        let (host, n) = (&self.address, body.len());
        write!(
            stream,
            "{head}\r\nhost: {host}\r\nconnection: close\r\ncontent-length: {n}\r\n\r\n{body}"
        )
        .unwrap();
    }

    fn get(&self, path: &str) -> Value {
        let (status, answer) = self.ask(&format!("GET {path} HTTP/1.1"), "");
        assert_eq!(status, 200, "{answer}");
        body(&answer)
    }

    /// The status and the message of an error.
    fn refusal(&self, path: &str) -> (u16, String) {
        let (status, answer) = self.ask(&format!("GET {path} HTTP/1.1"), "");
        (status, body(&answer)["error"]["message"].as_str().unwrap().to_owned())
    }

    fn replay(&self, asked: &Value) -> (u16, Value) {
        let (status, answer) = self.ask("POST /api/replay HTTP/1.1", &asked.to_string());
        (status, body(&answer))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

pub(crate) fn body(answer: &str) -> Value {
    serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap()
}

#[test]
fn the_page_is_cached_and_not_framed() {
    let server = Server::new(&[]);
    let (status, page) = server.ask("GET / HTTP/1.1", "");
    assert_eq!(status, 200);
    assert!(page.contains("frame-ancestors 'none'") && page.contains("<div id=\"app\">"));
    let tag = page.lines().find_map(|it| it.strip_prefix("etag: ")).unwrap();
    let (status, _) = server.ask(&format!("GET / HTTP/1.1\r\nif-none-match: {tag}"), "");
    assert_eq!(status, 304);
}

#[test]
fn a_token_protects_the_data_but_not_the_page() {
    let server = Server::new(&["--token", "sesame"]);
    assert_eq!(server.ask("GET / HTTP/1.1", "").0, 200);
    for path in ["settings", "index", "files", "ignored", "map", "context?file=a&line=1"] {
        assert_eq!(server.refusal(&format!("/api/{path}")).0, 401, "{path}");
    }
    let shown = "GET /api/settings HTTP/1.1\r\nauthorization: Bearer sesame";
    assert_eq!(server.ask(shown, "").0, 200);
}

#[test]
fn requests_of_other_sites_are_refused() {
    let server = Server::new(&[]);
    let foreign = "GET /api/index HTTP/1.1\r\norigin: http://evil.example";
    assert_eq!(server.ask(foreign, "").0, 403);
}

#[test]
fn a_position_is_explained_and_replayed_with_other_settings() {
    let server = Server::new(&[]);
    let trace = server.get("/api/context?file=shop/cart.py&line=4");
    assert_eq!((trace["line"].as_u64(), trace["column"].as_u64()), (Some(4), Some(32)));
    assert!(trace["fresh"].as_bool().unwrap());
    let by = |trace: &Value, signal: &str| {
        let pieces = trace["pieces"].as_array().unwrap().clone();
        pieces
            .iter()
            .any(|it| it["ranks"].as_array().unwrap().iter().any(|it| it["signal"] == signal))
    };
    assert!(by(&trace, "symbol") && by(&trace, "lexical"));
    let asked = json!({
        "file": "shop/cart.py", "line": 4, "format": "starcoder2", "budget": 700,
        "weights": { "symbol": 0.0 },
    });
    let (status, other) = server.replay(&asked);
    assert_eq!(status, 200, "{other}");
    assert_eq!(other["settings"]["format"], "starcoder2");
    assert_eq!(other["settings"]["budget"], 700);
    assert!(by(&other, "lexical") && !by(&other, "symbol"));
    assert_ne!(other["settings"]["fingerprint"], trace["settings"]["fingerprint"]);
}

#[test]
fn a_request_is_replayed_with_what_its_client_sent() {
    let server = Server::new(&["--patience", "60000"]);
    let asked = json!({
        "input_prefix": "from shop.stock import take\n\ndef add(cart, stock, name):\n    return take(",
        "input_suffix": "\n",
        "input_extra": [{ "filename": "ring.py", "text": "def ring(one):\n    two = one\n    return two\n" }],
    });
    let (status, answer) = server.ask("POST /infill HTTP/1.1", &asked.to_string());
    assert_eq!(status, 200, "{answer}");
    let id = answer.lines().find_map(|it| it.strip_prefix("x-foreword-request: ")).unwrap();
    let kept = server.get(&format!("/api/requests/{id}"));
    assert_eq!(kept["place"]["path"], "shop/cart.py", "{kept}");
    let (status, again) = server.replay(&json!({ "request": id, "budget": 4096 }));
    assert_eq!(status, 200, "{again}");
    assert_eq!(again["segments"], kept["trace"]["segments"]);
    assert_eq!(again["answer"], kept["answer"]);
    let (_, other) = server.replay(&json!({ "request": id, "format": "starcoder2" }));
    assert_eq!(other["settings"]["format"], "starcoder2");
    let is_ring =
        |it: &Value| it["source"] == "client" && it["text"].as_str().unwrap().contains("ring");
    assert!(other["segments"].as_array().unwrap().iter().any(is_ring), "{other}");
    let (status, gone) = server.replay(&json!({ "request": "nobody" }));
    assert_eq!(status, 404, "{gone}");
}

#[test]
fn what_cannot_be_replayed_says_why() {
    let server = Server::new(&[]);
    let place = |more: Value| {
        let mut asked = json!({ "file": "shop/cart.py", "line": 4 });
        asked.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let (status, answer) = server.replay(&asked);
        (status, answer["error"]["message"].as_str().unwrap().to_owned())
    };
    for (more, status, says) in [
        (json!({ "format": "gpt-99" }), 400, "gpt-99"),
        (json!({ "budget": 3 }), 400, "3 tokens"),
        (json!({ "weights": { "magic": 1 } }), 400, "lexical, symbol"),
        (json!({ "weights": { "graph": -1 } }), 400, "from 0 to 10"),
        (json!({ "line": 99 }), 400, "has 5 lines"),
        (json!({ "file": "../../etc/passwd" }), 404, "not in the index"),
        (json!({ "file": ".env" }), 404, "not in the index"),
        (json!({ "workspace": "/etc" }), 404, "no workspace /etc"),
        (json!({ "surprise": 1 }), 400, "surprise"),
    ] {
        let (has, message) = place(more.clone());
        assert_eq!(has, status, "{more}: {message}");
        assert!(message.contains(says), "{more}: {message}");
    }
}

#[test]
fn the_index_lists_files_and_the_rules_that_exclude_the_rest() {
    let server = Server::new(&[]);
    let index = server.get("/api/index");
    assert_eq!((index["files"].as_u64(), index["fresh"].as_bool()), (Some(4), Some(true)));
    let files = server.get("/api/files?language=python&limit=1");
    assert_eq!((files["total"].as_u64(), files["files"].as_array().unwrap().len()), (Some(2), 1));
    assert_eq!(server.get("/api/files?filter=stock")["files"][0]["path"], "shop/stock.py");
    let ignored = server.get("/api/ignored?filter=log");
    assert_eq!(ignored["paths"][0]["path"], "shop/old.log");
    assert!(ignored["paths"][0]["reason"].as_str().unwrap().contains("*.log"), "{ignored}");
    let secret = server.get("/api/ignored?code=secret");
    assert_eq!((secret["total"].as_u64(), &secret["paths"][0]["path"]), (Some(1), &json!(".env")));
}

#[test]
fn the_map_has_files_and_the_references_between_them() {
    let map = Server::new(&[]).get("/api/map");
    let path = |at: &Value| map["files"][at.as_u64().unwrap() as usize]["path"].clone();
    let edge = &map["edges"][0];
    let edge = (path(&edge["user"]), path(&edge["definer"]));
    assert_eq!(edge, (json!("shop/cart.py"), json!("shop/stock.py")));
}

#[test]
fn the_page_works_in_a_browser() {
    let test = "inspector::the_page_works_in_a_browser";
    let chromium = std::env::var("FOREWORD_CHROMIUM").unwrap_or_default();
    if chromium.is_empty() {
        return skipped(test, "FOREWORD_CHROMIUM is not set; see ci/page/chromium");
    }
    let Some(node) = installed(test, "page/node") else { return };
    // This crate's sources are enough to fill every view.
    let code = Path::new(env!("CARGO_MANIFEST_DIR")).to_str().unwrap();
    let place = "src/serve/complete.rs:62";
    let server = Server::new(&["--here", "--workspace", code, "--patience", "60000"]);
    let locked = ["--here", "--workspace", code, "--patience", "0", "--token", "sesame"];
    let locked = Server::new(&locked);
    let model = ask::scripted();
    let asking = Server::with_model(&model);
    let planned = plans::planned();
    let page = server.repository.dir.path().join("page.html");
    let page = page.to_str().unwrap();
    let of = format!("{code}/{place}");
    server.repository.run(&["context", &of, "-C", code, "--here", "--html", page]);
    let output = Command::new(node)
        .current_dir(target().join("page"))
        .args(["test/browse.mjs", &chromium])
        .args([&server, &locked, &asking, &planned].map(|it| format!("http://{}", it.address)))
        .args([code, page, place, "screens"])
        .output()
        .unwrap();
    let run = Run::of(&output);
    assert!(run.code == 0 && run.out.contains("ok: "), "{}\n{}", run.out, run.err);
}
