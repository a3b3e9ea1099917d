//! A real llama.cpp server (PyPI's xllamacpp, by `ci/python`) with a tiny model of random weights that the script makes.
//! What the model writes is noise; what the server evaluates must be the prompt that was composed.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::{Repository, target};

/// A server; it ends when this goes.
pub(crate) struct Llama {
    process: Child,
    port: u16,
}

impl Llama {
    /// Starts one; `None`, with a word on stderr, where what it needs is not installed.
    pub(crate) fn new(test: &str, dir: &Path, model: &str) -> Option<Self> {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let mut command = script(test)?;
        command.arg(dir.join(model)).arg(port.to_string());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = command.spawn().unwrap();
        let mut said = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut said).unwrap();
        let res = Self { process, port };
        if said.starts_with("missing") {
            skipped(test, &format!("{}: run ci/python again", said.trim()));
            return None;
        }
        assert_eq!(said, "ready\n");
        Some(res)
    }

    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// The prompt that was evaluated last.
    pub(crate) fn evaluated(&self) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        let request = "GET /slots HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let answer = String::from_utf8_lossy(&answer);
        let (_, body) = answer.split_once("\r\n\r\n").unwrap();
        let slots: Value = serde_json::from_str(body).unwrap_or_else(|_| panic!("{body}"));
        slots[0]["prompt"].as_str().unwrap_or_else(|| panic!("{slots}")).to_owned()
    }
}

impl Drop for Llama {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// What makes models and serves them; `None`, with a word on stderr, where it is not installed.
pub(crate) fn script(test: &str) -> Option<Command> {
    let python = target().join("python/bin/python");
    if !python.exists() {
        skipped(test, "run ci/python first");
        return None;
    }
    let mut res = Command::new(&python);
    res.arg(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/it/llama_cpp.py"));
    Some(res)
}

fn skipped(test: &str, why: &str) {
    crate::skipped(&format!("llama_cpp::{test}"), why);
}

pub(crate) const SHOP: &str = "
//- shop/cart.py
def add(cart, item):
    check(cart, '<|fim_middle|>')
    cart.items.append(item)
//- shop/stock.py
from shop.cart import add

def restock(cart, item):
    cart.items

print('é日本')
";

#[test]
fn the_prompt_that_is_evaluated_is_the_one_that_was_composed() {
    let test = "the_prompt_that_is_evaluated_is_the_one_that_was_composed";
    let shop = Repository::new(SHOP);
    let Some(llama) = Llama::new(test, shop.dir.path(), "qwen2.5-coder-tiny.gguf") else { return };
    let url = llama.url();
    let ask = |more: &[&str]| {
        let args =
            ["complete", "shop/stock.py:4", "--model-url", &url, "--json", "--max-tokens", "6"];
        shop.run(&[&args, more].concat())
    };
    // Noise may be cut down to nothing, which is exit code 1.
    let run = ask(&[]);
    assert!(run.code <= 1, "{run:?}");
    let answer: Value = serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{run:?}"));
    assert!(answer["model"].as_str().unwrap().contains("(llama.cpp)"), "{answer}");
    let composed = shop.run(&["context", "shop/stock.py:4", "--prompt"]).out;
    assert!(composed.contains("def add(cart, item)") && composed.contains("é日本"), "{composed}");
    assert_eq!(llama.evaluated(), composed);
    // By way of OpenAI's interface too, and the server's own format says what is lost by it.
    assert!(ask(&["--model-api", "openai"]).code <= 1);
    assert_eq!(llama.evaluated(), composed);
    assert!(ask(&["--model-api", "llama.cpp-infill"]).code <= 1);
    let infill = llama.evaluated();
    assert!(infill.contains("<|repo_name|>myproject") && infill.contains("def add(cart, item)"));
}

#[test]
fn a_model_without_the_tokens_of_its_format_is_refused() {
    let test = "a_model_without_the_tokens_of_its_format_is_refused";
    let shop = Repository::new(SHOP);
    let Some(llama) = Llama::new(test, shop.dir.path(), "tiny.gguf") else { return };
    let url = llama.url();
    let ask = |more: &[&str]| {
        shop.run(&[&["complete", "shop/stock.py:4", "--model-url", &url], more].concat())
    };
    ask(&[]).fails(2, &["tiny.gguf", "--model-api chat", "garbage"]);
    ask(&["--model", "starcoder2"]).fails(2, &["<fim_", "starcoder2", &url]);
}
