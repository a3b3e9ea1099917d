//! No run shows a model, or measures with, what its task has removed.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

/// A line of the removed function.
const REMOVED: &str = "lowered_price";

const PRICES: &str = "def full_price(item, count):\n    total = item.price * count\n    return total\n\n\n\
    def take_discount(item, count, rate):\n    lowered_price = full_price(item, count) * rate\n    \
    return round(lowered_price, 2)\n\n\ndef show_price(item):\n    shown = full_price(item, 1)\n    return str(shown)\n";

const CART: &str = "from shop.prices import full_price, take_discount\n\n\ndef sum_up(items):\n    \
    return sum(full_price(it, 1) for it in items)\n\n\ndef sell(items):\n    take_discount(items[0], 1, 0.9)\n    \
    return sum_up(items)\n";

/// A repository of which functions are removed, and a model that records what it is shown.
struct Shop {
    dir: tempfile::TempDir,
    url: String,
    bodies: Arc<Mutex<Vec<String>>>,
}

impl Shop {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("work");
        for (path, text) in [("shop/prices.py", PRICES), ("shop/cart.py", CART)] {
            let path = root.join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        git(&root, &["init", "--quiet", "--initial-branch=main"]);
        git(&root, &["add", "--all"]);
        git(&root, &["-c", "user.name=n", "-c", "user.email=e@x", "commit", "--quiet", "-m", "m"]);
        let git_dir = dir.path().join("own+shop/repo");
        std::fs::create_dir(dir.path().join("own+shop")).unwrap();
        std::fs::rename(root.join(".git"), &git_dir).unwrap();
        let bodies = Arc::new(Mutex::new(Vec::new()));
        let url = serve(&bodies);
        let res = Self { dir, url, bodies };
        let tasks = res.path("tasks.jsonl");
        let git_dir = git_dir.display().to_string();
        let of = ["remove", "--git-dir", &git_dir, "--repo", "own/shop", "--out", &tasks];
        run(&of);
        res.only_discount();
        res
    }

    fn path(&self, name: &str) -> String {
        self.dir.path().join(name).display().to_string()
    }

    /// Keeps the task of one function, with a question for `ask`.
    fn only_discount(&self) {
        let file = self.path("tasks.jsonl");
        let text = std::fs::read_to_string(&file).unwrap();
        let mut rows = text.lines().map(|it| serde_json::from_str::<Value>(it).unwrap());
        let mut task = rows.find(|it| it["meta"]["function"] == "take_discount").unwrap();
        task["query_text"] = json!("how is a discount taken from a price?");
        let kind = "cross_file_definition";
        task["relevant"] = json!([
            { "path": "shop/cart.py", "start_line": 1, "end_line": 2, "kind": kind }
        ]);
        std::fs::write(file, format!("{task}\n")).unwrap();
    }

    /// Runs a command over the task; nothing may fail.
    fn asked(&self, args: &[&str]) -> String {
        let (tasks, dirs) = (self.path("tasks.jsonl"), self.path(""));
        let text = run(&[args, &["--tasks", &tasks, "--git-dirs", &dirs]].concat());
        assert!(text.contains("1 tasks asked, none left out"), "{args:?}: {text}");
        text
    }

    /// What the model was shown by a command.
    fn shown(&self, args: &[&str]) -> String {
        self.bodies.lock().unwrap().clear();
        self.asked(args);
        let shown = self.bodies.lock().unwrap().join("\n");
        assert!(shown.contains("full_price"), "{args:?}: the model was shown nothing: {shown}");
        shown
    }
}

/// Runs `foreword-evaluate`.
fn run(args: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_foreword-evaluate"));
    let output = command.args(args).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{args:?}: {said}");
    String::from_utf8(output.stdout).unwrap()
}

pub(super) fn git(root: &Path, args: &[&str]) {
    let done = Command::new("git").arg("-C").arg(root).args(args).output().unwrap();
    assert!(done.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&done.stderr));
}

