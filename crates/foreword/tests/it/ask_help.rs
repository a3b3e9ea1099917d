//! The help of models before a question is answered (`[ask]` in config.toml): scripted servers that are honest, slow or lie, and
//! a real llama.cpp server with random weights.

use serde_json::{Value, json};

use crate::llama_cpp::Llama;
use crate::serve::stub::{Ending, Stub, StubResponse};
use crate::serve::until;
use crate::{Repository, Run};

const SHOP: &str = "
//- shop/stock.py
class Stock:
    '''Counts items by name.'''

    def take(self, name):
        '''Takes one item off the shelf.'''
        return self.items.pop(name)
//- shop/prices.py
def price_of(name):
    '''The price of an item in cents.'''
    return len(name)
//- shop/cart.py
def add_item(cart, item):
    '''Adds an item to the cart.'''
    cart.append(item)
//- shop/ledger.py
def book(entry):
    '''Writes what was sold into the ledger.'''
    entries.append(entry)
";

const QUESTION: &str = "how is an item taken off the shelf";

/// Asks with `settings` in `[ask]`, and a model at `url`.
fn asked(url: &str, settings: &str, more: &[&str]) -> Run {
    let shop = Repository::new(SHOP);
    let home = shop.index().with_file_name("home").join("config/foreword");
    std::fs::create_dir_all(&home).unwrap();
    let chat = format!(
        "[models.chat]\nurl = '{url}'\napi = 'openai'\nmodel = 'scripted'\ntimeout_ms = 8000\n"
    );
    std::fs::write(home.join("config.toml"), format!("{chat}\n[ask]\n{settings}\n")).unwrap();
    shop.run(&[&["ask", QUESTION, "--json"], more].concat())
}

fn scripted(settings: &str, answer: fn(&Value) -> StubResponse) -> (Value, Vec<Value>) {
    let stub = Stub::new(move |_, body| answer(body));
    let run = asked(&stub.url, settings, &[]);
    let answer = serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{run:?}"));
    (answer, stub.requests_to("/v1/chat/completions"))
}

fn says(text: &str) -> StubResponse {
    let choice = json!({ "message": { "content": text }, "finish_reason": "stop" });
    StubResponse::json(&json!({ "choices": [choice] }))
}

/// What a request is for, by the first words of its instructions.
fn is_for(body: &Value, what: &str) -> bool {
    body["messages"][0]["content"].as_str().is_some_and(|it| it.contains(what))
}

fn places(answer: &Value) -> Vec<String> {
    let place = |it: &Value| format!("{}:{}-{}", it["path"], it["start_line"], it["end_line"]);
    answer["evidence"].as_array().unwrap().iter().map(place).collect()
}

#[test]
fn without_settings_the_model_is_asked_for_the_answer_alone() {
    let (_, requests) = scripted("", |_| says("It is so [1]."));
    assert_eq!(requests.len(), 1);
    assert!(is_for(&requests[0], "You answer questions"));
}

#[test]
fn what_a_model_writes_adds_evidence_and_takes_none_away() {
    let (without, _) = scripted("", |_| says("x"));
    let (with, requests) = scripted("write = ['plain', 'parts']", |body| match () {
        () if is_for(body, "smaller questions") => {
            says(r#"{"questions": ["what is written into the ledger"]}"#)
        }
        () if is_for(body, "paragraph of its documentation") => says("Takes one item off."),
        () => says("x"),
    });
    assert_eq!(requests.len(), 3);
    let (before, after) = (places(&without), places(&with));
    assert!(before.iter().all(|it| after.contains(it)), "{before:?} {after:?}");
    let ledger = with["evidence"].as_array().unwrap().iter();
    let ledger = ledger.filter(|it| it["path"] == "shop/ledger.py").collect::<Vec<_>>();
    assert_eq!(ledger.len(), 1, "{with}");
    assert_eq!(ledger[0]["why"][0]["code"], "written");
    assert_eq!(with["notes"], json!([]));
}

#[test]
fn a_model_that_is_slow_or_lies_changes_nothing_and_that_is_said() {
    let settings =
        "write = ['plain', 'code', 'idiom', 'parts']\nrerank = 'listwise'\nhelp_ms = 400";
    let (without, _) = scripted("", |_| says("x"));
    let check = |answer: fn(&Value) -> StubResponse, notes: usize, said: &str| {
        let (with, _) = scripted(settings, answer);
        assert_eq!(places(&with), places(&without), "{said}");
        let all = with["notes"].as_array().unwrap();
        assert_eq!(all.len(), notes, "{all:?}");
        assert!(all.iter().any(|it| it.as_str().unwrap().contains(said)), "{all:?}");
    };
    check(|_| says("qwrt zzyx vlorp quux brzl"), 5, "not fit this repository");
    check(|_| says(r#"{"order": [77], "questions": 3}"#), 5, "unknown numbers");
    check(
        |_| says(r#"{"order": [3, 4, 5, 1, 2], "questions": []}"#),
        4,
        "prefers irrelevant passages",
    );
    check(|_| StubResponse::json(&json!({})).status(500), 5, "refused (500)");
    check(|_| says("x").end(Ending::Hangs), 5, "in time");
}

#[test]
fn a_stream_that_is_too_late_is_closed() {
    let stub = Stub::new(|_, body| match is_for(body, "paragraph of its documentation") {
        true => says("x").end(Ending::Floods),
        false => says("x"),
    });
    asked(&stub.url, "write = ['plain']\nhelp_ms = 300", &[]);
    until(|| (stub.hung_up() == 1).then_some(()));
}

#[test]
fn a_server_that_never_ends_an_answer_of_any_kind_takes_no_memory_without_end() {
    let stub = Stub::new(|_, _| says("x").end(Ending::Floods));
    let run = asked(&stub.url, "", &[]);
    assert!(run.err.contains("showing the evidence instead"), "{run:?}");
    assert!(stub.flooded() < 300 << 20, "{}", stub.flooded());
}

#[test]
fn mistakes_in_the_settings_name_what_there_is() {
    let fails =
        |settings: &str, words: &[&str]| asked("http://127.0.0.1:9", settings, &[]).fails(2, words);
    fails("write = ['poem']", &["ask.write", "poem", "plain, code, idiom, parts"]);
    fails("rerank = 'best'", &["ask.rerank", "pointwise", "listwise"]);
    fails("order = 1", &["`ask.order`", "write", "rerank", "help_ms"]);
}

#[test]
fn a_model_of_random_weights_takes_no_evidence_away() {
    let test = "a_model_of_random_weights_takes_no_evidence_away";
    let shop = Repository::new(SHOP);
    let Some(llama) = Llama::new(test, shop.dir.path(), "qwen2.5-coder-tiny.gguf") else { return };
    let all = "write = ['plain', 'code', 'idiom', 'parts']\nhelp_ms = 20000\n";
    let answer = |settings: &str| -> Value {
        let run = asked(&llama.url(), settings, &[]);
        serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{run:?}"))
    };
    let before = places(&answer(""));
    for rerank in ["off", "pointwise", "listwise"] {
        let it = answer(&format!("{all}rerank = '{rerank}'"));
        let after = places(&it);
        assert!(before.iter().all(|it| after.contains(it)), "{rerank}: {before:?} {after:?}");
        assert!(!it["notes"].as_array().unwrap().is_empty(), "{rerank}: noise was believed: {it}");
    }
}
