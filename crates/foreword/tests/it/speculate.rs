//! `foreword speculate`, and contexts from what it planned.

pub(crate) mod agents;
mod bad_models;

use serde_json::Value;

use crate::{Repository, Run, foreword};

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
    let repository = Repository::new(SHOP);
    let summary = repository.json(&["speculate", "--json"]);
    assert_eq!((&summary["planned"], &summary["left"]), (&2.into(), &0.into()), "{summary}");
    let plan = repository.json(&["speculate", "shop/cart.py", "--json"]);
    assert_eq!(plan["stored"], true);
    assert_eq!(plan["blocks"][0]["path"], "shop/store.py");
    assert!(plan["blocks"][0]["text"].as_str().unwrap().contains("def open_store"));
    let context = ["context", "shop/cart.py:7", "--json", "--speculated"];
    let only = repository.json(&[&context[..], &["only"]].concat());
    assert_eq!(paths(&only), ["shop/store.py"]);
    let reason = only["pieces"][0]["reasons"][0].as_str().unwrap();
    assert!(reason.starts_with("planned for this file; "), "{reason}");
    assert_eq!(only["elapsed_ms"]["retrieve"], 0.0);
    let with = repository.json(&[&context[..], &["with"]].concat());
    let ranks = with["pieces"][0]["ranks"].as_array().unwrap();
    assert!(ranks.iter().any(|it| it["signal"] == "speculated"), "{with}");
}

#[test]
fn among_imports_a_plan_shows_the_imports_of_files_like_this_one() {
    let view = |name: &str, imports: &str| {
        let code = format!(
            "def {name}_view(request):\n    {name} = read(request)\n    return render({name})\n"
        );
        format!("//- web/{name}_view.py\n{imports}\n\n{code}\n")
    };
    let imports = "import json\nfrom web.render import render\nfrom shop.store import read";
    let of_all = ["cart", "order", "price"].map(|it| view(it, imports)).concat();
    let repository = Repository::new(&format!("{of_all}{}", view("user", "import json")));
    repository.run(&["speculate"]);
    let answer =
        |place: &str| repository.json(&["context", place, "--json", "--speculated", "only"]);
    let imported = |answer: &Value| {
        let pieces = answer["pieces"].as_array().unwrap();
        pieces
            .iter()
            .any(|it| it["text"].as_str().unwrap().contains("from web.render import render"))
    };
    let among_imports = answer("web/user_view.py:2");
    assert!(imported(&among_imports), "{among_imports}");
    let reasons = among_imports["pieces"][0]["reasons"].to_string();
    assert!(reasons.contains("head of a file like this one"), "{reasons}");
    let below = answer("web/user_view.py:6");
    assert!(!imported(&below), "{below}");
}

#[test]
fn plans_change_no_answer_that_does_not_ask_for_them() {
    let repository = Repository::new(SHOP);
    let answers = || {
        [
            &["context", "shop/cart.py:7", "--prompt"][..],
            &["search", "open store", "--brief"],
            &["symbols", "open_store"],
            &["map"],
        ]
        .map(|it| repository.run(it).out)
    };
    let before = answers();
    repository.run(&["speculate"]);
    assert_eq!(answers(), before);
}

#[test]
fn an_edit_makes_what_depends_on_it_outdated_and_the_next_run_plans_only_that() {
    let repository = Repository::new(&format!("{SHOP}//- alone.py\ndef alone():\n    return 1\n"));
    repository.run(&["speculate"]);
    let status = || repository.json(&["status", "--json"])["plans"].clone();
    assert_eq!((&status()["current"], &status()["outdated"]), (&3.into(), &0.into()));
    repository.write("alone.py", "def alone():\n    return 2\n");
    repository.run(&["index"]);
    assert_eq!((&status()["current"], &status()["outdated"]), (&2.into(), &1.into()));
    let dry = repository.json(&["speculate", "--dry-run", "--json"]);
    assert_eq!((&dry["left"], &dry["planned"]), (&1.into(), &0.into()));
    assert_eq!(repository.json(&["speculate", "--json"])["planned"], 1);
    assert_eq!(repository.json(&["speculate", "--json"])["planned"], 0);
}

