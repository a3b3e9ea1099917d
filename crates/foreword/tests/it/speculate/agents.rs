//! `foreword speculate` with a model that follows its instructions: plans, replays, budgets, and continued runs.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::llama_cpp::Llama;
use crate::serve::stub::{Ending, Stub, StubResponse};
use crate::{Repository, Run, foreword};

pub(super) const SHOP: &str = super::SHOP;

/// A chat model, and a repository whose user has configured it.
pub(crate) struct Shop {
    pub(crate) stub: Stub,
    pub(crate) repository: Repository,
}

impl Shop {
    pub(crate) fn new(answer: impl Fn(&Value) -> StubResponse + Send + Sync + 'static) -> Self {
        Self::of(SHOP, answer)
    }

    pub(super) fn of(
        fixture: &str,
        answer: impl Fn(&Value) -> StubResponse + Send + Sync + 'static,
    ) -> Self {
        let stub = Stub::new(move |path, body| match path {
            "/v1/chat/completions" => answer(body),
            _ => StubResponse::json(&json!({ "data": [{ "id": "scripted" }] })),
        });
        let repository = Repository::new(fixture);
        let res = Self { stub, repository };
        res.configure("timeout_ms = 8000\nprompt_price = 1.0\nanswer_price = 2.0\n");
        res
    }

    pub(super) fn configure(&self, more: &str) {
        let url = &self.stub.url;
        let text = format!("url = '{url}'\napi = 'openai'\nmodel = 'scripted'\n{more}");
        configure(&self.repository, &text);
    }

    /// Runs `speculate`.
    pub(crate) fn run(&self, more: &[&str]) -> Run {
        self.repository.run(&[&["speculate"], more].concat())
    }

    /// The same with `--json`.
    pub(crate) fn json(&self, more: &[&str]) -> Value {
        self.repository.json(&[&["speculate", "--json"], more].concat())
    }

    pub(super) fn asked(&self) -> Vec<Value> {
        self.stub.requests_to("/v1/chat/completions")
    }
}

fn configure(repository: &Repository, chat: &str) {
    let home = repository.index().with_file_name("home").join("config/foreword");
    std::fs::create_dir_all(&home).unwrap();
    std::fs::write(home.join("config.toml"), format!("[models.chat]\n{chat}")).unwrap();
}

/// A whole answer with a text.
pub(crate) fn said(text: &str) -> StubResponse {
    let delta = json!({ "choices": [{ "delta": { "content": text }, "finish_reason": "stop" }] });
    let usage =
        json!({ "choices": [], "usage": { "prompt_tokens": 100, "completion_tokens": 10 } });
    let events = [delta, usage].map(|it| format!("data: {it}\n\n"));
    StubResponse::stream("text/event-stream", &events)
}

/// An answer that calls a tool.
pub(crate) fn calls(name: &str, arguments: &Value) -> StubResponse {
    let function = json!({ "name": name, "arguments": arguments.to_string() });
    let call = json!([{ "index": 0, "id": "c1", "function": function }]);
    let delta =
        json!({ "choices": [{ "delta": { "tool_calls": call }, "finish_reason": "tool_calls" }] });
    StubResponse::stream("text/event-stream", &[format!("data: {delta}\n\ndata: [DONE]\n\n")])
}

/// Whether the request is the retriever's.
pub(crate) fn is_retriever(body: &Value) -> bool {
    body["messages"][0]["content"].as_str().unwrap().starts_with("You prepare")
}

/// The file that the request is about.
pub(crate) fn file_of(body: &Value) -> String {
    let text = body["messages"][1]["content"].as_str().unwrap();
    let line = text.lines().find_map(|it| it.strip_prefix("File: ")).unwrap();
    line.split(',').next().unwrap().to_owned()
}

/// The results of tools in a request.
pub(crate) fn results(body: &Value) -> Vec<String> {
    let messages = body["messages"].as_array().unwrap().iter();
    let results = messages.filter(|it| it["role"] == "tool");
    results.map(|it| it["content"].as_str().unwrap().to_owned()).collect()
}

/// Reads the other file, chooses its first function, and forecasts one for the cart.
pub(crate) fn good(body: &Value) -> StubResponse {
    let is_cart = file_of(body) == "shop/cart.py";
    let other = if is_cart { "shop/store.py" } else { "shop/cart.py" };
    if !is_retriever(body) {
        return said(&if is_cart { forecast() } else { json!({ "functions": [] }) }.to_string());
    }
    if results(body).is_empty() {
        return calls("read", &json!({ "path": other, "start_line": 1 }));
    }
    let block =
        json!({ "path": other, "start_line": 1, "end_line": 7, "reason": "opens the store" });
    said(&json!({ "blocks": [block] }).to_string())
}

