//! Precise facts on a cluster: definitions and uses by SCIP indexes, in one repository and across several. Needs a real
//! OpenSearch, whose address `FOREWORD_OPENSEARCH` has.

use serde_json::{Value, json};

use crate::mcp::Client;
use crate::scip::{Name, bytes, document, document_with, implements};
use crate::{Repository, Run, skipped};

const SHOP: &str = "
//- shop/__init__.py
//- shop/store.py
class Store:
    def open(self):
        self.lock = 1
        return self
//- shop/door.py
class Door:
    def open(self):
        return self
//- use.py
from shop.store import Store
from shop.door import Door


def run(a, b):
    a.open()
    b.open()
    hook(a.open)
    c.open()
";

/// Uses the package of the shop, and has an `open` of its own.
const WEB: &str = "
//- own.py
class Page:
    def open(self):
        return self
//- app.py
from shop.store import Store
from shop.door import Door
from own import Page


def main(a, b, c):
    a.open()
    b.open()
    c.open()
";

/// Uses it without an index of its own.
const CLI: &str = "
//- main.py
from shop.store import Store


def main(a):
    a.open()
//- other.py
def other(file):
    file.open()
";

const STORE: &str = "scip-python python shop 1 `shop.store`/Store#";
const STORE_OPEN: &str = "scip-python python shop 1 `shop.store`/Store#open().";
const STORE_LOCK: &str = "scip-python python shop 1 `shop.store`/Store#lock.";
const DOOR: &str = "scip-python python shop 1 `shop.door`/Door#";
const DOOR_OPEN: &str = "scip-python python shop 1 `shop.door`/Door#open().";
/// The version of the package is another one where it is used.
const USED_STORE_OPEN: &str = "scip-python python shop 2.0 `shop.store`/Store#open().";
const USED_DOOR_OPEN: &str = "scip-python python shop 2.0 `shop.door`/Door#open().";
const PAGE: &str = "scip-python python web 1 own/Page#";
const PAGE_OPEN: &str = "scip-python python web 1 own/Page#open().";

/// An index of these documents.
fn index(documents: &[Vec<u8>]) -> Vec<u8> {
    let tool = [bytes(1, b"scip-python"), bytes(2, b"0.6.6")].concat();
    [bytes(1, &bytes(2, &tool)), documents.concat()].concat()
}

fn index_of_shop() -> Vec<u8> {
    let store = [(0, 6, 11, STORE, 1), (1, 8, 12, STORE_OPEN, 1), (2, 13, 17, STORE_LOCK, 1)];
    let door = [(0, 6, 10, DOOR, 1), (1, 8, 12, DOOR_OPEN, 1)];
    let uses: [Name; 5] = [
        (0, 23, 28, STORE, 8),
        (1, 22, 26, DOOR, 8),
        (5, 6, 10, STORE_OPEN, 8),
        (6, 6, 10, DOOR_OPEN, 8),
        (7, 11, 15, STORE_OPEN, 8),
    ];
    index(&[
        document("shop/store.py", &store),
        document_with("shop/door.py", &door, &implements(DOOR_OPEN, STORE_OPEN)),
        document("use.py", &uses),
    ])
}

fn index_of_web() -> Vec<u8> {
    let own = [(0, 6, 10, PAGE, 1), (1, 8, 12, PAGE_OPEN, 1)];
    let uses =
        [(6, 6, 10, USED_STORE_OPEN, 8), (7, 6, 10, USED_DOOR_OPEN, 8), (8, 6, 10, PAGE_OPEN, 8)];
    index(&[document("own.py", &own), document("app.py", &uses)])
}

/// An index of its own on the cluster.
struct Cloud {
    url: String,
    index: String,
}

impl Cloud {
    fn new(test: &str) -> Option<Self> {
        let Ok(url) = std::env::var("FOREWORD_OPENSEARCH") else {
            skipped(test, "FOREWORD_OPENSEARCH is not set; see ci/opensearch/cluster");
            return None;
        };
        Some(Self { url, index: format!("{test}-{}", std::process::id()) })
    }

