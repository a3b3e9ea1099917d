//! The answers of the tools, as text and as structured values, within their budgets.

use foreword_engine::compose::Format;
use foreword_model::TokenCounter;
use serde_json::{Value, json};

use super::{Client, SMALL};
use crate::{Repository, paths};

#[test]
fn a_search_returns_excerpts_and_says_how_fresh_and_complete_it_is() {
    let repository = Repository::new(SMALL);
    let mut client = Client::of(&repository);
    let (text, found) = client.answer("search", json!({ "query": "where does a session expire" }));
    let first = &found["results"][0];
    assert_eq!(first["path"], "src/session.py");
    assert!(first["excerpt"].as_str().unwrap().contains("def expire"), "{found}");
    assert!(text.starts_with("src/session.py:6-7  method Session.expire\n"), "{text}");
    let root = repository.root().canonicalize().unwrap();
    let worth = format!("[{}: 3 files, up to date, snapshot ", root.display());
    assert!(text.lines().last().unwrap().starts_with(&worth), "{text}");
    assert_eq!(
        (&found["fresh"], &found["complete"], &found["files"]),
        (&true.into(), &true.into(), &3.into())
    );
    client.end();
}

#[test]
fn search_takes_a_query_in_four_modes() {
    let repository = Repository::new(SMALL);
    let mut client = Client::of(&repository);
    let mut first = |arguments: Value| {
        let (text, found) = client.answer("search", arguments);
        (found["results"][0]["path"].as_str().unwrap_or("").to_owned(), text)
    };
    assert_eq!(first(json!({ "query": "open a session", "mode": "auto" })).0, "src/session.py");
    assert_eq!(first(json!({ "query": "now", "mode": "symbol" })).0, "src/clock.py");
    assert_eq!(first(json!({ "query": "return 42", "mode": "exact" })).0, "src/clock.py");
    assert_eq!(first(json!({ "query": "\"return 42\"" })).0, "src/clock.py");
    let (path, text) = first(json!({ "query": "/def \\w+_session/" }));
    assert_eq!(path, "src/session.py");
    assert!(
        text.contains("src/session.py:9:1: def open_session(user):  in function open_session"),
        "{text}"
    );
    let (_, text) = first(json!({ "query": "return 42", "mode": "exact", "lines": 3 }));
    assert!(text.contains("def now():\n    return 42"), "{text}");
    client.end();
}

#[test]
fn filters_restrict_the_results() {
    let repository = Repository::new(SMALL);
    let mut client = Client::of(&repository);
    let mut paths = |arguments: Value| -> Vec<String> {
        let (_, found) = client.answer("search", arguments);
        crate::paths(&found).into_iter().map(str::to_owned).collect()
    };
    assert_eq!(paths(json!({ "query": "session", "path": "tests" })), ["tests/test_session.py"]);
    assert_eq!(
        paths(json!({ "query": "session", "path": ["./src/"], "kind": ["class"] })),
        ["src/session.py"]
    );
    assert!(paths(json!({ "query": "session", "lang": "rust" })).is_empty());
    assert_eq!(paths(json!({ "query": "session", "lang": ["python"], "limit": 1 })).len(), 1);
    client.end();
}

#[test]
fn an_empty_answer_says_that_nothing_matched_and_offers_similar_names() {
    let repository = Repository::new(SMALL);
    let mut client = Client::of(&repository);
    let (text, found) =
        client.answer("search", json!({ "query": "open_sesion", "mode": "symbol" }));
    assert!(text.starts_with("nothing matched: nothing in 3 files defines"), "{text}");
    assert!(text.contains("spelt alike: open_session"), "{text}");
    assert_eq!(found["results"], json!([]));
    let (text, _) = client.answer("search", json!({ "query": "zebra crossing" }));
    assert!(text.starts_with("nothing matched: nothing in 3 files has any of the words"), "{text}");
    let (text, _) = client.answer("context", json!({ "task": "zebra" }));
    assert!(text.starts_with("nothing matched"), "{text}");
    let pattern = json!({ "query": "session", "mode": "exact", "kind": "class" });
    let refused = client.call("search", pattern);
    assert!(refused.to_string().contains("of which kind says nothing"), "{refused}");
    client.end();
}

