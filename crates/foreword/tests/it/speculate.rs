//! `foreword speculate`, and contexts from its plans.

pub(crate) mod agents;
mod bad_models;

use serde_json::Value;

use self::agents::{Shop, file_of, good, is_retriever};
use crate::serve::stub::StubResponse;

const SHOP: &str = "
//- shop/store.py
def open_store(path):
    '''Opens the store at a path.'''
    handle = connect(path)
    return handle


def close_store(handle):
    '''Closes a store.'''
    handle.flush()
    handle.close()
//- shop/cart.py
from shop.store import open_store, close_store


def save_cart(cart, path):
    handle = open_store(path)
    handle.write(cart.items)
    close_store(handle)


def load_cart(path):
    handle = open_store(path)
    return handle.read()
//- README.md
# A shop
";

fn paths(answer: &Value) -> Vec<&str> {
    let pieces = answer["pieces"].as_array().unwrap();
    pieces.iter().filter_map(|it| it["path"].as_str()).collect()
}

#[test]
fn a_plan_answers_alone_and_says_why() {
    let shop = Shop::new(good);
    shop.run(&[]);
    let repository = &shop.repository;
    let plan = repository.json(&["speculate", "shop/cart.py", "--json"]);
    assert_eq!(plan["stored"], true);
    assert_eq!(plan["blocks"][0]["path"], "shop/store.py");
    assert_eq!(plan["blocks"][0]["reason"], "opens the store");
    assert!(plan["blocks"][0]["text"].as_str().unwrap().contains("def open_store"));
    let only = repository.json(&["context", "shop/cart.py:7", "--json", "--mix", "12+0"]);
    assert_eq!(paths(&only), ["shop/store.py"]);
    let reason = only["pieces"][0]["reasons"][0].as_str().unwrap();
    assert_eq!(reason, "planned for this file; said by the model: opens the store");
    assert_eq!(only["elapsed_ms"]["retrieve"], 0.0);
}

#[test]
fn forecasts_of_a_current_plan_stand_beside_live_retrieval() {
    let shop = Shop::new(good);
    let repository = &shop.repository;
    let context = ["context", "shop/cart.py:7", "--json"];
    let with = |more: &[&str]| repository.json(&[&context[..], more].concat());
    let forecasts = |answer: &Value| {
        answer["pieces"].as_array().unwrap().iter().filter(|it| it["form"] == "forecast").count()
    };
    let before = with(&[]);
    shop.run(&[]);
    let asked = shop.asked().len();
    let answer = with(&[]);
    assert_eq!((forecasts(&before), forecasts(&answer)), (0, 1), "{answer}");
    assert!(answer["prompt"].as_str().unwrap().contains("# forecast: not written yet\n"));
    assert_eq!(with(&["--mix", "live+0"])["pieces"], before["pieces"]);
    let cart = std::fs::read_to_string(repository.root().join("shop/cart.py")).unwrap();
    repository.write("shop/cart.py", &format!("{cart}\n\nlimit = 1\n"));
    assert_eq!(forecasts(&with(&[])), 1, "the plan rests on other lines");
    let store = std::fs::read_to_string(repository.root().join("shop/store.py")).unwrap();
    repository.write("shop/store.py", &store.replace("connect(path)", "connect(path, 1)"));
    assert_eq!(forecasts(&with(&[])), 0, "the plan is outdated");
    let told = with(&["--mix", "live+3"]);
    assert_eq!(forecasts(&told), 1, "{told}");
    assert!(told["notes"][0].as_str().unwrap().contains("earlier state"), "{told}");
    assert_eq!(shop.asked().len(), asked, "a prompt asks no model");
    repository.run(&["context", "shop/cart.py:7", "--mix", "3"]).fails(2, &["live+3"]);
}

#[test]
fn a_path_is_found_below_the_named_directory() {
    let shop = Shop::new(good);
    let (root, index) = (shop.repository.root(), shop.repository.index());
    let mut command = crate::foreword(shop.repository.dir.path(), &index);
    command.arg("-C").arg(&root).args(["speculate", "shop/cart.py", "--json"]);
    let run = crate::Run::of(&command.output().unwrap());
    let plan: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((run.code, &plan["path"]), (0, &"shop/cart.py".into()), "{run:?}");
}

