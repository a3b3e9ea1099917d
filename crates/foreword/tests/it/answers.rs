//! What the commands answer on small repositories.

use serde_json::{Value, json};

use crate::{Repository, paths};

const SHOP: &str = "
//- shop/cart.py
from shop.price import Price, total_price

class Cart:
    '''Items that somebody wants to buy.'''

    def __init__(self):
        self.items = []

    def checkout(self):
        return
//- shop/price.py
class Price:
    '''An amount of money in one currency.'''

    def __init__(self, amount, currency):
        self.amount = amount
        self.currency = currency

    def add(self, other):
        return Price(self.amount + other.amount, self.currency)

def total_price(items):
    '''Adds up the prices of all items.'''
    result = Price(0, 'EUR')
    for item in items:
        result = result.add(item.price)
    return result
//- shop/mail.py
def send_receipt(address, cart):
    '''Sends a receipt by mail.'''
    print(address, cart)
//- tests/test_price.py
from shop.price import total_price

def test_total_price():
    assert total_price([]).amount == 0
//- README.md
# Shop

A shop with a cart, prices and mail. See total price.
";

#[test]
fn a_name_finds_its_definition_first() {
    let shop = Repository::new(SHOP);
    let answer = shop.json(&["search", "total_price", "--json"]);
    assert_eq!(paths(&answer)[0], "shop/price.py");
    let answer = shop.json(&["search", "how are receipts sent", "--json"]);
    assert_eq!(paths(&answer)[0], "shop/mail.py");
    assert_eq!(answer["results"][0]["symbol"], "send_receipt");
    assert_eq!(answer["results"][0]["kind"], "function");
}

#[test]
fn a_context_shows_what_is_used_at_the_hole() {
    let shop = Repository::new(SHOP);
    shop.write("shop/cart.py", "from shop.price import Price, total_price\n\ndef checkout(items):\n    return total_price(");
    let answer = shop.json(&["context", "shop/cart.py:4", "--json"]);
    let pieces = answer["pieces"].as_array().unwrap();
    assert!(pieces.iter().any(|it| it["path"] == "shop/price.py"), "{pieces:?}");
    let prompt = answer["prompt"].as_str().unwrap();
    assert!(prompt.contains("def total_price(items):"), "{prompt}");
    assert!(prompt.contains("    return total_price("));
    let used = answer["budget"]["used"].as_u64().unwrap();
    assert!(used <= answer["budget"]["total"].as_u64().unwrap());
}

#[test]
fn an_unsaved_buffer_is_seen_and_its_old_text_is_not() {
    let shop = Repository::new(SHOP);
    shop.run(&["index"]);
    let buffer = "from shop.mail import send_receipt\n\ndef later(address):\n    send_receipt(";
    let mut command = shop.command(&["context", "shop/cart.py:4", "--stdin", "--json"]);
    let mut child = command
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), buffer.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let prompt = answer["prompt"].as_str().unwrap();
    assert!(prompt.contains("def send_receipt(address, cart)"), "{prompt}");
    assert!(!prompt.contains("class Cart"), "the text on disk is gone from the buffer: {prompt}");
}

#[test]
fn an_edit_made_a_moment_ago_is_found() {
    let shop = Repository::new(SHOP);
    assert_eq!(shop.run(&["search", "frobnicate"]).code, 1);
    shop.write("shop/new.py", "def frobnicate(widget):\n    return widget\n");
    assert_eq!(paths(&shop.json(&["search", "frobnicate", "--json"])), ["shop/new.py"]);
    shop.write("shop/new.py", "def defrost(widget):\n    return widget\n");
    assert_eq!(shop.run(&["search", "frobnicate"]).code, 1);
    std::fs::remove_file(shop.root().join("shop/new.py")).unwrap();
    assert_eq!(shop.run(&["search", "defrost"]).code, 1);
}

