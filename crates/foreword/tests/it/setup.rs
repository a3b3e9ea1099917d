//! The lines to install that docs/agents.md gives: each has its form, and `foreword doctor` finds what they set up.

mod written;

use std::path::Path;

use serde_json::Value;

use crate::Repository;

const DOCS: &str = include_str!("../../../../docs/agents.md");

/// A fenced block of the page: the client's heading, the text before it, its language, its text.
struct Block {
    client: &'static str,
    before: &'static str,
    language: &'static str,
    text: &'static str,
}

/// The blocks of a section with a language, each with the text before it.
fn fenced(section: &'static str) -> Vec<(&'static str, &'static str, &'static str)> {
    let mut pieces = section.split("```");
    let mut res = Vec::new();
    while let (Some(before), Some(block)) = (pieces.next(), pieces.next()) {
        let (language, text) = block.split_once('\n').unwrap();
        res.push((before, language, text));
    }
    res
}

fn blocks() -> Vec<Block> {
    let section = DOCS.split("## Installation").nth(1).unwrap().split("\n## ").next().unwrap();
    let mut res = Vec::new();
    for part in section.split("\n### ").skip(1) {
        let (client, rest) = part.split_once('\n').unwrap();
        for (before, language, text) in fenced(rest) {
            res.push(Block { client, before, language, text });
        }
    }
    res
}

/// The name of the only server, and what starts it.
fn server(value: &Value) -> (String, String, Vec<String>) {
    let table = value.as_object().unwrap();
    assert_eq!(table.len(), 1, "{value}");
    let servers = table.values().next().unwrap().as_object().unwrap();
    let (name, it) = servers.iter().next().unwrap();
    if let Some(line) = it["command"].as_array() {
        let mut words = line.iter().map(|it| it.as_str().unwrap().to_owned());
        return (name.clone(), words.next().unwrap(), words.collect());
    }
    let args = it["args"].as_array().unwrap().iter().map(|it| it.as_str().unwrap().to_owned());
    (name.clone(), it["command"].as_str().unwrap().to_owned(), args.collect())
}

#[test]
fn every_client_has_a_line_and_each_starts_the_server() {
    let blocks = blocks();
    for client in ["Claude Code", "Codex", "VS Code", "Cursor", "Zed", "Gemini CLI", "opencode"] {
        assert!(blocks.iter().any(|it| it.client == client), "{client}");
    }
    let expected = ("foreword".to_owned(), "foreword".to_owned(), vec!["mcp".to_owned()]);
    for it in &blocks {
        match it.language {
            "json" => assert_eq!(server(&serde_json::from_str(it.text).unwrap()), expected),
            "toml" => {
                let table: toml::Table = it.text.parse().unwrap();
                assert_eq!(server(&serde_json::to_value(table).unwrap()), expected);
            }
            "sh" if it.client == "VS Code" => {
                let json = it.text.trim().strip_prefix("code --add-mcp '").unwrap();
                let added: Value = serde_json::from_str(json.strip_suffix('\'').unwrap()).unwrap();
                assert_eq!(
                    (&added["name"], &added["command"]),
                    (&"foreword".into(), &"foreword".into())
                );
                assert_eq!(added["args"], serde_json::json!(["mcp"]));
            }
            "sh" => {
                let words = it.text.split_whitespace().skip(1).filter(|it| *it != "--");
                let words: Vec<&str> = words.collect();
                assert_eq!(words, ["mcp", "add", "foreword", "foreword", "mcp"], "{}", it.text);
            }
            other => panic!("{}: a block in {other}", it.client),
        }
    }
}

#[test]
fn what_the_readme_tells_to_paste_is_what_the_pages_tell() {
    let readme = include_str!("../../../../README.md");
    let section = readme.split("## Integrations").nth(1).unwrap();
    let section = section.split("\n## ").next().unwrap();
    let pages = [DOCS, include_str!("../../../../docs/serve.md")];
    let mut n = 0;
    for block in section.split("```").skip(1).step_by(2) {
        let text = block.split_once('\n').unwrap().1;
        let is_known = |text: &str| pages.iter().any(|page| page.contains(text));
        assert!(is_known(text) || text.lines().all(is_known), "in no page:\n{text}");
        n += 1;
    }
    for tool in
        ["llama.vim", "llama.vscode", "Continue", "Zed", "Tabby", "minuet", "claude", "codex"]
    {
        assert!(section.contains(tool), "{tool}");
    }
    assert!(n >= 2, "only {n} blocks");
}

/// Runs the doctor with the program on the path, and gives the check of a client.
fn check_of(repository: &Repository, client: &str) -> Option<Value> {
    let programs = Path::new(env!("CARGO_BIN_EXE_foreword")).parent().unwrap();
    let mut command = repository.command(&["doctor", "--json"]);
    let output = command.env("PATH", programs).env_remove("CODEX_HOME").output().unwrap();
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    let checks = answer["checks"].as_array().unwrap();
    checks.iter().find(|it| it["check"] == client).cloned()
}

/// The file that is named last before a block, in the test's home or repository.
fn file_of(block: &Block, home: &Path, root: &Path) -> std::path::PathBuf {
    let name = block.before.split('`').rev().nth(1).unwrap();
    match name.strip_prefix("~/.config/") {
        Some(rest) => home.join("config").join(rest),
        None => name.strip_prefix("~/").map_or_else(|| root.join(name), |rest| home.join(rest)),
    }
}