#[test]
fn an_edit_makes_dependent_plans_outdated() {
    let shop = Shop::of(&format!("{SHOP}//- alone.py\ndef alone():\n    return 1\n"), good);
    shop.run(&[]);
    let repository = &shop.repository;
    let status = || repository.json(&["status", "--json"])["plans"].clone();
    assert_eq!((&status()["current"], &status()["outdated"]), (&3.into(), &0.into()));
    repository.write("alone.py", "def alone():\n    return 2\n");
    repository.run(&["index"]);
    assert_eq!((&status()["current"], &status()["outdated"]), (&2.into(), &1.into()));
}

#[test]
fn of_a_changed_file_only_unchanged_lines_are_used() {
    let shop = Shop::new(good);
    shop.run(&[]);
    let repository = &shop.repository;
    let context = ["context", "shop/cart.py:7", "--json", "--mix", "12+0"];
    let store = std::fs::read_to_string(repository.root().join("shop/store.py")).unwrap();
    repository.write("shop/store.py", &format!("import os\n\n\n{store}"));
    let answer = repository.json(&context);
    assert_eq!(answer["pieces"][0]["start_line"], 4, "{answer}");
    assert_eq!(answer["notes"], Value::Null, "the lines that the plan rests on are the same");
    repository.write("shop/store.py", "def open_store(path):\n    return None\n");
    let answer = repository.json(&context);
    assert!(answer["notes"][0].as_str().unwrap().contains("earlier state"), "{answer}");
    assert!(!paths(&answer).contains(&"shop/store.py"));
    std::fs::remove_file(repository.root().join("shop/store.py")).unwrap();
    assert!(!paths(&repository.json(&context)).contains(&"shop/store.py"));
}

#[test]
fn a_cursor_without_a_plan_and_wrong_requests_name_the_remedy() {
    let shop = Shop::new(good);
    let repository = &shop.repository;
    let answer = repository.json(&["context", "shop/cart.py:7", "--json", "--mix", "9+3"]);
    assert!(answer["notes"][0].as_str().unwrap().contains("`foreword speculate`"), "{answer}");
    shop.run(&["README.md"]).fails(2, &["README.md", "no plans are made for"]);
    shop.run(&["--budget", "soon"]).fails(2, &["soon", "30s"]);
    let trace = ["context", "shop/cart.py:7", "--mix", "9+3", "--trace"];
    repository.run(&trace).fails(2, &["--trace", "omit one of the two"]);
}

#[test]
fn at_most_the_given_number_of_files_is_planned() {
    let shop = Shop::new(good);
    assert_eq!(shop.json(&["--most", "1"])["planned"], 1);
    let rest = shop.json(&[]);
    assert_eq!((&rest["planned"], &rest["current"]), (&1.into(), &2.into()), "{rest}");
}

#[test]
fn after_a_branch_switch_and_back_the_files_that_it_changed_have_their_plans() {
    // The plan of the store cites nothing.
    let answer = |body: &Value| -> StubResponse {
        let is_store = file_of(body) == "shop/store.py";
        match is_store && is_retriever(body) {
            true => agents::said(r#"{"blocks": []}"#),
            false => good(body),
        }
    };
    let shop = Shop::new(answer);
    let repository = &shop.repository;
    repository.git(&["init", "-q", "-b", "main"]);
    repository.git(&["add", "."]);
    repository.git(&["commit", "-qm", "one"]);
    let left = || shop.json(&["--dry-run"])["next"].clone();
    shop.run(&[]);
    repository.git(&["checkout", "-qb", "other"]);
    repository.write("shop/store.py", "def open_store(path):\n    return None\n");
    repository.git(&["commit", "-qam", "two"]);
    assert_eq!(left(), serde_json::json!(["shop/store.py", "shop/cart.py"]));
    shop.run(&[]);
    repository.git(&["checkout", "-q", "main"]);
    assert!(!left().as_array().unwrap().contains(&"shop/store.py".into()));
}
