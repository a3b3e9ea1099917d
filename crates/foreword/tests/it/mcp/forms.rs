//! The forms that agents give arguments in, and the form that they get answers in.

use serde_json::{Value, json};

use super::{Client, SMALL, text_of};
use crate::Repository;

#[test]
fn an_agent_gets_text_alone_unless_structured_content_is_asked_for() {
    let repository = Repository::new(SMALL);
    let mut command = repository.command(&["mcp"]);
    command.env_remove("FOREWORD_STRUCTURED");
    let mut client = Client::spawn(command);
    let listed = client.ask("tools/list", json!({}))["result"]["tools"].clone();
    assert!(listed.as_array().unwrap().iter().all(|it| it.get("outputSchema").is_none()));
    let answer = client.call("search", json!({ "query": "return 42", "mode": "exact" }));
    assert!(answer.get("structuredContent").is_none(), "{answer}");
    assert!(text_of(&answer).contains("src/clock.py:2:5: return 42"), "{answer}");
    client.end();

    let mut client = Client::spawn(repository.command(&["mcp", "--structured"]));
    let listed = client.ask("tools/list", json!({}))["result"]["tools"].clone();
    assert!(listed.as_array().unwrap().iter().all(|it| it["outputSchema"].is_object()));
    let answer = client.call("search", json!({ "query": "return 42", "mode": "exact" }));
    assert_eq!(answer["structuredContent"]["results"][0]["path"], "src/clock.py", "{answer}");
    client.end();
}

#[test]
fn numbers_in_quotes_and_single_values_for_lists_are_taken() {
    let repository = Repository::new(SMALL);
    let mut client = Client::of(&repository);
    let mut paths = |arguments: Value| -> Vec<String> {
        let (_, found) = client.answer("search", arguments);
        crate::paths(&found).into_iter().map(str::to_owned).collect()
    };
    for limit in [json!("1"), json!(" 1 "), json!(1.0), json!("1.0"), json!(1)] {
        assert_eq!(paths(json!({ "query": "session", "limit": limit })).len(), 1);
    }
    for path in [json!("tests"), json!(["tests"]), json!("[\"tests\"]")] {
        let arguments = json!({ "query": "session", "path": path, "wait_ms": "60000" });
        assert_eq!(paths(arguments), ["tests/test_session.py"]);
    }
    assert_eq!(paths(json!({ "query": 42, "mode": "exact" })), ["src/clock.py"]);
    client.end();
}

#[test]
fn parameters_that_a_client_sends_without_a_value_have_their_defaults() {
    let repository = Repository::new(SMALL);
    let mut client = Client::of(&repository);
    let plain = client.answer("search", json!({ "query": "session" })).1;
    // As llama-index sends them, and as models fill schemas in which everything is required.
    for unset in [
        json!({ "mode": null, "path": null, "lang": null, "limit": null, "cursor": null, "repository": null }),
        json!({ "mode": "", "path": "", "lang": [], "kind": [""], "limit": 0, "cursor": "", "repository": " ", "wait_ms": "" }),
    ] {
        let mut arguments = unset.clone();
        arguments["query"] = "session".into();
        let answer = client.answer("search", arguments).1;
        assert_eq!(answer["results"], plain["results"], "{unset}");
    }
    let outline = client.answer("symbols", json!({ "file": "src/clock.py" })).1;
    let filled = json!({ "file": "src/clock.py", "name": "", "path": [], "cursor": "" });
    assert_eq!(client.answer("symbols", filled).1["results"], outline["results"]);
    let filled = json!({ "task": "the clock of a session", "file": "", "line": 0, "tokens": null });
    assert!(client.call("context", filled).get("isError").is_none_or(|it| it == false));
    let answer = client.call("search", json!({ "query": "" }));
    assert_eq!(answer["isError"], true, "{answer}");
    client.end();
}

#[test]
fn an_error_names_the_argument_and_what_it_takes_and_no_flag_of_the_command_line() {
    let repository = Repository::new(SMALL);
    let mut client = Client::of(&repository);
    for (arguments, words) in [
        (json!({ "query": "x", "limit": "many" }), ["limit", "an integer from 1 to 100"]),
        (json!({ "query": "x", "limit": [3] }), ["limit", "an integer from 1 to 100"]),
        (json!({ "query": "x", "path": { "a": 1 } }), ["path", "a list of strings"]),
        (json!({ "query": "x", "mode": "fuzzy" }), ["mode", "`exact`"]),
        (json!({ "query": ["x"] }), ["query", "a string"]),
        (json!({ "query": "foo(", "mode": "regex" }), ["`foo(`", "exact text"]),
        (json!({ "query": "x", "wait_ms": "soon" }), ["wait_ms", "an integer from 0 to 120000"]),
    ] {
        let answer = client.call("search", arguments.clone());
        let text = text_of(&answer);
        assert_eq!(answer["isError"], true, "{arguments}: {answer}");
        assert!(words.iter().all(|it| text.contains(it)), "{arguments}: {text}");
        assert!(!text.contains("--"), "{text}");
    }
    client.end();
}