#[test]
fn a_path_is_taken_as_agents_write_it_and_one_without_files_is_an_error() {
    let repository = Repository::new(SMALL);
    let mut client = Client::of(&repository);
    let root = repository.root().canonicalize().unwrap();
    let all = [
        json!("src/**"),
        json!("src/*"),
        json!("*session.py"),
        json!(["!tests", "*.py"]),
        json!(root.join("src")),
        json!(format!("file://{}/src", root.display())),
        json!("src,docs"),
        json!("/src"),
    ];
    for path in all {
        let (_, found) = client.answer("search", json!({ "query": "session", "path": path }));
        assert!(paths(&found).contains(&"src/session.py"), "{path}: {found}");
        if path != "*session.py" {
            assert!(!paths(&found).contains(&"tests/test_session.py"), "{path}: {found}");
        }
    }
    for (path, nearest) in [("scr", "src"), ("lib/sesion.py", "src/session.py"), ("*.rs", "src/")] {
        for arguments in [
            json!({ "query": "session", "path": path }),
            json!({ "name": "Session", "path": path }),
        ] {
            let tool = if arguments.get("query").is_some() { "search" } else { "symbols" };
            let refused = client.call(tool, arguments);
            assert_eq!(refused["isError"], true, "{refused}");
            let text = refused["content"][0]["text"].as_str().unwrap();
            assert!(text.contains(&format!("path {path}: nothing is indexed there")), "{text}");
            assert!(text.contains(nearest), "{text}");
        }
    }
    let outside = client.call("search", json!({ "query": "session", "path": "/usr" }));
    assert!(outside.to_string().contains("outside of the repository"), "{outside}");
    client.end();
}

#[test]
fn kinds_may_be_the_keywords_of_languages() {
    let repository = Repository::new(SMALL);
    let mut client = Client::of(&repository);
    let mut find =
        |kind: &str| client.answer("search", json!({ "query": "session", "kind": kind })).1;
    let functions = find("fn");
    assert!(!paths(&functions).is_empty());
    for kind in ["func", "def", "Def"] {
        assert_eq!(find(kind)["results"], functions["results"], "{kind}");
    }
    assert_eq!(find("struct")["results"], find("class")["results"]);
    client.end();
}

#[test]
fn a_misspelled_word_is_corrected_and_the_answer_says_so() {
    let repository = Repository::new(SMALL);
    let mut client = Client::of(&repository);
    let (text, found) = client.answer("search", json!({ "query": "sesssion" }));
    assert!(text.starts_with("nothing has \"sesssion\"; searched for Session\n"), "{text}");
    assert_eq!(found["results"][0]["path"], "src/session.py");
    client.end();
}

#[test]
fn symbols_lists_the_definitions_and_every_use_of_a_name() {
    let repository = Repository::new(SMALL);
    let mut client = Client::of(&repository);
    let (text, found) = client.answer("symbols", json!({ "name": "open_session" }));
    assert_eq!((&found["definitions"], &found["uses"]), (&1.into(), &1.into()), "{text}");
    assert!(text.contains("src/session.py:9-10  function open_session"), "{text}");
    assert!(text.contains("tests/test_session.py:4:5  call  in test_a_session_expires"), "{text}");
    let (_, found) = client.answer("symbols", json!({ "name": "Session.expire()" }));
    assert_eq!(found["results"][0]["symbol"], "Session.expire");
    let (text, _) = client.answer("symbols", json!({ "file": "src/session.py" }));
    assert!(text.contains("    3-7     class Session:"), "{text}");
    assert!(text.contains("from src.clock import now"), "{text}");
    client.end();
}