    fn args<'a>(&'a self, args: &[&'a str]) -> Vec<&'a str> {
        [args, &["--cluster", &self.url, "--cluster-index", &self.index]].concat()
    }

    /// Pushes a repository with the facts of its index.
    fn push(&self, repository: &Repository, name: &str, more: &[&str]) -> Run {
        let args = [&["push", "--repository", name][..], more].concat();
        let run = repository.run(&self.args(&args));
        assert_eq!(run.code, 0, "{run:?}");
        run
    }

    fn json(&self, clone: &Repository, args: &[&str]) -> Value {
        clone.json(&self.args(args))
    }
}

/// A repository whose SCIP index, if it has one, was imported.
fn repository(files: &str, index: Option<Vec<u8>>) -> Repository {
    let res = Repository::new(files);
    if let Some(index) = index {
        std::fs::write(res.root().join("index.scip"), index).unwrap();
        assert!(res.run(&["index"]).out.contains("precise: "));
    }
    res
}

/// An answer about a name without times, the age of an index included.
fn comparable(mut it: Value) -> Value {
    for field in ["elapsed_ms", "similar", "repository", "branch", "uses_of"] {
        it.as_object_mut().unwrap().remove(field);
    }
    let by = it["precise"]["by"].as_array_mut().into_iter().flatten();
    by.for_each(|it| it["age_s"] = Value::Null);
    it
}

/// In one repository, the answer is that of the clone's index.
#[track_caller]
fn check_parity(cloud: &Cloud, clone: &Repository, name: &str, more: &[&str]) {
    for asked in ["Store.open", "Door.open", "open", "Store.lock", "lock", "Store", "Page.open"] {
        let here = clone.run(&["symbols", "--json", asked]);
        let here: Value = serde_json::from_str(&here.out).unwrap();
        let args = [&["symbols", "--json", asked, "--repository", name][..], more].concat();
        let there = clone.run(&cloud.args(&args));
        let there: Value = serde_json::from_str(&there.out).unwrap();
        match there["repositories"].as_array().unwrap().first() {
            Some(it) => assert_eq!(comparable(it.clone()), comparable(here), "{asked}"),
            None => assert!(here["definitions"].as_array().unwrap().is_empty(), "{asked}: {here}"),
        }
    }
}

/// The uses of a repository in an answer over several: place, certainty and source.
fn uses(answer: &Value, repository: &str) -> Vec<String> {
    let all = answer["repositories"].as_array().unwrap();
    let Some(it) = all.iter().find(|it| it["repository"] == repository) else { return Vec::new() };
    let text = |it: &Value| it.as_str().unwrap().to_owned();
    let one = |it: &Value| {
        let [path, certainty, source] = [&it["path"], &it["match"], &it["source"]].map(text);
        format!("{path}:{} {certainty} {source}", it["line"])
    };
    it["references"].as_array().unwrap().iter().map(one).collect()
}

fn uses_of(answer: &Value, repository: &str) -> Value {
    let all = answer["repositories"].as_array().unwrap();
    let it = all.iter().find(|it| it["repository"] == repository);
    it.map(|it| it["uses_of"].clone()).unwrap_or_default()
}

#[test]
fn what_indexers_said_is_pushed_and_answers_as_in_the_clone() {
    let Some(cloud) = Cloud::new("precise-parity") else { return };
    let shop = repository(SHOP, Some(index_of_shop()));
    let run = cloud.push(&shop, "acme/shop", &[]);
    assert!(run.out.contains("4 of 4 files sent, precise facts of 3 of 3 files"), "{run:?}");
    check_parity(&cloud, &shop, "acme/shop", &[]);
    assert!(cloud.push(&shop, "acme/shop", &[]).out.contains("nothing new"));
    // A search finds what only an index sees, too.
    let [here, there] = [vec![], cloud.args(&["--repository", "acme/shop"])].map(|more| {
        shop.json(&[&["search", "--json", "lock"], &more[..]].concat())["results"].clone()
    });
    assert_eq!(here, there);

    // The same facts by a later run of the indexer: only where they come from is new.
    std::fs::write(shop.root().join("index.scip"), index_of_shop()).unwrap();
    let file = std::fs::File::options().write(true).open(shop.root().join("index.scip")).unwrap();
    file.set_modified(std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(9))
        .unwrap();
    shop.run(&["index"]);
    let again: Value =
        serde_json::from_str(&cloud.push(&shop, "acme/shop", &["--json"]).out).unwrap();
    assert_eq!((&again["sent_files"], &again["sent_facts"]), (&json!(0), &json!(0)), "{again}");
    assert!(again["sent_pages"].as_u64().unwrap() > 0 && again["unchanged"] == false, "{again}");
    check_parity(&cloud, &shop, "acme/shop", &[]);

    // A changed file has the facts of its unchanged lines.
    let text = std::fs::read_to_string(shop.root().join("use.py")).unwrap();
    shop.write(
        "use.py",
        &text.replace("def run", "# A remark.\ndef run").replace("b.open", "b .open"),
    );
    // Not pushed yet, it counts by what differs on disk; an agent sees it at once.
    cloud.push(&shop, "acme/shop", &[]);
    check_parity(&cloud, &shop, "acme/shop", &[]);
    let removed = shop.run(&cloud.args(&["push", "--remove-all", "--repository", "acme/shop"]));
    assert!(removed.out.contains("none is left"), "{removed:?}");
}

#[test]
fn an_agent_reads_precise_uses_of_a_pushed_repository() {
    let Some(cloud) = Cloud::new("precise-agent") else { return };
    let shop = repository(SHOP, Some(index_of_shop()));
    cloud.push(&shop, "acme/shop", &[]);
    let mut there = Client::spawn(shop.command(&cloud.args(&["mcp", "--repository", "acme/shop"])));
    let mut here = Client::of(&shop);
    let without_age = |text: &str| {
        let lines = text.trim_end().rsplit_once('\n').map_or("", |it| it.0);
        lines.split(", written ").next().unwrap().to_owned()
    };
    for arguments in
        [json!({ "name": "Store.open" }), json!({ "name": "open", "file": "use.py:7" })]
    {
        let [there, here] =
            [&mut there, &mut here].map(|it| it.answer("symbols", arguments.clone()));
        assert_eq!(there.1["results"], here.1["results"], "{arguments}");
        assert_eq!(without_age(&there.0), without_age(&here.0), "{arguments}");
    }
    let (text, _) = there.answer("symbols", json!({ "name": "Store.open" }));
    assert!(text.contains("precise by scip-python 0.6.6 (index.scip"), "{text}");
    there.end();
    here.end();
    shop.run(&cloud.args(&["push", "--remove-all", "--repository", "acme/shop"]));
}

fn check_across(cloud: &Cloud, shop: &Repository, more: &[&str]) {
    let ask = |name: &str| cloud.json(shop, &[&["symbols", "--json", name], more].concat());
    let answer = ask("Store.open");
    let names: Vec<&Value> =
        answer["repositories"].as_array().unwrap().iter().map(|it| &it["repository"]).collect();
    assert!(names.contains(&&json!("acme/web")) && names.contains(&&json!("acme/cli")), "{answer}");
    // The type checker of the user knows which `open` is which: its own stands in line 9.
    let web = uses(&answer, "acme/web");
    assert!(web.contains(&"app.py:7 sure scip".to_owned()), "{web:?}");
    assert!(!web.iter().any(|it| it.starts_with("app.py:8")), "{web:?}");
    let by_symbol = json!([{ "repository": "acme/shop", "package": "python shop", "source": "scip", "references": 1 }]);
    assert_eq!(uses_of(&answer, "acme/web"), by_symbol);
    // Without an index, the package that a file imports tells.
    let by_syntax = json!([{ "repository": "acme/shop", "package": "shop", "source": "syntax", "references": 1 }]);
    assert_eq!(uses_of(&answer, "acme/cli"), by_syntax);
    assert_eq!(uses(&answer, "acme/cli").len(), 2, "{answer}");
    let text = shop.run(&cloud.args(&[&["symbols", "Store.open"], more].concat())).out;
    assert!(text.contains("1 uses of acme/shop, by SCIP symbols of python shop"), "{text}");
    assert!(text.contains("1 uses of acme/shop, by syntax and imports of shop"), "{text}");

    // An agent is told the same.
    let args = [&["mcp", "--repository", "acme/*"], more].concat();
    let mut agent = Client::spawn(shop.command(&cloud.args(&args)));
    let (text, found) = agent.answer("symbols", json!({ "name": "Store.open" }));
    agent.end();
    for it in [
        "acme/web: 1 uses of acme/shop, by SCIP symbols of python shop",
        "acme/cli: 1 uses of acme/shop, by syntax and imports of shop",
    ] {
        assert!(text.lines().any(|line| line == it), "{text}");
        assert!(found["uses_of"].as_array().unwrap().contains(&json!(it)), "{found}");
    }

    let door = uses(&ask("Door.open"), "acme/web");
    assert!(door.contains(&"app.py:8 sure scip".to_owned()), "{door:?}");
    assert!(!door.iter().any(|it| it.starts_with("app.py:7")), "{door:?}");
}

#[test]
fn uses_in_other_repositories_are_found_by_symbol_else_by_package() {
    let Some(cloud) = Cloud::new("precise-across") else { return };
    let all = [
        ("acme/shop", repository(SHOP, Some(index_of_shop()))),
        ("acme/web", repository(WEB, Some(index_of_web()))),
        ("acme/cli", repository(CLI, None)),
    ];
    for (name, it) in &all {
        cloud.push(it, name, &[]);
    }
    check_across(&cloud, &all[0].1, &[]);
    check_parity(&cloud, &all[1].1, "acme/web", &[]);
    for (name, it) in &all {
        it.run(&cloud.args(&["push", "--remove-all", "--repository", name]));
    }
    // With a key, the cluster has neither symbols nor facts in the clear.
    let key = all[0].1.root().with_file_name("key");
    std::fs::write(&key, "0123456789abcdef0123456789abcdef").unwrap();
    let keyed = ["--cluster-key", key.to_str().unwrap()];
    for (name, it) in &all {
        cloud.push(it, name, &keyed);
    }
    check_across(&cloud, &all[0].1, &keyed);
    check_parity(&cloud, &all[0].1, "acme/shop", &keyed);
    for (name, it) in &all {
        it.run(&cloud.args(&["push", "--remove-all", "--repository", name]));
    }
}
