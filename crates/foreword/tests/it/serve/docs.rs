//! The blocks of docs/serve.md that users paste: each is well-formed, and leads to an endpoint.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{SHOP, Server, hole};
use crate::Repository;

const DOCS: &str = include_str!("../../../../../docs/serve.md");

/// The blocks of the section by tool: language and text.
pub(super) fn blocks() -> BTreeMap<&'static str, (&'static str, &'static str)> {
    let section = DOCS.split("## Point X at foreword").nth(1).unwrap();
    let section = section.split("\n## ").next().unwrap();
    let block = |part: &'static str| {
        let (tool, rest) = part.split_once('\n').unwrap();
        let (language, text) = rest.split("```").nth(1).unwrap().split_once('\n').unwrap();
        (tool, (language, text))
    };
    section.split("\n### ").skip(1).map(block).collect()
}

/// The address in a block, without quotes.
fn address(text: &str) -> &str {
    let start = text.find("http://").unwrap();
    text[start..].split(['"', '\'', '\n', ' ']).next().unwrap()
}

/// The value of a line `key: value` of YAML, at any depth.
fn of_yaml<'t>(text: &'t str, key: &str) -> &'t str {
    let lines = text.lines().map(|it| it.trim_start_matches([' ', '-']));
    lines.filter_map(|it| it.split_once(": ")).find(|it| it.0 == key).unwrap().1
}

#[test]
fn every_tool_has_a_well_formed_block_with_an_address() {
    let blocks = blocks();
    let check = |tool: &str, language: &str, url: &str| {
        let (is, text) = blocks.get(tool).unwrap_or_else(|| panic!("{tool}"));
        assert_eq!((*is, address(text)), (language, url), "{tool}");
        *text
    };
    let text = check("llama.vim", "vim", "http://127.0.0.1:8484/infill");
    let dictionary = text.trim().strip_prefix("let g:llama_config = ").unwrap().replace('\'', "\"");
    let value: Value = serde_json::from_str(&dictionary).unwrap();
    assert!(value["endpoint_fim"].is_string());
    let text = check("llama.vscode", "json", "http://127.0.0.1:8484");
    assert!(serde_json::from_str::<Value>(text).unwrap()["llama-vscode.endpoint"].is_string());
    let text = check("Continue", "yaml", "http://127.0.0.1:8484/v1/");
    assert_eq!((of_yaml(text, "provider"), of_yaml(text, "schema")), ("mistral", "v1"));
    assert!(!text.contains('\t') && text.trim_end().ends_with("- autocomplete"));
    let text = check("Zed", "json", "http://127.0.0.1:8484/v1/completions");
    let zed: Value = serde_json::from_str(text).unwrap();
    let settings = &zed["edit_predictions"]["open_ai_compatible_api"];
    assert!(settings["model"].is_string() && settings["max_output_tokens"].is_u64(), "{zed}");
    assert_eq!(zed["edit_predictions"]["provider"], "open_ai_compatible_api");
    let text = check("Tabby's plugins", "toml", "http://127.0.0.1:8484");
    let table: toml::Table = text.parse().unwrap();
    assert!(table["server"]["endpoint"].is_str() && table["server"]["token"].is_str());
    let text = check("minuet", "lua", "http://127.0.0.1:8484/v1/completions");
    for (open, close) in [('(', ')'), ('{', '}')] {
        assert_eq!(text.matches(open).count(), text.matches(close).count(), "{text}");
    }
    assert!(text.contains("provider = 'openai_fim_compatible'"));
    check("Anything of Ollama's", "sh", "http://127.0.0.1:8484");
    assert_eq!(blocks.len(), 7);
    // The port is the default.
    assert!(Repository::new(SHOP).run(&["serve", "--help"]).out.contains("8484"));
}

#[test]
fn each_tool_is_answered_at_the_address_of_its_block() {
    let shop = Repository::new(SHOP);
    let server = Server::embedded(&shop);
    let (prefix, suffix) = hole();
    let plain = json!({ "prompt": prefix, "suffix": suffix, "model": "m" });
    let infill = json!({ "input_prefix": prefix, "input_suffix": suffix, "prompt": "" });
    let segments =
        json!({ "language": "python", "segments": { "prefix": prefix, "suffix": suffix } });
    // The path that each tool appends to its address.
    let tools = [
        ("llama.vim", "", &infill),
        ("llama.vscode", "/infill", &infill),
        ("Continue", "fim/completions", &plain),
        ("Zed", "", &plain),
        ("Tabby's plugins", "/v1/completions", &segments),
        ("minuet", "", &plain),
        ("Anything of Ollama's", "/api/generate", &plain),
    ];
    for (tool, rest, body) in tools {
        let url = address(blocks()[tool].1).to_owned() + rest;
        let reply = server.post(url.strip_prefix("http://127.0.0.1:8484").unwrap(), body);
        assert_eq!(
            (reply.status, reply.header("x-foreword-context")),
            (200, "file"),
            "{tool}: {reply:?}"
        );
    }
}

/// The bodies that the blocks for curl send, and their paths.
fn curl_bodies(docs: &str) -> Vec<(String, Value)> {
    let blocks = docs.split("```sh\n").skip(1).filter_map(|it| it.split("```").next());
    let mut res = Vec::new();
    for command in blocks.flat_map(|it| it.split("curl ").skip(1)) {
        let path = address(command).strip_prefix("http://127.0.0.1:8484").unwrap().to_owned();
        let body = command.split("-d '").nth(1).and_then(|it| it.split('\'').next());
        let body = body.map(|it| serde_json::from_str(it).unwrap_or_else(|_| panic!("{it}")));
        res.push((path, body.unwrap_or(Value::Null)));
    }
    res
}

#[test]
fn what_curl_is_told_to_ask_is_answered() {
    let shop = Repository::new(SHOP);
    let server = Server::embedded(&shop);
    let inspector = include_str!("../../../../../docs/inspector.md");
    let asked = [curl_bodies(DOCS), curl_bodies(inspector)].concat();
    assert_eq!(asked.len(), 5, "{asked:?}");
    for (path, body) in asked {
        let reply = match body.is_null() {
            true => server.get(&path),
            false => server.post(&path, &body),
        };
        assert_eq!(reply.status, 200, "{path}: {reply:?}");
        if path == "/v1/completions" {
            // The example is one that is shown with the defaults.
            assert_eq!(reply.json()["choices"][0]["text"], "done", "{reply:?}");
        }
    }
}

#[test]
fn every_documented_path_is_answered() {
    let shop = Repository::new(SHOP);
    let server = Server::embedded(&shop);
    let table =
        DOCS.split("## Endpoints").nth(1).unwrap().split("Every completion").next().unwrap();
    let mut paths = 0;
    for cell in table.lines().filter(|it| it.starts_with("| ")) {
        let mut method = "";
        for word in cell.split(['`', ' ', ';', ',']).filter(|it| !it.is_empty()) {
            match word {
                "GET" | "POST" => method = word,
                path if path.starts_with('/')
                    && !path.ends_with("/live")
                    && !path.ends_with("/ID") =>
                {
                    let reply = server.ask(method, path, &[], "{}");
                    assert!(!matches!(reply.status, 404 | 405), "{method} {path}: {reply:?}");
                    paths += 1;
                }
                _ => {}
            }
        }
    }
    assert!(paths >= 17, "{paths}");
}