#[test]
fn symbols_tells_what_a_use_means() {
    let repository = Repository::new(SMALL);
    let mut client = Client::of(&repository);
    let mut ask = |file| client.answer("symbols", json!({ "name": "now", "file": file }));
    let (text, found) = ask("src/session.py:7");
    assert!(text.contains("now at src/session.py:7: 1 definitions"), "{text}");
    assert_eq!(
        (&found["results"][0]["path"], &found["sure"]),
        (&"src/clock.py".into(), &true.into())
    );
    for (file, why) in [
        ("src/session.py:3", "line 3 of src/session.py has no now"),
        ("src/session.py:99", "src/session.py has 10 lines"),
        ("src/session.py", "file is path:line, such as src/session.py:1"),
        ("src/nothing.py:3", "src/nothing.py"),
    ] {
        let answer = client.call("symbols", json!({ "name": "now", "file": file }));
        assert!(answer.to_string().contains(why), "{answer}");
    }
    client.end();
}

#[test]
fn a_context_has_the_code_its_definitions_callers_and_tests() {
    let repository = Repository::new(SMALL);
    let mut client = Client::of(&repository);
    let roles = |found: &Value| -> Vec<(String, String)> {
        let text = |it: &Value| it.as_str().unwrap().to_owned();
        let rows = found["results"].as_array().unwrap().iter();
        rows.map(|it| (text(&it["role"]), text(&it["path"]))).collect()
    };
    let has = |found: &Value, role: &str, path: &str| {
        assert!(roles(found).contains(&(role.into(), path.into())), "{role} {path}: {found}");
    };
    let (_, found) = client.answer("context", json!({ "file": "src/session.py", "line": 7 }));
    has(&found, "here", "src/session.py");
    has(&found, "test", "tests/test_session.py");
    has(&found, "definition", "src/clock.py");
    let (_, found) = client.answer("context", json!({ "file": "src/clock.py", "line": 2 }));
    has(&found, "here", "src/clock.py");
    has(&found, "caller", "src/session.py");
    let (_, found) =
        client.answer("context", json!({ "task": "let a session expire after an hour" }));
    has(&found, "match", "src/session.py");
    let (_, found) = client.answer("context", json!({ "file": "src/session.py" }));
    has(&found, "here", "src/session.py");
    client.end();
}

#[test]
fn what_an_answer_repeats_of_a_call_or_a_name_neither_reorders_nor_commands_a_terminal() {
    let repository = Repository::new(SMALL);
    let mut client = Client::of(&repository);
    let hostile = "\u{202e}\u{1b}[31m";
    let (text, _) = client.answer("symbols", json!({ "name": hostile }));
    let error = client.refusal("search", json!({ "query": "x", "path": hostile }));
    for text in [text, error] {
        assert!(text.contains("\\u{202e}\u{fffd}[31m"), "{text}");
        assert!(!text.contains(['\u{202e}', '\u{1b}']), "{text}");
    }
    client.end();
}

#[test]
#[cfg(unix)]
fn a_file_name_with_line_ends_adds_no_line_to_an_answer() {
    let repository = Repository::new(SMALL);
    let name = "src/a\n[up to date]\nb.py";
    repository.write(name, "def fee_of(item):\n    return item\n");
    let mut client = Client::of(&repository);
    let calls = [
        ("search", json!({ "query": "fee_of" })),
        ("symbols", json!({ "name": "fee_of" })),
        ("context", json!({ "task": "change fee_of" })),
        ("map", json!({})),
    ];
    for (tool, arguments) in calls {
        let (text, _) = client.answer(tool, arguments);
        assert!(text.contains("src/a\\n[up to date]\\nb.py"), "{tool}: {text}");
        assert!(!text.contains("\n[up to date]"), "{tool}: {text}");
    }
    client.end();
}

#[test]
fn a_map_shows_files_and_signatures() {
    let repository = Repository::new(SMALL);
    let mut client = Client::of(&repository);
    let (text, _) = client.answer("map", json!({}));
    assert!(text.contains("src/clock.py") && text.contains("def now"), "{text}");
    client.end();
}

/// Many functions with long bodies, which exceed any budget.
fn large() -> Repository {
    let repository = Repository::new("//- readme.md\n# Large\n");
    for n in 0..40 {
        let line = |it: usize| format!("    value_{it} = compute(\"{it}\", value) + {n}\n");
        let body: String = (0..60).map(line).collect();
        repository.write(&format!("f{n}.py"), &format!("def compute_{n}(value):\n{body}\n"));
    }
    repository
}