/// The forecast of `good` for the cart.
pub(crate) fn forecast() -> Value {
    let evidence =
        json!([{ "path": "shop/cart.py", "start_line": 4, "end_line": 5, "what": "saves" }]);
    let code = "\n\ndef drop_cart(path):\n    handle = open_store(path)\n    close_store(handle)\n";
    let function = json!({ "name": "drop_cart", "code": code, "insert_before_line": 13, "evidence": evidence });
    json!({ "functions": [function] })
}

#[test]
fn a_model_explores_chooses_and_forecasts() {
    let shop = Shop::new(good);
    let summary = shop.json(&[]);
    assert_eq!((&summary["planned"], &summary["left"]), (&2.into(), &0.into()), "{summary}");
    assert_eq!(summary["cost"]["requests"], 6);
    assert!(summary["cost"]["usd"].as_f64().unwrap() > 480.0 / 1e6, "{summary}");
    let asked = shop.asked();
    let names = asked[0]["tools"].as_array().unwrap().iter().map(|it| &it["function"]["name"]);
    let names: Vec<&str> = names.map(|it| it.as_str().unwrap()).collect();
    assert_eq!(names, ["search", "symbols", "read", "list", "log"]);
    assert!(results(&asked[1])[0].contains("1| "), "{}", asked[1]);
    let context = ["context", "shop/cart.py:7", "--json", "--mix"];
    let only = shop.repository.json(&[&context[..], &["9+3"]].concat());
    let pieces = only["pieces"].as_array().unwrap();
    let block = pieces.iter().find(|it| it["path"] == "shop/store.py").unwrap();
    assert!(block["reasons"][0].as_str().unwrap().contains("said by the model: opens the store"));
    let forecast = pieces.iter().find(|it| it["form"] == "forecast").unwrap();
    assert!(forecast["reasons"][0].as_str().unwrap().contains("forecast"), "{forecast}");
    let blocks = shop.repository.json(&[&context[..], &["12+0"]].concat());
    assert!(blocks["pieces"].as_array().unwrap().iter().all(|it| it["form"] != "forecast"));
    let status = shop.repository.json(&["status", "--json"])["plans"].clone();
    assert_eq!(
        (&status["model"], &status["current"], &status["requests"]),
        (&"scripted".into(), &2.into(), &6.into()),
        "{status}"
    );
    assert!(status["age_s"].as_u64().unwrap() < 60 && status["usd"].as_f64().unwrap() > 0.0);
}

#[test]
fn forecasts_are_in_no_answer_that_does_not_use_plans() {
    let shop = Shop::new(good);
    let answers = || {
        [
            &["context", "shop/cart.py:7", "--prompt", "--mix", "live+0"][..],
            &["search", "drop_cart", "--brief"],
            &["ask", "where is a cart dropped?", "--evidence", "--without-model"],
            &["symbols", "drop_cart"],
        ]
        .map(|it| shop.repository.run(it).out)
    };
    let before = answers();
    shop.run(&[]);
    assert_eq!(answers(), before);
}

#[test]
fn nothing_is_asked_twice_and_an_edit_asks_for_what_depends_on_it_alone() {
    let shop = Shop::new(good);
    shop.run(&[]);
    let n = shop.asked().len();
    assert_eq!(shop.json(&[])["planned"], 0);
    assert_eq!(shop.json(&["shop/cart.py"])["stored"], true);
    assert_eq!(shop.asked().len(), n);
    shop.repository.write("alone.py", "def alone():\n    return 1\n");
    let more = shop.json(&[]);
    assert_eq!(more["planned"], 1, "{more}");
    assert!(shop.asked()[n..].iter().all(|it| file_of(it) == "alone.py"));
    // Another model's plans are others.
    shop.configure("max_tokens = 1000\n");
    assert_eq!(shop.json(&["--dry-run"])["left"], 3);
}

#[test]
fn a_replay_asks_nobody_and_makes_the_same_plan() {
    let shop = Shop::new(good);
    shop.run(&[]);
    let n = shop.asked().len();
    let replay = ["shop/cart.py", "--replay"];
    let first = shop.json(&replay);
    assert_eq!(first["stored"], true, "{first}");
    assert_eq!(first["run"]["requests"], 0);
    assert_eq!(shop.json(&replay), first);
    assert_eq!(shop.asked().len(), n);
    shop.run(&["--replay"]).fails(2, &["--replay", "name the file"]);
    // The tools would answer something else now.
    let store = shop.repository.root().join("shop/store.py");
    std::fs::write(&store, "def open_store(path):\n    return None\n").unwrap();
    shop.run(&replay).fails(3, &["shop/cart.py", "differs at request", "plan the file again"]);
    shop.repository.write("shop/cart.py", "def save_cart():\n    pass\n");
    shop.run(&replay).fails(3, &["shop/cart.py", "another text of the file"]);
}

