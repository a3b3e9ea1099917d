//! Both eras of the protocol: stateless requests, and sessions that open with `initialize`.

use serde_json::{Value, json};

use super::{Client, LATEST, SMALL};
use crate::Repository;

fn initialize(client: &mut Client, version: &str, capabilities: &Value) -> Value {
    let params = json!({
        "protocolVersion": version,
        "capabilities": capabilities,
        "clientInfo": { "name": "test", "version": "1" },
    });
    client.ask_plainly("initialize", &params)["result"].clone()
}

#[test]
fn the_latest_revision_needs_no_handshake() {
    let repository = Repository::new(SMALL);
    let mut client = Client::of(&repository);
    let discovered = client.ask("server/discover", json!({}))["result"].clone();
    assert_eq!(discovered["resultType"], "complete");
    assert!(discovered["supportedVersions"].as_array().unwrap().contains(&LATEST.into()));
    assert!(discovered["ttlMs"].as_u64() > Some(0) && discovered["cacheScope"] == "public");
    assert!(discovered["capabilities"]["tools"].is_object());
    assert!(discovered["instructions"].as_str().unwrap().contains("`search`"));
    assert_eq!(discovered["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "foreword");
    client.end();
}

#[test]
fn the_first_message_may_be_a_call() {
    let repository = Repository::new(SMALL);
    let mut client = Client::of(&repository);
    assert_eq!(client.paths("open_session")[0], "src/session.py");
    client.end();
}

#[test]
fn lists_have_a_cache_lifetime_and_never_change() {
    let repository = Repository::new(SMALL);
    let mut client = Client::of(&repository);
    let first = client.ask("tools/list", json!({}))["result"].clone();
    assert_eq!(client.ask("tools/list", json!({}))["result"], first);
    for method in ["tools/list", "resources/list", "resources/templates/list"] {
        let list = client.ask(method, json!({}))["result"].clone();
        assert_eq!(list["resultType"], "complete", "{method}");
        assert!(list["ttlMs"].is_u64() && list["cacheScope"].is_string(), "{method}: {list}");
    }
    let names: Vec<&Value> =
        first["tools"].as_array().unwrap().iter().map(|it| &it["name"]).collect();
    assert_eq!(names, ["search", "context", "symbols", "map"]);
    client.end();
}

/// Each request of an agent to its model carries them.
#[test]
fn the_tools_and_instructions_take_at_most_1200_tokens() {
    let repository = Repository::new(SMALL);
    let mut client = Client::of(&repository);
    let tools = client.ask("tools/list", json!({}))["result"]["tools"].clone();
    let mut text = foreword_session::tools::INSTRUCTIONS.to_owned();
    for tool in tools.as_array().unwrap() {
        let shown = json!({ "name": tool["name"], "description": tool["description"], "parameters": tool["inputSchema"] });
        text.push_str(&shown.to_string());
    }
    let format = foreword_engine::compose::Format::named("qwen2.5-coder").unwrap();
    let counter = foreword_model::TokenCounter::for_format(format, None).unwrap();
    let tokens = counter.count(&text);
    assert!(tokens <= 1200, "{tokens} tokens");
    client.end();
}

#[test]
fn claude_code_loads_what_replaces_grep_at_once_and_keeps_long_answers() {
    let repository = Repository::new(SMALL);
    let mut client = Client::of(&repository);
    let tools = client.ask("tools/list", json!({}))["result"]["tools"].clone();
    let tools = tools.as_array().unwrap();
    let loaded = tools.iter().filter(|it| it["_meta"]["anthropic/alwaysLoad"] == true);
    assert_eq!(loaded.map(|it| &it["name"]).collect::<Vec<_>>(), ["search", "symbols"]);
    assert!(tools.iter().all(|it| it["_meta"]["anthropic/maxResultSizeChars"] == 100_000));
    client.end();
}

#[test]
fn every_argument_but_the_query_has_a_default() {
    let repository = Repository::new(SMALL);
    let mut client = Client::of(&repository);
    let tools = client.ask("tools/list", json!({}))["result"]["tools"].clone();
    for tool in tools.as_array().unwrap() {
        let schema = &tool["inputSchema"];
        let required = if tool["name"] == "search" { json!(["query"]) } else { json!([]) };
        assert_eq!(schema["required"], required, "{tool}");
        for (name, property) in schema["properties"].as_object().unwrap() {
            assert!(property["type"].is_string() && property["description"].is_string(), "{name}");
        }
        assert!(tool["description"].as_str().unwrap().len() > 100, "{tool}");
        assert_eq!(tool["annotations"]["readOnlyHint"], true);
        assert_eq!(tool["outputSchema"]["type"], "object");
    }
    client.end();
}

#[test]
fn a_request_of_the_latest_revision_must_name_its_client() {
    let repository = Repository::new(SMALL);
    let mut client = Client::of(&repository);
    let only_version = json!({ "_meta": { "io.modelcontextprotocol/protocolVersion": LATEST } });
    let answer = client.ask_plainly("tools/list", &only_version);
    assert_eq!(answer["error"]["code"], -32602, "{answer}");
    let answer = client.ask_plainly("server/discover", &json!({}));
    assert_eq!(answer["error"]["code"], -32602, "{answer}");
    let mut meta = super::meta();
    meta["io.modelcontextprotocol/protocolVersion"] = "2099-01-01".into();
    let answer = client.ask_plainly("tools/list", &json!({ "_meta": meta }));
    assert_eq!(answer["error"]["code"], -32022, "{answer}");
    assert_eq!(answer["error"]["data"]["requested"], "2099-01-01");
    client.end();
}

#[test]
fn older_clients_get_the_version_that_they_request() {
    for version in ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] {
        let repository = Repository::new(SMALL);
        let mut client = Client::of(&repository);
        let opened = initialize(&mut client, version, &json!({}));
        assert_eq!(opened["protocolVersion"], version);
        assert_eq!(opened["serverInfo"]["name"], "foreword");
        assert!(opened["instructions"].is_string());
        client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        assert_eq!(client.ask_plainly("ping", &json!({}))["result"], json!({}));
        let listed = client.ask_plainly("tools/list", &json!({}))["result"].clone();
        assert!(listed.get("resultType").is_none() && listed["tools"].is_array(), "{listed}");
        let call =
            json!({ "name": "search", "arguments": { "query": "Session", "wait_ms": 60000 } });
        let answer = client.ask_plainly("tools/call", &call)["result"].clone();
        assert!(answer.get("resultType").is_none(), "{answer}");
        assert_eq!(answer["structuredContent"]["results"][0]["path"], "src/session.py");
        client.end();
    }
}

#[test]
fn an_unknown_version_is_answered_with_the_newest_that_has_initialize() {
    let repository = Repository::new(SMALL);
    let mut client = Client::of(&repository);
    assert_eq!(initialize(&mut client, "1999-01-01", &json!({}))["protocolVersion"], "2025-11-25");
    client.end();
}

#[test]
fn the_first_root_of_an_older_client_is_the_default_repository() {
    let elsewhere = tempfile::tempdir().unwrap();
    let repository = Repository::new(SMALL);
    let mut client = Client::start(&repository, elsewhere.path(), &[]);
    initialize(&mut client, "2025-11-25", &json!({ "roots": { "listChanged": true } }));
    client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
    let call = json!({ "name": "search", "arguments": { "query": "Session", "wait_ms": 60000 } });
    client.send(&json!({ "jsonrpc": "2.0", "id": "s", "method": "tools/call", "params": call }));
    let asked = client.receive().unwrap();
    assert_eq!(asked["method"], "roots/list", "{asked}");
    let uri = format!("file://{}", repository.root().display());
    let roots = json!({ "roots": [{ "uri": uri, "name": "it" }] });
    client.send(&json!({ "jsonrpc": "2.0", "id": asked["id"], "result": roots }));
    let answer = client.receive().unwrap();
    assert_eq!(
        answer["result"]["structuredContent"]["results"][0]["path"], "src/session.py",
        "{answer}"
    );
    client.end();
}
