//! `foreword complete`, with the model that is in the binary.

use std::io::Write as _;
use std::process::Stdio;

use serde_json::Value;

use crate::{Repository, Run};

const SHOP: &str = "
//- shop/cart.py
def add(cart, item):
    check(cart)
    cart.items.append(item)
    cart.save()
    return cart
//- shop/stock.py
from shop.cart import add

def restock(cart, item):
    check(cart)
    cart.items
";

fn first(answer: &Value) -> &str {
    answer["completions"][0]["text"].as_str().unwrap_or_else(|| panic!("nothing in {answer}"))
}

#[test]
fn another_file_completes_the_line_and_the_answer_says_who_wrote_it() {
    let shop = Repository::new(SHOP);
    let answer = shop.json(&["complete", "shop/stock.py:5", "--json"]);
    assert_eq!(first(&answer), ".append(item)");
    assert!(answer["model"].as_str().unwrap().contains("no neural model"), "{answer}");
    let confidence = answer["completions"][0]["confidence"].as_f64().unwrap();
    assert!(0.0 < confidence && confidence < 1.0, "{answer}");
    let keys =
        ["version", "snapshot", "complete", "path", "line", "column", "prompt_id", "elapsed_ms"];
    assert!(keys.iter().all(|it| answer.get(it).is_some()), "{answer}");
    for key in ["open", "scope", "retrieve", "trim", "model", "clean", "total"] {
        assert!(answer["elapsed_ms"][key].is_f64(), "{key}");
    }
    let run = shop.run(&["complete", "shop/stock.py:5"]);
    assert!(run.out.starts_with(".append(item)\n") && run.out.contains("% sure"), "{run:?}");
}

#[test]
fn a_block_is_completed_where_one_begins_and_lines_can_be_limited() {
    let shop = Repository::new(SHOP);
    shop.write("shop/gift.py", "def wrap(cart, item):\n    check(cart)\n    ");
    let answer = shop.json(&["complete", "shop/gift.py:3", "--json"]);
    assert_eq!(first(&answer), "cart.items.append(item)\n    cart.save()\n    return cart");
    let answer = shop.json(&["complete", "shop/gift.py:3", "--json", "--lines", "1"]);
    assert_eq!(first(&answer), "cart.items.append(item)");
}

#[test]
fn an_unsaved_buffer_is_completed_and_its_line_ends_are_kept() {
    let shop = Repository::new(SHOP);
    let mut command = shop.command(&["complete", "shop/new.py:3", "--stdin", "--json"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let text = b"def wrap(cart, item):\r\n    check(cart)\r\n    ";
    child.stdin.take().unwrap().write_all(text).unwrap();
    let output = child.wait_with_output().unwrap();
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(first(&answer), "cart.items.append(item)\r\n    cart.save()\r\n    return cart");
}

#[test]
fn several_completions_differ_and_the_best_is_first() {
    let shop = Repository::new(SHOP);
    let answer = shop.json(&["complete", "shop/stock.py:4:5", "--json", "-n", "4", "--lines", "1"]);
    let completions = answer["completions"].as_array().unwrap();
    let texts: Vec<&str> = completions.iter().map(|it| it["text"].as_str().unwrap()).collect();
    let mut different = texts.clone();
    different.sort_unstable();
    different.dedup();
    assert_eq!(different.len(), texts.len(), "{texts:?}");
    let sure: Vec<f64> = completions.iter().filter_map(|it| it["confidence"].as_f64()).collect();
    assert!(sure.is_sorted_by(|a, b| a >= b), "{sure:?}");
}

#[test]
fn a_stream_shows_the_same_text() {
    let shop = Repository::new(SHOP);
    let run = shop.run(&["complete", "shop/stock.py:5", "--stream"]);
    assert_eq!((run.code, run.out.as_str()), (0, ".append(item)\n"));
}

#[test]
fn nothing_to_suggest_is_an_answer() {
    let empty = Repository::new("//- a.py\n\n");
    let run = empty.run(&["complete", "a.py:1", "--json"]);
    assert_eq!(run.code, 1);
    let answer: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(answer["completions"], Value::Array(Vec::new()));
}

#[test]
fn what_cannot_be_asked_is_refused_with_the_remedy() {
    let shop = Repository::new(SHOP);
    let complete = |args: &[&str]| Run::of(&shop.command(args).output().unwrap());
    complete(&["complete", "shop/stock.py:5", "--model", "qwen2.5-coder"])
        .fails(2, &["qwen2.5-coder", "--model-url", "embedded"]);
    complete(&["complete", "shop/stock.py:5", "-n", "0"]).fails(2, &["--n"]);
    complete(&["complete", "shop/stock.py:99"]).fails(2, &["shop/stock.py:99", "lines"]);
}
