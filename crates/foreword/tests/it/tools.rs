//! The tools as callers without a protocol use them.

use foreword_engine::compose::Format;
use foreword_model::TokenCounter;
use foreword_session::host::Host;
use foreword_session::setup::Setup;
use foreword_session::tools::{
    BudgetScope, CallContext, Evidence, EvidenceReason, Repositories, Tool, ToolAnswer, call,
};
use serde_json::{Value, json};

use crate::Repository;

const SHOP: &str = "
//- stock.py
def take(stock, name):
    stock[name] -= 1
    return stock[name]
//- cart.py
from stock import take

def add(cart, stock, name):
    cart.append(name)
    take(stock, name)
//- empty.py
";

/// A repository whose tools can be called.
struct Shop {
    repository: Repository,
    repositories: Repositories,
}

impl Shop {
    fn new() -> Self {
        Self::of(Repository::new(SHOP))
    }

    fn of(repository: Repository) -> Self {
        let index_dir = Some(repository.index());
        let host = Host::new(Setup { index_dir, memory: 128 << 20, ..Setup::default() });
        let served = host.repository(&repository.root()).unwrap();
        Self { repository, repositories: Repositories::Served(vec![served]) }
    }

    #[track_caller]
    fn call(&self, tool: &str, arguments: Value) -> anyhow::Result<ToolAnswer> {
        self.call_counting(tool, arguments, BudgetScope::TextAndStructured)
    }

    #[track_caller]
    fn call_counting(
        &self,
        tool: &str,
        mut arguments: Value,
        counted: BudgetScope,
    ) -> anyhow::Result<ToolAnswer> {
        if arguments.is_object() {
            arguments["wait_ms"] = 60_000.into();
        }
        let mut on_indexing = |_| {};
        let repositories = &self.repositories;
        let mut context = CallContext { repositories, on_indexing: &mut on_indexing, counted };
        call(tool, arguments, &mut context)
    }

    #[track_caller]
    fn answer(&self, tool: &str, arguments: Value) -> ToolAnswer {
        self.call(tool, arguments).unwrap()
    }

    #[track_caller]
    fn error(&self, tool: &str, arguments: Value) -> String {
        self.call(tool, arguments).err().unwrap().to_string()
    }
}

#[test]
fn every_tool_answers_without_a_protocol() {
    let shop = Shop::new();
    let calls: [(Tool, Value); Tool::ALL.len()] = [
        (Tool::Search, json!({ "query": "take" })),
        (Tool::Context, json!({ "file": "cart.py", "line": 5 })),
        (Tool::Symbols, json!({ "name": "take" })),
        (Tool::Map, json!({})),
        (Tool::ReadLines, json!({ "file": "stock.py" })),
    ];
    for (tool, arguments) in calls {
        let it = shop.answer(tool.name(), arguments);
        assert!(it.text.contains("take"), "{}", it.text);
        assert!(!it.structured["results"].as_array().unwrap().is_empty(), "{}", it.structured);
    }
}

#[test]
fn every_argument_that_a_schema_names_is_accepted() {
    let shop = Shop::new();
    for tool in Tool::ALL {
        let schema = tool.input_schema(&shop.repositories.describe());
        let properties = schema["properties"].as_object().unwrap();
        let null = properties.keys().map(|name| (name.clone(), Value::Null)).collect();
        let mut arguments = Value::Object(null);
        for required in schema["required"].as_array().unwrap() {
            arguments[required.as_str().unwrap()] = "stock.py".into();
        }
        if tool == Tool::Search {
            arguments["mode"] = "auto".into();
        }
        if let Err(error) = shop.call(tool.name(), arguments) {
            assert!(!error.to_string().contains("unknown field"), "{error}");
        }
    }
}

#[test]
fn a_file_is_named_with_its_lines_as_answers_print_it() {
    let shop = Shop::new();
    let it = shop.answer("read", json!({ "file": "cart.py:3-4" }));
    assert!(it.text.starts_with("cart.py:3-4\n"), "{}", it.text);
    let it = shop.answer("read", json!({ "file": "cart.py:3-4:", "end_line": 3 }));
    assert!(it.text.starts_with("cart.py:3-3\n"), "{}", it.text);
    let at_line = shop.answer("context", json!({ "file": "cart.py", "line": 5 }));
    assert_eq!(shop.answer("context", json!({ "file": "cart.py:5" })).text, at_line.text);
    let whole = shop.answer("symbols", json!({ "file": "cart.py" })).text;
    assert_eq!(shop.answer("symbols", json!({ "file": "cart.py:3-5" })).text, whole);
    assert!(shop.error("read", json!({ "file": "cart.py:3-999" })).contains("999"));
    assert!(shop.error("read", json!({ "file": "none.py:3" })).contains("none.py"));
}