#[test]
fn a_dry_run_says_what_it_would_cost_and_sends_no_code() {
    let shop = Shop::new(good);
    let dry = shop.json(&["--dry-run"]);
    assert_eq!(
        (&dry["left"], &dry["planned"], &dry["likely"]),
        (&2.into(), &0.into(), &Value::Null)
    );
    assert!(dry["at_most"]["usd"].as_f64().unwrap() > 0.0, "{dry}");
    assert_eq!(shop.asked(), [Value::Null; 0]);
    let text = shop.run(&["--dry-run"]).out;
    assert!(
        text.contains("2 files would be planned by scripted") && text.contains("usd"),
        "{text}"
    );
}

#[test]
fn a_run_costs_no_more_than_its_budget_and_the_next_one_goes_on() {
    let shop = Shop::new(good);
    let spent = |it: &Value| {
        let cost = &it["cost"];
        cost["prompt_tokens"].as_u64().unwrap() + cost["answer_tokens"].as_u64().unwrap()
    };
    shop.configure("max_tokens = 500\nprompt_price = 1.0\nanswer_price = 2.0\n");
    let small = shop.json(&["--budget", "4kt"]);
    assert!(small["stopped"].as_str().unwrap().contains("4000 tokens"), "{small}");
    assert!(spent(&small) <= 4000 && small["left"].as_u64().unwrap() > 0, "{small}");
    let none = shop.run(&["--budget", "0.000001usd"]);
    assert_eq!(none.code, 1);
    assert!(none.out.contains("usd); the next run goes on"), "{none:?}");
    let hourly = shop.run(&["--hourly", "1kt"]);
    assert!(hourly.out.contains("budget of an hour") && hourly.out.contains("min"), "{hourly:?}");
    let n = shop.asked().len();
    let rest = shop.json(&["--budget", "10m,500kt,1usd"]);
    assert_eq!((&rest["left"], &rest["stopped"]), (&0.into(), &Value::Null), "{rest}");
    // Six requests in all: none was made twice.
    assert!(n < 6 && shop.asked().len() == 6, "{n}, then {}", shop.asked().len());
    shop.run(&["--budget", "soon"]).fails(2, &["--budget soon", "500kt"]);
    shop.configure("hourly = '3 fish'\n");
    shop.run(&[]).fails(2, &["models.chat.hourly 3 fish", "500kt"]);
}

#[test]
fn a_paused_run_makes_no_request_until_it_is_resumed() {
    let shop = Shop::new(good);
    assert_eq!(shop.run(&["--pause"]).code, 0);
    let paused = shop.run(&[]);
    assert!(paused.code == 1 && paused.out.contains("--resume"), "{paused:?}");
    assert_eq!(shop.asked(), [Value::Null; 0]);
    assert_eq!(shop.json(&["--resume"])["planned"], 2);
}

#[test]
fn what_is_edited_now_is_planned_first() {
    let shop = Shop::of(&format!("{SHOP}//- zebra.py\ndef zebra():\n    return 1\n"), good);
    shop.repository.git(&["init", "-q"]);
    shop.repository.git(&["add", "."]);
    shop.repository.git(&["commit", "-qm", "all"]);
    shop.repository.write("zebra.py", "def zebra():\n    return 2\n");
    shop.run(&[]);
    assert_eq!(file_of(&shop.asked()[0]), "zebra.py");
}

#[test]
fn a_killed_run_goes_on_where_it_was() {
    let seen = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&seen);
    // The third request hangs, once.
    let shop = Shop::new(move |body| match count.fetch_add(1, Ordering::SeqCst) {
        2 => StubResponse::stream("text/event-stream", &[]).end(Ending::Hangs),
        _ => good(body),
    });
    let mut command = shop.repository.command(&["speculate", "--quiet"]);
    let mut run = command.spawn().unwrap();
    let start = Instant::now();
    while seen.load(Ordering::SeqCst) < 3 {
        assert!(start.elapsed() < Duration::from_mins(1));
        std::thread::sleep(Duration::from_millis(20));
    }
    // On Unix this is SIGKILL.
    run.kill().unwrap();
    run.wait().unwrap();
    assert_eq!(shop.json(&[])["left"], 0);
    // Six answers are needed; the third request was made again, and no other.
    let asked = shop.asked();
    assert_eq!(asked.len(), 7);
    assert_eq!(asked[2], asked[3]);
}

