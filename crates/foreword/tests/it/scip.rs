//! Precise definitions and uses from a SCIP index, through the doors that answer names.

use serde_json::{Value, json};

use crate::Repository;

const SHOP: &str = "
//- store.py
class Store:
    def open(self):
        self.lock = 1
        return self
//- door.py
class Door:
    def open(self):
        return self
//- use.py
from store import Store
from door import Door


def run(a, b):
    a.open()
    b.open()
    hook(a.open)
    c.open()
";

/// A name at a line and columns from 0, with its symbol, defined or used.
pub(crate) type Name = (u64, u64, u64, &'static str, u64);

const STORE: &str = "scip-python python shop 1 store/Store#";
const STORE_OPEN: &str = "scip-python python shop 1 store/Store#open().";
const STORE_LOCK: &str = "scip-python python shop 1 store/Store#lock.";
const DOOR: &str = "scip-python python shop 1 door/Door#";
const DOOR_OPEN: &str = "scip-python python shop 1 door/Door#open().";

fn varint(mut value: u64) -> Vec<u8> {
    let mut res = Vec::new();
    while value >= 0x80 {
        res.push(value as u8 | 0x80);
        value >>= 7;
    }
    res.push(value as u8);
    res
}

pub(crate) fn bytes(field: u64, value: &[u8]) -> Vec<u8> {
    [varint(field << 3 | 2), varint(value.len() as u64), value.to_vec()].concat()
}

pub(crate) fn document(path: &str, names: &[Name]) -> Vec<u8> {
    document_with(path, names, &[])
}

/// A document with information on symbols.
pub(crate) fn document_with(path: &str, names: &[Name], symbols: &[u8]) -> Vec<u8> {
    let name = |(line, start, end, symbol, roles): &Name| {
        let range: Vec<u8> = [*line, *start, *end].into_iter().flat_map(varint).collect();
        let roles = [varint(3 << 3), varint(*roles)].concat();
        bytes(2, &[bytes(1, &range), bytes(2, symbol.as_bytes()), roles].concat())
    };
    let names = names.iter().flat_map(name).collect();
    bytes(2, &[bytes(1, path.as_bytes()), names, symbols.to_vec()].concat())
}

/// Information on a symbol: it implements another one.
pub(crate) fn implements(symbol: &str, other: &str) -> Vec<u8> {
    let other = [bytes(1, other.as_bytes()), varint(3 << 3), varint(1)].concat();
    bytes(3, &[bytes(4, &other), bytes(1, symbol.as_bytes())].concat())
}

/// An index of the shop by a type checker that knows the types of `a` and `b`.
fn index() -> Vec<u8> {
    index_with(&[])
}

/// The same with information on symbols in the document of the doors.
fn index_with(symbols: &[u8]) -> Vec<u8> {
    let tool = [bytes(1, b"scip-python"), bytes(2, b"0.6.6")].concat();
    let store = [(0, 6, 11, STORE, 1), (1, 8, 12, STORE_OPEN, 1), (2, 13, 17, STORE_LOCK, 1)];
    let door = [(0, 6, 10, DOOR, 1), (1, 8, 12, DOOR_OPEN, 1)];
    let uses = [
        (0, 18, 23, STORE, 8),
        (1, 17, 21, DOOR, 8),
        (5, 6, 10, STORE_OPEN, 8),
        (6, 6, 10, DOOR_OPEN, 8),
        (7, 11, 15, STORE_OPEN, 8),
    ];
    let documents = [document("store.py", &store), document_with("door.py", &door, symbols)];
    [bytes(1, &bytes(2, &tool)), documents.concat(), document("use.py", &uses)].concat()
}

fn shop(index: &[u8]) -> Repository {
    let shop = Repository::new(SHOP);
    std::fs::write(shop.root().join("index.scip"), index).unwrap();
    shop
}

/// The uses in an answer: line, kind, match and source.
fn uses(answer: &Value) -> Vec<String> {
    let text = |it: &Value| it.as_str().unwrap().to_owned();
    let one = |it: &Value| {
        let words = [&it["kind"], &it["match"], &it["source"]].map(text);
        format!("{}:{} {}", text(&it["path"]), it["line"], words.join(" "))
    };
    answer["references"].as_array().unwrap().iter().map(one).collect()
}

fn says(shop: &Repository, command: &[&str], words: &str) {
    let answer = shop.run(command);
    assert!(answer.code == 0 && answer.out.contains(words), "{}{}", answer.out, answer.err);
}

#[test]
fn uses_are_those_of_the_index_and_the_answer_says_so() {
    let shop = shop(&index());
    let before = shop.json(&["symbols", "Store.open", "--json"]);
    assert_eq!(uses(&before).len(), 3, "{before}");
    assert_eq!(before["precise"], Value::Null);
    says(&shop, &["index"], "precise: 3 of 3 files by scip-python 0.6.6, 10 names");
    let answer = shop.json(&["symbols", "Store.open", "--json"]);
    // The type checker does not know `c` either.
    let expect =
        ["use.py:6 call sure scip", "use.py:8 other sure scip", "use.py:9 call possible syntax"];
    assert_eq!(uses(&answer), expect);
    assert_eq!(answer["definitions"][0]["source"], "scip");
    let precise = &answer["precise"];
    assert_eq!((&precise["references"], &precise["outdated"]), (&json!(2), &json!([])));
    assert_eq!(
        (&precise["by"][0]["tool"], &precise["by"][0]["file"]),
        (&json!("scip-python"), &json!("index.scip"))
    );
    says(&shop, &["symbols", "Store.open"], "precise by scip-python 0.6.6 (index.scip, written ");
    says(&shop, &["status"], "precise: 3 files by scip-python 0.6.6 (index.scip, written ");
    let status = shop.json(&["status", "--json"]);
    assert_eq!(
        (&status["precise"][0]["files"], &status["precise"][0]["outdated"]),
        (&json!(3), &json!(0))
    );
}

#[test]
fn the_name_at_a_place_has_the_definition_of_the_index() {
    let shop = shop(&index());
    let at = |place: &str| shop.json(&["symbols", "--at", place, "--json"])["places"][0].clone();
    assert_eq!(at("use.py:7:7")["sure"], false);
    shop.run(&["index"]);
    let found = at("use.py:7:7");
    assert_eq!(
        (&found["sure"], &found["definitions"][0]["path"]),
        (&json!(true), &json!("door.py"))
    );
    assert_eq!(found["definitions"][0]["source"], "scip");
}

#[test]
fn an_attribute_that_a_method_sets_is_a_definition() {
    let shop = shop(&index());
    shop.run(&["index"]);
    let answer = shop.json(&["symbols", "Store.lock", "--json"]);
    let found = &answer["definitions"][0];
    assert_eq!((&found["path"], &found["start_line"]), (&json!("store.py"), &json!(3)));
    assert_eq!(
        (&found["symbol"], &found["kind"], &found["source"]),
        (&json!("Store.lock"), &json!("field"), &json!("scip"))
    );
}

#[test]
fn a_search_for_an_attribute_finds_where_a_method_sets_it() {
    let store = "//- store.py\nclass Store:\n    def open(self):\n        self.lock_id = 1\n";
    let many = "//- many.py\ndef run(it):\n    return it.lock_id, it.lock_id, it.lock_id\n";
    let shop = Repository::new(&format!("{store}{many}"));
    let lock = [(2, 13, 20, "scip-python python shop 1 store/Store#lock_id.", 1)];
    std::fs::write(shop.root().join("index.scip"), document("store.py", &lock)).unwrap();
    let first = || shop.json(&["search", "lock_id", "--json"])["results"][0].clone();
    assert_eq!(first()["path"], "many.py");
    shop.run(&["index"]);
    let found = first();
    assert_eq!(found["path"], "store.py", "{found}");
    assert!(found["reasons"].to_string().contains("defines lock_id"), "{found}");
}

#[test]
fn names_in_unchanged_lines_of_a_changed_file_move_and_the_others_fall_back_to_syntax() {
    let shop = shop(&index());
    shop.run(&["index"]);
    shop.write(
        "use.py",
        "from store import Store\nfrom door import Door\n# A remark.\n\n\ndef run(a, b):\n    a.open( )\n    b.open()\n    hook(a.open)\n",
    );
    let answer = shop.json(&["symbols", "Store.open", "--json"]);
    assert_eq!(uses(&answer), ["use.py:9 other sure scip", "use.py:7 call possible syntax"]);
    let precise = &answer["precise"];
    assert_eq!(
        (&precise["references"], &precise["moved"], &precise["outdated"]),
        (&json!(1), &json!(1), &json!(["use.py"]))
    );
    says(&shop, &["symbols", "Store.open"], "1 of 2 uses in unchanged lines of changed files");
    let at = shop.json(&["symbols", "--at", "use.py:8:7", "--json"])["places"][0].clone();
    assert_eq!((&at["sure"], &at["definitions"][0]["path"]), (&json!(true), &json!("door.py")));
    assert_eq!(shop.json(&["status", "--json"])["precise"][0]["outdated"], 1);
    // The definitions' file changes: one of them is in a changed line and keeps its symbol by its name.
    let shop = self::shop(&index());
    shop.run(&["index"]);
    shop.write(
        "store.py",
        "\nclass Store:\n    def open(self, it):\n        self.lock = 1\n        return self\n",
    );
    let answer = shop.json(&["symbols", "Store.open", "--json"]);
    assert_eq!(uses(&answer)[..2], ["use.py:6 call sure scip", "use.py:8 other sure scip"]);
    assert_eq!(answer["definitions"][0]["source"], "syntax");
    assert_eq!(answer["precise"]["outdated"], json!(["store.py"]));
    assert_eq!(shop.json(&["symbols", "Store.lock", "--json"])["definitions"][0]["start_line"], 4);
}

#[test]
fn a_rewritten_file_falls_back_to_syntax_alone() {
    let shop = shop(&index());
    shop.run(&["index"]);
    shop.write("use.py", "def run(a, b):\n    a.open()\n    c.close()\n    b.open()\n");
    let answer = shop.json(&["symbols", "Store.open", "--json"]);
    assert_eq!(uses(&answer), ["use.py:2 call possible syntax", "use.py:4 call possible syntax"]);
    assert_eq!(answer["precise"]["outdated"], json!(["use.py"]));
}

#[test]
fn overrides_are_listed_and_a_call_by_the_base_may_mean_one() {
    let shop = shop(&index_with(&implements(DOOR_OPEN, STORE_OPEN)));
    shop.run(&["index"]);
    let answer = shop.json(&["symbols", "Store.open", "--json"]);
    let found = &answer["implementations"];
    assert_eq!(
        (found.as_array().unwrap().len(), &found[0]["path"], &found[0]["symbol"]),
        (1, &json!("door.py"), &json!("Door.open"))
    );
    says(&shop, &["symbols", "Store.open"], "implemented or overridden 1 times\ndoor.py:2-3");
    let answer = shop.json(&["symbols", "Door.open", "--json"]);
    assert_eq!(answer["implementations"], json!([]));
    let expect = [
        "use.py:7 call sure scip",
        "use.py:6 call possible scip",
        "use.py:8 other possible scip",
        "use.py:9 call possible syntax",
    ];
    assert_eq!(uses(&answer), expect);
    // Both are asked for, and neither is one of the other.
    assert_eq!(shop.json(&["symbols", "open", "--json"])["implementations"], json!([]));
}

#[test]
fn a_bad_index_is_an_error_if_it_was_named_and_a_note_if_it_was_found() {
    let shop = shop(&index());
    shop.run(&["index"]);
    let whole = index();
    std::fs::write(shop.root().join("index.scip"), &whole[..whole.len() - 3]).unwrap();
    let words = [
        "index.scip was not imported",
        "it ends inside a document at byte",
        "run the indexer again",
    ];
    shop.run(&["index", "--scip", "index.scip"]).fails(3, &words);
    let found = shop.run(&["index"]);
    assert_eq!(found.code, 0);
    assert!(words.iter().all(|it| found.err.contains(it)), "{}", found.err);
    shop.run(&["index", "--scip", "nowhere.scip"]).fails(3, &["nowhere.scip", "cannot be read"]);
    assert_eq!(uses(&shop.json(&["symbols", "Store.open", "--json"])).len(), 3);
}

#[test]
fn documents_of_another_revision_or_outside_are_refused_and_named() {
    let other =
        [document("../store.py", &[]), document("door.py", &[(1, 6, 10, DOOR, 1)])].concat();
    let shop = shop(&[index(), other].concat());
    shop.write("store.py", "def open():\n    pass\n");
    let answer = shop.json(&["index", "--json"]);
    let scip = &answer["scip"][0];
    assert_eq!(
        (&scip["documents"], &scip["accepted"], &scip["refused"]),
        (&json!(5), &json!(2), &json!(3))
    );
    let reasons: Vec<&str> = scip["refusals"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["reason"].as_str().unwrap())
        .collect();
    assert!(reasons[0].contains("`Store` should be defined"), "{reasons:?}");
    assert!(reasons[1].contains("out of the root") && reasons[2].contains("twice"), "{reasons:?}");
}

#[test]
fn an_index_below_the_root_has_paths_of_its_directory() {
    let shop = Repository::new(&SHOP.replace("//- ", "//- packages/shop/"));
    let file = shop.root().join("packages/shop/index.scip");
    std::fs::write(&file, index()).unwrap();
    says(&shop, &["index", "--scip", "packages/shop/index.scip"], "3 of 3 files");
    let answer = shop.json(&["symbols", "Store.open", "--json"]);
    assert_eq!(answer["precise"]["by"][0]["file"], "packages/shop/index.scip");
}