#[test]
fn a_budget_counts_what_the_caller_passes_on() {
    let shop = Shop::new();
    let lines = |counted| {
        let arguments = json!({ "query": "a", "mode": "regex", "tokens": 400 });
        let it = shop.call_counting("search", arguments, counted).unwrap();
        it.structured["results"].as_array().unwrap().len()
    };
    assert!(lines(BudgetScope::Text) > lines(BudgetScope::TextAndStructured));
}

#[test]
fn lines_are_read_with_their_numbers() {
    let shop = Shop::new();
    let it = shop.answer("read", json!({ "file": "cart.py", "start_line": 3, "end_line": 4 }));
    let text = "cart.py:3-4\n    3  def add(cart, stock, name):\n    4      cart.append(name)\n";
    assert!(it.text.starts_with(text), "{}", it.text);
    assert!(it.text.contains("\nlines 3-4 of 5\n"), "{}", it.text);
    let first = &it.structured["results"][0];
    assert_eq!((&first["start_line"], &first["end_line"]), (&3.into(), &4.into()));
    let it = shop.answer("read", json!({ "file": "empty.py" }));
    assert!(it.text.starts_with("empty.py is empty"), "{}", it.text);
}

#[test]
fn a_long_file_is_read_in_parts_within_the_budget() {
    let counter = TokenCounter::for_format(Format::named("none").unwrap(), None).unwrap();
    let shop = Shop::new();
    let line = |it: usize| format!("value_{it} = compute(\"{it}\", {it})\n");
    shop.repository.write("long.py", &(1..=500).map(line).collect::<String>());
    let (mut next, mut seen) = (Some(1), Vec::new());
    while let Some(start) = next {
        let it =
            shop.answer("read", json!({ "file": "long.py", "start_line": start, "tokens": 600 }));
        assert!(counter.count(&it.text) <= 600 && counter.count(&it.structured.to_string()) <= 600);
        let part = &it.structured["results"][0];
        seen.extend(part["start_line"].as_u64().unwrap()..=part["end_line"].as_u64().unwrap());
        next = it.structured["next_line"].as_u64();
    }
    assert_eq!(seen, (1..=500).collect::<Vec<u64>>());
}

#[test]
fn a_line_that_is_longer_than_the_budget_is_cut() {
    let shop = Shop::new();
    shop.repository.write("wide.py", &format!("x = [{}]\ny = 1\n", "12345, ".repeat(300)));
    let it = shop.answer("read", json!({ "file": "wide.py", "tokens": 400 }));
    assert!(it.text.contains("x = [12345") && it.text.contains('…'), "{}", it.text);
    assert_eq!(it.structured["next_line"], 2);
}