#[test]
fn the_doctor_finds_what_the_page_tells_to_write_and_says_what_is_wrong_with_it() {
    for block in blocks().iter().filter(|it| it.language != "sh") {
        let repository = Repository::new("//- a.py\nx = 1\n");
        assert_eq!(check_of(&repository, block.client), None);
        let home = repository.index().with_file_name("home");
        let file = file_of(block, &home, &repository.root());
        let write = |text: &str| {
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(&file, text).unwrap();
            check_of(&repository, block.client).unwrap()
        };
        let check = write(block.text);
        assert_eq!(check["ok"], true, "{}: {check}", file.display());
        assert!(check["found"].as_str().unwrap().starts_with("`foreword mcp` in"), "{check}");
        let check = write(
            &block
                .text
                .replace("\"command\": \"foreword\"", "\"command\": \"/no/foreword\"")
                .replace("[\"foreword\", \"mcp\"]", "[\"/no/foreword\", \"mcp\"]")
                .replace("command = \"foreword\"", "command = \"/no/foreword\""),
        );
        assert_eq!(check["ok"], false, "{check}");
        assert!(
            check["found"].as_str().unwrap().contains("/no/foreword does not exist"),
            "{check}"
        );
        let check = write("{ [ not a table");
        assert!(check["ok"] == false && check["mend"].as_str().unwrap().contains("fix"), "{check}");
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "{ [ not a table");
        let check = write(if block.language == "toml" { "" } else { "{ /* nothing */ }" });
        assert!(check["found"].as_str().unwrap().starts_with("not set up"), "{check}");
    }
}

#[test]
fn the_page_tells_to_write_what_the_command_writes() {
    for block in blocks().iter().filter(|it| it.language != "sh") {
        let repository = Repository::new("//- a.py\nx = 1\n");
        let home = repository.index().with_file_name("home");
        let file = file_of(block, &home, &repository.root());
        let scope = if file.starts_with(&home) { "--user" } else { "--project" };
        let mut command = repository.command(&["setup", block.client, scope, "--yes"]);
        assert!(command.env_remove("CODEX_HOME").output().unwrap().status.success());
        let text = std::fs::read_to_string(&file).unwrap();
        let value = |text: &str| match block.language {
            "toml" => serde_json::to_value(text.parse::<toml::Table>().unwrap()).unwrap(),
            _ => serde_json::from_str::<Value>(text).unwrap(),
        };
        assert_eq!(value(&text), value(block.text), "{}", block.client);
    }
}

#[test]
fn servers_of_one_project_in_the_file_of_all_are_found() {
    let repository = Repository::new("//- a.py\nx = 1\n");
    let home = repository.index().with_file_name("home");
    std::fs::create_dir_all(&home).unwrap();
    let root = repository.root().canonicalize().unwrap();
    let server = serde_json::json!({ "command": "foreword", "args": ["mcp"], "type": "stdio" });
    let projects =
        serde_json::json!({ root.to_str().unwrap(): { "mcpServers": { "code": server } } });
    let settings = serde_json::json!({ "projects": projects, "mcpServers": {} });
    std::fs::write(home.join(".claude.json"), settings.to_string()).unwrap();
    let check = check_of(&repository, "Claude Code").unwrap();
    assert!(check["found"].as_str().unwrap().starts_with("`foreword mcp`"), "{check}");
}

#[test]
fn every_client_has_a_line_for_http_and_the_doctor_says_whether_the_server_is_there() {
    let section = DOCS.split("## Over HTTP\n").nth(1).unwrap().split("\n## ").next().unwrap();
    let url = "http://127.0.0.1:8484/mcp";
    let mut clients = Vec::new();
    for (before, language, text) in fenced(section) {
        let before = before.trim().rsplit("\n\n").next().unwrap();
        let client = before.split([',', ':']).next().unwrap();
        let client = if before.starts_with("or in") { "Claude Code" } else { client };
        clients.push(client);
        if language == "sh" {
            assert_eq!(text.trim(), format!("claude mcp add --transport http foreword {url}"));
            continue;
        }
        let value: Value = match language {
            "toml" => serde_json::to_value(text.parse::<toml::Table>().unwrap()).unwrap(),
            _ => serde_json::from_str(text).unwrap(),
        };
        let servers = value.as_object().unwrap().values().next().unwrap();
        let server = &servers["foreword"];
        assert_eq!(server.get("url").or(server.get("httpUrl")), Some(&url.into()), "{client}");

        let repository = Repository::new("//- a.py\nx = 1\n");
        let home = repository.index().with_file_name("home");
        let block = Block { client, before, language, text };
        let file = file_of(&block, &home, &repository.root());
        let check = |text: &str| {
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(&file, text).unwrap();
            check_of(&repository, client).unwrap()
        };
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let there = format!("http://{}/mcp", listener.local_addr().unwrap());
        assert_eq!(check(&text.replace(url, &there))["ok"], true, "{client}");
        let other = check(&text.replace(url, &there.replace("/mcp", "/v1")));
        assert!(other["found"].as_str().unwrap().contains("HOST:PORT/mcp"), "{other}");
        drop(listener);
        let gone = check(&text.replace(url, &there));
        assert!(gone["found"].as_str().unwrap().contains("no server at"), "{gone}");
    }
    let all = ["Claude Code", "Claude Code", "Codex", "VS Code", "Cursor", "Zed"];
    assert_eq!(clients, [&all[..], &["Gemini CLI", "opencode"]].concat());
}