#[test]
fn a_stale_answer_does_not_look_at_the_disk() {
    let shop = Repository::new(SHOP);
    shop.run(&["index"]);
    shop.write("shop/new.py", "def frobnicate(widget):\n    return widget\n");
    assert_eq!(shop.run(&["search", "frobnicate", "--stale"]).code, 1);
    assert_eq!(shop.run(&["search", "frobnicate"]).code, 0);
}

#[test]
fn patterns_are_found_as_they_stand() {
    let shop = Repository::new(SHOP);
    let answer = shop.json(&["search", "--exact", "result.add(", "--json"]);
    assert_eq!(paths(&answer), ["shop/price.py"]);
    assert_eq!(answer["results"][0]["symbol"], "total_price");
    let answer = shop.json(&["search", "--regex", r"def \w+_price\(", "--json"]);
    assert_eq!(answer["results"].as_array().unwrap().len(), 2);
}

#[test]
fn a_misspelt_name_is_found() {
    let shop = Repository::new(SHOP);
    assert_eq!(shop.run(&["search", "recieptt"]).code, 0);
    let answer = shop.json(&["search", "send_reciept", "--json"]);
    assert_eq!(paths(&answer)[0], "shop/mail.py");
    assert_eq!(answer["unknown"][0]["word"], "send_reciept");
    assert_eq!(answer["unknown"][0]["similar"][0], "send_receipt");
}

#[test]
fn filters_hold() {
    let shop = Repository::new(SHOP);
    let answer = shop.json(&["search", "total price", "--path", "tests", "--json"]);
    assert_eq!(paths(&answer), ["tests/test_price.py"]);
    let answer = shop.json(&["search", "total price", "--lang", "markdown", "--json"]);
    assert_eq!(paths(&answer), ["README.md"]);
    shop.run(&["search", "x", "--lang", "klingon"]).fails(2, &["klingon", "python"]);
    shop.run(&["search", "x", "--kind", "thing"]).fails(2, &["thing", "function"]);
}

#[test]
fn the_name_at_a_place_has_its_definitions() {
    let shop = Repository::new(
        "
//- store.py
class Store:
    def __init__(self, way):
        self.way = way

    def open(self):
        return self.way
//- use.py
from store import Store

hook(Store(1).open, Store(2).way, Store)
other.open()
",
    );
    let places = ["use.py:3:16", "use.py:3:31", "use.py:4:9", "use.py:2:1"];
    let mut command = vec!["symbols", "--json"];
    command.extend(places.iter().flat_map(|it| ["--at", *it]));
    let answer = shop.json(&command);
    let one = |it: &Value| {
        let definition = &it["definitions"][0];
        let (path, line) = (definition["path"].as_str().unwrap_or(""), &definition["start_line"]);
        format!("{} {} {path}:{line} {}", it["at"], it["name"], it["sure"]).replace('"', "")
    };
    let found: Vec<String> = answer["places"].as_array().unwrap().iter().map(one).collect();
    let expect = [
        "use.py:3:16 open store.py:5 true",
        "use.py:3:31 way store.py:3 true",
        "use.py:4:9 open store.py:5 false",
        "use.py:2:1  :null false",
    ];
    assert_eq!(found, expect);
    let text = shop.run(&["symbols", "--at", "use.py:4:9"]).out;
    assert!(text.contains("open: possible definitions (nothing identifies one)"), "{text}");
    assert!(shop.run(&["symbols", "--at", "use.py:3:16"]).out.contains("method Store.open"));
    shop.run(&["symbols", "--at", "nowhere.py:1"]).fails(2, &["nowhere.py is not in the index"]);
    assert_eq!(shop.run(&["symbols", "--at", "use.py:2:1"]).code, 1);
    // Names that are passed on are uses, too.
    let uses = shop.json(&["symbols", "Store.open", "--json"])["references"].clone();
    assert_eq!((&uses[0]["line"], &uses[0]["kind"]), (&json!(3), &json!("other")));
}