#[test]
fn a_wrong_call_is_told_the_remedy() {
    let shop = Shop::new();
    let check = |tool: &str, arguments: Value, expected: &str| {
        let error = shop.error(tool, arguments);
        assert!(error.contains(expected), "{error}");
    };
    check("grep", json!({}), "grep: no such tool; there are search, context, symbols, map, read");
    check("map", json!([]), "map: the arguments are not a JSON object");
    check("search", json!({}), "missing field `query`");
    check(
        "search",
        json!({ "query": "x", "where": "y" }),
        "unknown field `where`, expected one of",
    );
    check(
        "read",
        json!({ "file": "cart.py", "start_line": 9 }),
        "start_line 9: cart.py has 5 lines",
    );
    let backwards = json!({ "file": "cart.py", "start_line": 3, "end_line": 2 });
    check("read", backwards, "end_line 2: it is before start_line 3");
    check("read", json!({ "file": "none.py" }), "none.py is not in the index");
    check(
        "search",
        json!({ "query": "x", "limit": "ten" }),
        "search: limit: invalid type: string \"ten\"",
    );
    check("search", json!({ "query": "x", "limit": "ten" }), "; it takes an integer");
    check(
        "search",
        json!({ "query": "x", "mode": "fast" }),
        "search: mode: unknown variant `fast`",
    );
    check("search", json!({ "query": ["x"] }), "search: query: invalid type");
    check("search", json!({ "query": "x", "path": { "a": 1 } }), "; it takes a list of strings");
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of tools")]
fn an_answer_names_the_evidence_that_it_rests_on() {
    let shop = Shop::new();
    let check = |tool: Tool, arguments: Value, expected: &[(&str, (u32, u32), &str, &str)]| {
        let answer = shop.answer(tool.name(), arguments.clone());
        let row = |it: &Evidence| {
            let why = it.why.first().map_or("", EvidenceReason::code);
            (it.path.clone(), it.lines, it.symbol.clone(), why)
        };
        let found: Vec<_> = answer.evidence.iter().map(row).collect();
        let expected: Vec<_> = expected
            .iter()
            .map(|&(path, lines, symbol, why)| (path.to_owned(), lines, symbol.to_owned(), why))
            .collect();
        assert_eq!(found, expected);
        let snapshot = answer.structured["snapshot"].as_str().unwrap();
        for it in &answer.evidence {
            assert_eq!(&*it.snapshot, snapshot);
            let text = std::fs::read_to_string(shop.repository.root().join(&it.path)).unwrap();
            assert!(text.get(it.bytes.clone()).is_some_and(|it| !it.is_empty()), "{it:?}");
        }
        // The same question has the same evidence.
        assert_eq!(shop.answer(tool.name(), arguments).evidence, answer.evidence);
    };
    check(
        Tool::Symbols,
        json!({ "name": "take" }),
        &[("stock.py", (1, 3), "take", "defines"), ("cart.py", (5, 5), "add", "uses")],
    );
    check(
        Tool::Search,
        json!({ "query": "append", "mode": "exact" }),
        &[("cart.py", (4, 4), "add", "matches")],
    );
    check(
        Tool::Search,
        json!({ "query": "take", "mode": "symbol" }),
        &[("stock.py", (1, 3), "take", "defines")],
    );
    check(
        Tool::Search,
        json!({ "query": "append name" , "limit": 1 }),
        &[("cart.py", (3, 5), "add", "lexical")],
    );
    check(
        Tool::Context,
        json!({ "file": "stock.py", "line": 2 }),
        &[
            ("stock.py", (1, 3), "take", "requested"),
            ("cart.py", (5, 5), "add", "uses"),
            ("cart.py", (3, 5), "add", "lexical"),
        ],
    );
    check(
        Tool::ReadLines,
        json!({ "file": "cart.py", "start_line": 3, "end_line": 4 }),
        &[("cart.py", (3, 4), "", "requested")],
    );
}

#[test]
fn evidence_that_does_not_fit_the_budget_is_not_returned() {
    let shop = Shop::new();
    let line = |it: usize| format!("def value_{it}(number):\n    return take(number, {it})\n\n");
    shop.repository.write("long.py", &(1..=200).map(line).collect::<String>());
    let it = shop.answer("symbols", json!({ "name": "take", "tokens": 400 }));
    let results = it.structured["results"].as_array().unwrap();
    assert!(results.len() < 100);
    assert_eq!(it.evidence.len(), results.len());
}

#[test]
fn context_tells_where_the_next_edit_is_likely() {
    let shop = Shop::new();
    let answer = shop.call("context", json!({ "next": true, "file": "stock.py:1" })).unwrap();
    let places = answer.structured["results"].as_array().unwrap();
    let cart = places.iter().find(|it| it["path"] == "cart.py");
    let why = cart.unwrap_or_else(|| panic!("{}", answer.text))["why"].to_string();
    assert!(why.contains("take"), "{why}");
    let nothing = shop.call("context", json!({ "next": true })).unwrap().text;
    assert!(nothing.contains("no uncommitted changes"), "{nothing}");
    let error = shop.call("context", json!({ "next": true, "file": "stock.py", "line": 99 }));
    let error = error.err().unwrap().to_string();
    assert!(error.contains("stock.py has 3 lines"), "{error}");
}

#[test]
fn context_tells_the_lines_that_follow_from_an_edit() {
    let repository = Repository::new(SHOP);
    repository.git(&["init", "-q"]);
    repository.git(&["add", "."]);
    repository.git(&["commit", "-qm", "first"]);
    let stock = "def withdraw(stock, name):\n    stock[name] -= 1\n    return stock[name]\n";
    repository.write("stock.py", stock);
    let shop = Shop::of(repository);
    let answer = shop.call("context", json!({ "next": true })).unwrap();
    assert!(
        answer.text.contains("follows: line 1 becomes from stock import withdraw"),
        "{}",
        answer.text
    );
    let follows = "follows: line 5 becomes     withdraw(stock, name)";
    assert!(answer.text.contains(follows), "{}", answer.text);
    let edit = answer.structured.pointer("/results/0/edits/0").unwrap();
    assert_eq!((&edit["kind"], &edit["start_line"]), (&json!("rename"), &json!(1)), "{edit}");
}