/// Serves a model that calls every tool and then answers nothing; returns the address.
fn serve(bodies: &Arc<Mutex<Vec<String>>>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let seen = Arc::clone(bodies);
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let (path, body) = request(&stream);
            let (kind, answer) = match path.as_str() {
                "/v1/models" => {
                    ("application/json", json!({ "data": [{ "id": "qwen2.5-coder" }] }).to_string())
                }
                "/v1/chat/completions" => ("text/event-stream", chat(&body)),
                _ => {
                    let choice = json!({ "text": "    pass\n", "finish_reason": "stop" });
                    ("application/json", json!({ "choices": [choice] }).to_string())
                }
            };
            seen.lock().unwrap().push(body);
            reply(stream, kind, &answer);
        }
    });
    url
}

/// The next tool call, as many as there are results in the request; then an empty answer.
fn chat(body: &str) -> String {
    let body: Value = serde_json::from_str(body).unwrap_or_default();
    let messages = body["messages"].as_array().cloned().unwrap_or_default();
    let n = messages.iter().filter(|it| it["role"] == "tool").count();
    let calls = [
        ("read", json!({ "path": "shop/prices.py", "start_line": 1 })),
        ("search", json!({ "query": "take_discount lowered_price" })),
        ("symbols", json!({ "path": "shop/prices.py" })),
        ("symbols", json!({ "name": "take_discount" })),
        ("read", json!({ "path": "shop/cart.py", "start_line": 1 })),
    ];
    let delta = match calls.get(n).filter(|_| body["tools"].is_array()) {
        Some((name, arguments)) => {
            let function = json!({ "name": name, "arguments": arguments.to_string() });
            json!({ "tool_calls": [{ "index": 0, "id": format!("c{n}"), "function": function }] })
        }
        None => json!({ "content": "{\"blocks\": [], \"functions\": []}" }),
    };
    let is_call = delta["tool_calls"].is_array();
    let end = if is_call { "tool_calls" } else { "stop" };
    let event = json!({ "choices": [{ "delta": delta, "finish_reason": end }] });
    format!("data: {event}\n\ndata: [DONE]\n\n")
}

pub(super) fn request(stream: &TcpStream) -> (String, String) {
    let mut reader = BufReader::new(stream);
    let (mut path, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).unwrap_or(0) == 0 || line.trim().is_empty() {
            break;
        }
        if path.is_empty() {
            line.split(' ').nth(1).unwrap_or_default().clone_into(&mut path);
        } else if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    (path, String::from_utf8(body).unwrap())
}

pub(super) fn reply(mut stream: TcpStream, kind: &str, answer: &str) {
    let length = answer.len();
    let head = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n"
    );
    let _ = stream.write_all(format!("{head}{answer}").as_bytes());
}

#[test]
fn a_planner_never_sees_a_removed_line() {
    let shop = Shop::new();
    let transcripts = shop.path("transcripts");
    let shown = shop.shown(&[
        "speculate",
        "--agents",
        &shop.url,
        "--agents-api",
        "openai",
        "--transcripts",
        &transcripts,
        "--budget",
        "1000",
    ]);
    assert!(shown.contains("You foretell") && shown.contains("show_price"), "{shown}");
    assert!(!shown.contains(&format!("{REMOVED} =")), "{shown}");
}

#[test]
fn a_model_that_completes_or_answers_never_sees_a_removed_line() {
    let shop = Shop::new();
    let cache = shop.path("cache");
    let context = [
        "context",
        "--model",
        &shop.url,
        "--model-api",
        "openai",
        "--cache",
        &cache,
        "--budget",
        "1000",
    ];
    assert!(!shop.shown(&context).contains(REMOVED));
    let ask = ["ask", "--chat", &shop.url, "--answer"];
    assert!(!shop.shown(&ask).contains(&format!("{REMOVED} =")));
}

#[test]
fn a_removed_function_is_no_duplicate_and_its_later_state_gives_it_away() {
    let shop = Shop::new();
    let text = shop.asked(&["forecasts", "--budget", "1000"]);
    assert!(text.contains("true, rejected 0 of 1"), "{text}");
    let json = shop.path("leakage.json");
    shop.asked(&["leakage", "--budget", "1000", "--json", &json]);
    let table: Value = serde_json::from_str(&std::fs::read_to_string(json).unwrap()).unwrap();
    let series = table["groups"][0]["series"].as_array().unwrap();
    let of = |at: usize| series[at]["points"][0]["lines"]["mean"].as_f64().unwrap();
    assert!(of(0) < f64::EPSILON, "{table}");
    assert!(of(2) > 0.9, "{table}");
}