#[test]
fn of_a_file_that_has_changed_only_what_is_unchanged_is_used() {
    let repository = Repository::new(SHOP);
    repository.run(&["speculate"]);
    let context = ["context", "shop/cart.py:7", "--json", "--speculated", "only"];
    let moved = "import os\n\n\ndef open_store(path):\n    '''Opens the store at a path.'''\n    handle = connect(path)\n    return handle\n\n\ndef close_store(handle):\n    '''Closes a store.'''\n    handle.flush()\n    handle.close()\n";
    repository.write("shop/store.py", moved);
    let answer = repository.json(&context);
    assert_eq!(answer["pieces"][0]["start_line"], 4, "{answer}");
    assert!(answer["notes"][0].as_str().unwrap().contains("earlier state"), "{answer}");
    repository.write("shop/store.py", "def open_store(path):\n    return None\n");
    assert!(!paths(&repository.json(&context)).contains(&"shop/store.py"));
    std::fs::remove_file(repository.root().join("shop/store.py")).unwrap();
    assert!(!paths(&repository.json(&context)).contains(&"shop/store.py"));
}

#[test]
fn a_cursor_without_a_plan_and_wrong_requests_name_the_remedy() {
    let repository = Repository::new(SHOP);
    let answer = repository.json(&["context", "shop/cart.py:7", "--json", "--speculated", "only"]);
    assert!(answer["notes"][0].as_str().unwrap().contains("`foreword speculate`"), "{answer}");
    repository.run(&["speculate", "README.md"]).fails(2, &["README.md", "not planned for"]);
    repository.run(&["speculate", "--budget", "soon"]).fails(2, &["soon", "30s"]);
    let trace = ["context", "shop/cart.py:7", "--speculated", "only", "--trace"];
    repository.run(&trace).fails(2, &["--trace", "leave one of them out"]);
}

#[test]
fn a_run_without_time_leaves_the_rest_and_the_next_one_goes_on() {
    let repository = Repository::new(SHOP);
    let first = repository.run(&["speculate", "--budget", "0s", "--json"]);
    assert_eq!(first.code, 1);
    let summary: Value = serde_json::from_str(&first.out).unwrap();
    assert_eq!((&summary["planned"], &summary["left"]), (&0.into(), &2.into()));
    assert_eq!(repository.json(&["speculate", "--most", "1", "--json"])["planned"], 1);
    let rest = repository.json(&["speculate", "--json"]);
    assert_eq!((&rest["planned"], &rest["current"]), (&1.into(), &1.into()));
}

#[test]
fn after_a_branch_switch_and_back_the_files_that_it_changed_have_their_plans() {
    let repository = Repository::new(SHOP);
    repository.git(&["init", "-q", "-b", "main"]);
    repository.git(&["add", "."]);
    repository.git(&["commit", "-qm", "one"]);
    let left = || repository.json(&["speculate", "--dry-run", "--json"])["next"].clone();
    repository.run(&["speculate"]);
    repository.git(&["checkout", "-qb", "other"]);
    repository.write("shop/store.py", "def open_store(path):\n    return None\n");
    repository.git(&["commit", "-qam", "two"]);
    assert_eq!(left(), serde_json::json!(["shop/store.py", "shop/cart.py"]));
    repository.run(&["speculate"]);
    repository.git(&["checkout", "-q", "main"]);
    // That of the cart cites lines of the other branch's store.
    assert_eq!(left(), serde_json::json!(["shop/cart.py"]));
}

#[test]
fn two_processes_at_once_both_end_and_the_plans_are_whole() {
    let repository = Repository::new(SHOP);
    let start = || {
        let mut command = foreword(&repository.root(), &repository.index());
        command.args(["speculate", "--quiet"]).spawn().unwrap()
    };
    let runs = [start(), start(), start()];
    for mut run in runs {
        assert!(run.wait().unwrap().code().is_some_and(|it| it < 2));
    }
    repository.run(&["speculate"]);
    assert_eq!(repository.json(&["status", "--json"])["plans"]["current"], 2);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_that_names_the_file_and_costs_no_plan_that_was_there() {
    let repository = Repository::new(SHOP);
    repository.run(&["speculate"]);
    repository.write("more.py", "def more():\n    return open_store('a')\n");
    repository.run(&["index"]);
    // A limit on the size of files, as a disk that is full: writing fails, and no signal kills the process.
    let program = env!("CARGO_BIN_EXE_foreword");
    let script = format!("trap '' XFSZ; ulimit -f 0; exec {program} --stale speculate");
    let mut command = foreword(&repository.root(), &repository.index());
    let given: Vec<_> =
        command.get_envs().filter_map(|it| Some((it.0.to_owned(), it.1?.to_owned()))).collect();
    command = std::process::Command::new("bash");
    let output =
        command.args(["-c", &script]).envs(given).current_dir(repository.root()).output().unwrap();
    Run::of(&output).fails(2, &["plans", "--index-dir"]);
    assert_eq!(repository.json(&["status", "--json"])["plans"]["current"], 2);
    assert_eq!(repository.json(&["speculate", "--json"])["planned"], 1);
}