#[test]
fn symbols_are_defined_and_used_somewhere() {
    let shop = Repository::new(SHOP);
    let answer = shop.json(&["symbols", "total_price", "--json"]);
    assert_eq!(answer["definitions"][0]["path"], "shop/price.py");
    assert_eq!(answer["references"][0]["path"], "tests/test_price.py");
    let outline = shop.json(&["symbols", "--file", "shop/price.py", "--json"]);
    let names: Vec<&str> = outline["definitions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["symbol"].as_str().unwrap())
        .collect();
    assert!(names.contains(&"Price.add"), "{names:?}");
    assert_eq!(shop.run(&["symbols", "nobody_has_this"]).code, 1);
}

#[test]
fn a_name_that_a_macro_defines_is_listed_where_it_is_seen() {
    let files = "
//- tree.h
RB_HEAD(pane_tree, pane);
/* The queue of workers. */
//- use.c
extern struct pane_tree all_panes;
";
    let trees = Repository::new(files);
    let used = trees.json(&["symbols", "pane_tree", "--json"]);
    assert_eq!(used["definitions"].as_array().unwrap().len(), 0);
    let note = used["notes"].to_string();
    let expected = "1 line has it in a macro that may define it; no definition is seen: tree.h:1";
    assert!(note.contains(expected), "{used}");
    let unused = trees.run(&["symbols", "workers"]);
    assert_eq!(unused.code, 1);
    let expected =
        "1 line has it where no definition is seen (a macro, a text or a comment): tree.h:2";
    assert!(unused.out.contains(expected), "{unused:?}");
    assert!(!trees.run(&["symbols", "nobody_has_this"]).out.contains("line"));
}

#[test]
fn a_half_remembered_name_is_corrected_part_by_part() {
    let shop = Repository::new(SHOP);
    let answer = shop.run(&["symbols", "totl_cart_price"]);
    assert_eq!(answer.code, 1);
    assert!(answer.out.contains("similar names: total_price"), "{answer:?}");
}

#[test]
fn a_number_of_results_may_be_asked_for_as_n() {
    let shop = Repository::new(SHOP);
    let answer = shop.json(&["search", "price", "-n", "1", "--json"]);
    assert_eq!(paths(&answer).len(), 1);
}

#[test]
fn a_map_stays_within_its_budget() {
    let shop = Repository::new(SHOP);
    let answer = shop.json(&["map", "--tokens", "60", "--json"]);
    assert!(answer["tokens"].as_u64().unwrap() <= 60);
    assert!(answer["text"].as_str().unwrap().contains("price.py"), "{answer}");
    assert_eq!(shop.run(&["map", "--tokens", "1"]).code, 1);
}

#[test]
fn ignored_files_never_appear_and_say_why() {
    let shop = Repository::new(SHOP);
    shop.write(".forewordignore", "mail.py\n");
    assert_eq!(shop.run(&["search", "send_receipt", "--path", "shop"]).code, 1);
    let why = shop.json(&["status", "shop/mail.py", "--json"]);
    assert_eq!(why["code"], "ignored");
    assert!(why["reason"].as_str().unwrap().contains(".forewordignore:1"));
    let listed = shop.run(&["status", "--ignored"]);
    assert!(listed.out.contains("shop/mail.py"), "{listed:?}");
}

#[test]
fn chunks_need_no_index() {
    let shop = Repository::new(SHOP);
    let line = shop.run(&["chunk", "shop/price.py", "--json", "--max", "120"]).out;
    let answer: serde_json::Value = serde_json::from_str(&line).unwrap();
    let texts: String = answer["chunks"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["text"].as_str().unwrap())
        .collect();
    assert_eq!(texts, std::fs::read_to_string(shop.root().join("shop/price.py")).unwrap());
    assert!(!shop.index().exists());
}

#[test]
fn a_skeleton_folds_bodies_and_a_file_that_is_not_there_is_said() {
    let shop =
        Repository::new("//- one.py\ndef total(cart):\n    cost = cart.cost\n    return cost\n");
    let folded = shop.run(&["skeleton", "one.py"]);
    assert_eq!((folded.code, folded.out.contains("def total(cart):")), (0, true));
    assert!(!folded.out.contains("cart.cost"), "{}", folded.out);
    let made: serde_json::Value =
        serde_json::from_str(&shop.run(&["skeleton", "one.py", "--json"]).out).unwrap();
    assert_eq!(made["language"], "python");
    let absent = shop.run(&["skeleton", "two.py", "one.py"]);
    assert_eq!((absent.code, absent.out.contains(&folded.out)), (1, true), "{}", absent.out);
    assert!(absent.err.contains("two.py"), "{}", absent.err);
    assert!(!shop.index().exists());
}

#[test]
fn nothing_is_written_into_the_repository() {
    let shop = Repository::new(SHOP);
    let list = || {
        let mut all: Vec<_> =
            std::fs::read_dir(shop.root()).unwrap().map(|it| it.unwrap().file_name()).collect();
        all.sort();
        all
    };
    let before = list();
    for args in [
        &["index"][..],
        &["search", "price"],
        &["context", "shop/cart.py"],
        &["map"],
        &["status"],
        &["doctor"],
    ] {
        assert_eq!(shop.run(args).code, 0, "{args:?}");
    }
    assert_eq!(list(), before);
}

#[test]
fn what_a_file_must_be_to_be_read_counts_for_those_that_are_indexed_too() {
    let repository = Repository::new("//- a.py\ndef alpha():\n    pass\n");
    repository.write("large.py", &"def beta():\n    pass\n\n\n".repeat(60_000));
    repository.write("min.js", &format!("function gamma() {{}} {}", "x = [1, 2]; ".repeat(3_000)));
    // Stamps of files that were written less than two seconds ago prove nothing, and all is read again.
    std::thread::sleep(std::time::Duration::from_millis(2200));
    let found = |name: &str, size: &str| {
        let args = ["search", name, "--exact", "--json", "--max-file-size", size];
        repository.json(&args)["total"].as_u64().unwrap() > 0
    };
    assert!(found("beta", "4M") && !found("beta", "1M") && found("beta", "4M"));
    assert!(!found("gamma", "1M"));
    repository.write(".forewordignore", "!min.js\n");
    assert!(found("gamma", "1M"));
    repository.write(".forewordignore", "");
    assert!(!found("gamma", "1M"));
    // Of the two that are in, the ignore file alone is too young.
    let again = repository.json(&["index", "--json"]);
    assert_eq!((again["read"].as_u64(), again["unchanged"].as_u64()), (Some(1), Some(1)));
}

#[test]
fn a_reason_is_told_once_however_often_it_holds() {
    let repository =
        Repository::new("//- a.py\ndef view():\n    return 1\n\ndef view():\n    return 2\n");
    let answer = repository.json(&["search", "view", "--json"]);
    let reasons = answer["results"][0]["reasons"].to_string();
    assert_eq!(reasons.matches("defines view").count(), 1, "{reasons}");
}

#[test]
fn patterns_have_a_budget_too_and_what_they_cannot_have_is_refused() {
    let repository = Repository::new(&format!("//- a.py\n{}", "value = alpha + 1\n".repeat(50)));
    let answer = repository.json(&["search", "--exact", "alpha", "--tokens", "40", "--json"]);
    let tokens = answer["results"].as_array().unwrap().iter().map(|it| it["tokens"].as_u64());
    let tokens: u64 = tokens.map(Option::unwrap).sum();
    assert!((20..=40).contains(&tokens), "{answer}");
    assert_eq!((&answer["total"], &answer["truncated"]), (&50.into(), &true.into()));
    let run = repository.run(&["search", "--exact", "alpha", "--tokens", "1"]);
    assert!(run.out.contains("0 of 50 matches"), "{run:?}");
    repository.run(&["search", "--exact", "alpha", "--kind", "class"]).fails(2, &["--kind"]);
}
