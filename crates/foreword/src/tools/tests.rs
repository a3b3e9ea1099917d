//! The tools as callers without a protocol use them.

use std::time::Duration;

use serde_json::{Value, json};

use super::{CallContext, Repositories, Tool, ToolAnswer, call};
use crate::host::{Host, Setup};

const SHOP: [(&str, &str); 3] = [
    ("stock.py", "def take(stock, name):\n    stock[name] -= 1\n    return stock[name]\n"),
    (
        "cart.py",
        "from stock import take\n\ndef add(cart, stock, name):\n    cart.append(name)\n    take(stock, name)\n",
    ),
    ("empty.py", ""),
];

/// A repository on the disk, which can be called.
struct Shop {
    directory: tempfile::TempDir,
    repositories: Repositories,
}

impl Shop {
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        for (path, text) in SHOP {
            write(&directory, path, text);
        }
        let index_dir = Some(directory.path().join("index"));
        let host =
            Host::new(Setup { here: true, index_dir, memory: 128 << 20, ..Setup::default() });
        let repository = host.repository(&directory.path().join("shop")).unwrap();
        Self { directory, repositories: Repositories::Served(vec![repository]) }
    }

    #[track_caller]
    fn call(&self, tool: &str, mut arguments: Value) -> anyhow::Result<ToolAnswer> {
        if arguments.is_object() {
            arguments["wait_ms"] = (Duration::from_mins(1).as_millis() as u64).into();
        }
        let mut on_indexing = |_| {};
        let mut context =
            CallContext { repositories: &self.repositories, on_indexing: &mut on_indexing };
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

fn write(directory: &tempfile::TempDir, path: &str, text: &str) {
    let path = directory.path().join("shop").join(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

#[test]
fn every_tool_answers_without_a_protocol() {
    let shop = Shop::new();
    for (tool, arguments) in [
        (Tool::Search, json!({ "query": "take" })),
        (Tool::Context, json!({ "file": "cart.py", "line": 5 })),
        (Tool::Symbols, json!({ "name": "take" })),
        (Tool::Map, json!({})),
        (Tool::ReadLines, json!({ "file": "stock.py" })),
    ] {
        let it = shop.answer(tool.name(), arguments);
        assert!(it.text.contains("take"), "{}", it.text);
        assert!(!it.structured["results"].as_array().unwrap().is_empty(), "{}", it.structured);
    }
}

#[test]
fn every_argument_that_a_schema_names_is_accepted() {
    let shop = Shop::new();
    for tool in Tool::ALL {
        let schema = tool.input_schema(&shop.repositories);
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
    let shop = Shop::new();
    let line = |it: usize| format!("value_{it} = compute(\"{it}\", {it})\n");
    write(&shop.directory, "long.py", &(1..=500).map(line).collect::<String>());
    let (mut next, mut seen) = (Some(1), Vec::new());
    while let Some(start) = next {
        let it =
            shop.answer("read", json!({ "file": "long.py", "start_line": start, "tokens": 600 }));
        let counter = crate::answer::tokens::general().unwrap();
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
    write(&shop.directory, "wide.py", &format!("x = [{}]\ny = 1\n", "12345, ".repeat(300)));
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
}