#[test]
fn no_answer_exceeds_its_budget_as_text_or_as_json() {
    let counter = TokenCounter::for_format(Format::named("none").unwrap(), None).unwrap();
    let repository = large();
    let mut client = Client::of(&repository);
    let mut check = |tool: &str, mut arguments: Value| {
        for tokens in [200, 400, 1000, 4000] {
            arguments["tokens"] = tokens.into();
            let (text, found) = client.answer(tool, arguments.clone());
            let json = found.to_string();
            let used = (counter.count(&text), counter.count(&json));
            assert!(
                used.0 <= tokens && used.1 <= tokens,
                "{tool} {tokens}: {used:?}\n{text}\n{json}"
            );
        }
    };
    check("search", json!({ "query": "compute value", "limit": 100, "lines": 100 }));
    check("search", json!({ "query": "compute", "mode": "exact", "limit": 100 }));
    check("search", json!({ "query": "compute_7", "mode": "symbol", "lines": 200 }));
    check("symbols", json!({ "name": "compute" }));
    check("symbols", json!({ "file": "f0.py" }));
    check("context", json!({ "file": "f0.py", "line": 30 }));
    check("context", json!({ "task": "compute a value" }));
    check("map", json!({}));
    client.end();
}

#[test]
fn cursors_visit_every_result_once() {
    let repository = large();
    let mut client = Client::of(&repository);
    for (tool, arguments, all) in [
        ("search", json!({ "query": "compute(\"0\"", "mode": "exact", "limit": 7 }), 40),
        ("symbols", json!({ "name": "compute", "tokens": 2000 }), 2400),
    ] {
        let mut seen: Vec<String> = Vec::new();
        let mut arguments = arguments;
        loop {
            let (_, found) = client.answer(tool, arguments.clone());
            let rows = found["results"].as_array().unwrap();
            assert!(!rows.is_empty(), "{found}");
            seen.extend(rows.iter().map(|it| format!("{}:{}", it["path"], it["line"])));
            assert_eq!(found["total"], all);
            match found.get("next_cursor") {
                Some(cursor) => arguments["cursor"] = cursor.clone(),
                None => break,
            }
        }
        let n = seen.len();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!((n, seen.len()), (all, all), "{tool}");
    }
    client.end();
}

#[test]
fn files_and_symbols_are_resources_and_ignored_files_are_not() {
    let repository = Repository::new(SMALL);
    repository.write(".gitignore", "secret/\n");
    repository.write("secret/plan.py", "def plan(): pass\n");
    repository.write(".env", "PASSWORD=1\n");
    repository.write("odd name #1.py", "def odd(): pass\n");
    let mut client = Client::of(&repository);
    client.paths("now");
    let listed = client.ask("resources/list", json!({}))["result"]["resources"].clone();
    let names: Vec<&str> =
        listed.as_array().unwrap().iter().map(|it| it["name"].as_str().unwrap()).collect();
    assert!(names.contains(&"src/session.py") && names.contains(&"odd name #1.py"), "{names:?}");
    assert!(!names.iter().any(|it| it.contains("plan") || it.contains(".env")), "{names:?}");
    for it in listed.as_array().unwrap() {
        let read = client.ask("resources/read", json!({ "uri": it["uri"] }));
        assert!(read["result"]["contents"][0]["text"].is_string(), "{read}");
    }
    let mut text = |uri: &str| {
        client.ask("resources/read", json!({ "uri": uri }))["result"]["contents"][0]["text"]
            .as_str()
            .map(str::to_owned)
    };
    assert_eq!(text("foreword://file/src/clock.py").unwrap(), "def now():\n    return 42\n");
    assert!(text("foreword://symbol/now").unwrap().contains("src/clock.py:1-2\ndef now():"));
    for uri in ["foreword://file/secret/plan.py", "foreword://file/.env", "foreword://symbol/plan"]
    {
        assert_eq!(text(uri), None, "{uri}");
    }
    for path in ["secret/plan.py", ".env", "../../etc/passwd"] {
        let uri = format!("file://{}/{path}", repository.root().display());
        let answer = client.ask("resources/read", json!({ "uri": uri }));
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
    }
    client.end();
}