#[test]
fn files_that_vanish_and_branches_that_change_while_a_model_thinks_are_no_fault() {
    let root: Arc<Mutex<Option<std::path::PathBuf>>> = Arc::default();
    let place = Arc::clone(&root);
    let shop = Shop::new(move |body| {
        if let Some(root) = place.lock().unwrap().take() {
            std::fs::remove_file(root.join("shop/store.py")).unwrap();
            std::fs::write(root.join("shop/new.py"), "def fresh():\n    return 1\n").unwrap();
        }
        good(body)
    });
    *root.lock().unwrap() = Some(shop.repository.root());
    let summary = shop.json(&[]);
    assert_eq!((&summary["left"], &summary["stopped"]), (&1.into(), &Value::Null), "{summary}");
    let planned: Vec<&str> = summary["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["path"].as_str().unwrap())
        .collect();
    assert_eq!(planned, ["shop/cart.py", "shop/new.py"]);
    // Its plan cites a file that is gone; the next run makes it anew.
    assert_eq!(shop.json(&[])["left"], 0);
}

#[test]
fn two_processes_at_once_ask_no_more_than_one() {
    let shop = Shop::new(good);
    shop.repository.run(&["index"]);
    let start = || {
        let mut command = foreword(&shop.repository.root(), &shop.repository.index());
        command.args(["speculate", "--quiet"]).spawn().unwrap()
    };
    for mut run in [start(), start(), start()] {
        assert!(run.wait().unwrap().code().is_some_and(|it| it < 2));
    }
    assert_eq!(shop.json(&[])["left"], 0);
    assert_eq!(shop.asked().len(), 6);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_ends_the_run_before_more_is_paid_for() {
    let shop = Shop::new(good);
    shop.repository.run(&["index"]);
    let program = env!("CARGO_BIN_EXE_foreword");
    let script = format!("trap '' XFSZ; ulimit -f 0; exec {program} --stale speculate");
    let command = foreword(&shop.repository.root(), &shop.repository.index());
    let given: Vec<_> =
        command.get_envs().filter_map(|it| Some((it.0.to_owned(), it.1?.to_owned()))).collect();
    let mut command = std::process::Command::new("bash");
    let output =
        command.args(["-c", &script]).envs(given).current_dir(shop.repository.root()).output();
    let run = Run::of(&output.unwrap());
    assert!(run.code >= 2, "{run:?}");
    assert!(shop.asked().len() <= 1);
    assert_eq!(shop.json(&[])["left"], 0);
}

#[test]
fn without_a_model_the_remedy_is_named() {
    let repository = Repository::new(SHOP);
    repository.run(&["speculate"]).fails(2, &["[models.chat]", "url"]);
}

/// A real llama.cpp server with a model of random weights: most of what it writes is no text, which the server cannot read.
#[test]
fn a_random_model_plans_nothing_and_harms_nothing() {
    let test = "a_random_model_plans_nothing_and_harms_nothing";
    let repository = Repository::new(SHOP);
    let dir: &Path = repository.dir.path();
    let Some(llama) = Llama::new(test, dir, "tiny.gguf") else { return };
    let url = llama.url();
    let context = ["context", "shop/cart.py:7", "--json", "--mix", "9+3"];
    let pieces = || repository.json(&context)["pieces"].clone();
    let before = pieces();
    configure(&repository, &format!("url = '{url}'\nmax_tokens = 600\ntimeout_ms = 60000\n"));
    let summary = repository.json(&["speculate", "--json"]);
    assert_eq!((&summary["planned"], &summary["left"]), (&2.into(), &0.into()), "{summary}");
    for file in summary["files"].as_array().unwrap() {
        assert_eq!((&file["blocks"], &file["forecasts"]), (&0.into(), &0.into()), "{file}");
    }
    assert_eq!(pieces(), before);
}

/// The same with a model that writes ASCII alone: the server's grammar makes the structure right, and the rest is noise.
#[test]
fn what_a_random_model_says_in_the_right_structure_is_thrown_out() {
    let test = "what_a_random_model_says_in_the_right_structure_is_thrown_out";
    let repository = Repository::new(SHOP);
    let Some(llama) = Llama::new(test, repository.dir.path(), "ascii.gguf") else { return };
    // Twelve blocks of the longest texts are 4,100 letters.
    let settings = format!("url = '{}'\nmax_tokens = 4200\ntimeout_ms = 600000\n", llama.url());
    configure(&repository, &settings);
    let answer = repository.json(&["speculate", "shop/store.py", "--json"]);
    assert_eq!((&answer["blocks"], &answer["forecasts"]), (&json!([]), &json!([])), "{answer}");
    let thrown_out = &answer["run"]["thrown_out"];
    assert_eq!(thrown_out["block.unknown_file"], 12, "{answer}");
}
