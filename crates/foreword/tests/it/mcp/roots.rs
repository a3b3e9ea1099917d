//! Which directories an agent may ask about.

use std::path::Path;

use serde_json::{Value, json};

use super::{Client, SMALL};
use crate::Repository;

const OTHER: &str = "//- z.py\ndef zeta(): pass\n";

/// The refusal of a call that names a directory.
#[track_caller]
fn refused(client: &mut Client, directory: &Path) {
    let refusal = client.refusal("search", json!({ "query": "x", "repository": directory }));
    let words = ["not allowed", "--allow-any", "mcp_roots", &directory.display().to_string()];
    for word in words {
        assert!(refusal.contains(word), "{word:?} is not in {refusal:?}");
    }
}

#[track_caller]
fn allowed(client: &mut Client, directory: &Path) {
    let (_, found) = client.answer("search", json!({ "query": "zeta", "repository": directory }));
    assert_eq!(crate::paths(&found), ["z.py"]);
}

#[test]
fn a_call_may_name_what_is_below_the_directories_of_the_start() {
    let (one, other) = (Repository::new(SMALL), Repository::new(OTHER));
    let root = other.root();
    std::fs::create_dir(root.join("deep")).unwrap();
    let mut client = Client::with_arguments(&one, &one.root(), &[root.to_str().unwrap()]);
    allowed(&mut client, &root);
    let uri = format!("file://{}", root.display());
    let (_, found) = client.answer("search", json!({ "query": "zeta", "repository": uri }));
    assert_eq!(crate::paths(&found), ["z.py"]);
    client.answer("search", json!({ "query": "x", "repository": root.join("deep") }));
    let (_, found) = client.answer("search", json!({ "query": "now", "repository": "src/.." }));
    assert_eq!(crate::paths(&found)[0], "src/clock.py");
    let missing = json!({ "query": "x", "repository": root.join("missing") });
    let refusal = client.refusal("search", missing);
    assert!(
        refusal.contains("does not exist") && refusal.contains("pass `repository`"),
        "{refusal}"
    );
    client.end();
}

#[test]
fn a_call_may_not_name_anything_else() {
    let (one, other) = (Repository::new(SMALL), Repository::new(OTHER));
    let mut client = Client::of(&one);
    refused(&mut client, &other.root());
    refused(&mut client, Path::new("/etc"));
    refused(&mut client, Path::new("/no/where"));
    refused(&mut client, Path::new(".."));
    // A link inside the repository leads nowhere else.
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(other.root(), one.root().join("link")).unwrap();
        refused(&mut client, Path::new("link"));
    }
    assert_eq!(client.paths("now")[0], "src/clock.py");
    client.end();
}

#[test]
fn the_user_may_allow_any_directory_or_name_some_in_the_configuration() {
    let (one, other) = (Repository::new(SMALL), Repository::new(OTHER));
    let mut client = Client::with_arguments(&one, &one.root(), &["--allow-any"]);
    allowed(&mut client, &other.root());
    client.end();
    let config = one.index().with_file_name("home").join("config/foreword");
    std::fs::create_dir_all(&config).unwrap();
    let line = format!("mcp_roots = [{:?}]\n", other.root());
    std::fs::write(config.join("config.toml"), line).unwrap();
    let mut client = Client::of(&one);
    allowed(&mut client, &other.root());
    refused(&mut client, Path::new("/etc"));
    client.end();
}

#[test]
fn a_server_that_starts_in_the_root_of_the_file_system_allows_only_what_it_was_given() {
    let repository = Repository::new(OTHER);
    let mut client = Client::start(&repository, Path::new("/"), &[]);
    let refusal = client.refusal("search", json!({ "query": "x" }));
    assert!(refusal.contains("pass `repository`"), "{refusal}");
    refused(&mut client, &repository.root());
    client.end();
    let root = repository.root();
    let mut client = Client::with_arguments(&repository, Path::new("/"), &[root.to_str().unwrap()]);
    allowed(&mut client, &root);
    client.end();
}

/// Opens a session with a client that has roots.
fn open(client: &mut Client) {
    let params = json!({
        "protocolVersion": "2025-11-25",
        "capabilities": { "roots": { "listChanged": true } },
        "clientInfo": { "name": "test", "version": "1" },
    });
    client.ask_plainly("initialize", &params);
    client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
}

/// Searches in a directory, and lists `roots` when the server asks for them.
fn search(client: &mut Client, directory: &Path, roots: &[&Path]) -> Value {
    ask(client, "search", json!({ "query": "zeta", "repository": directory }), roots)
}

fn ask(client: &mut Client, tool: &str, mut arguments: Value, roots: &[&Path]) -> Value {
    arguments["wait_ms"] = 60_000.into();
    let call = json!({ "name": tool, "arguments": arguments });
    client.send(&json!({ "jsonrpc": "2.0", "id": "s", "method": "tools/call", "params": call }));
    loop {
        let message = client.receive().unwrap();
        if message["method"] != "roots/list" {
            return message["result"].clone();
        }
        let uris = roots.iter().map(|it| json!({ "uri": format!("file://{}", it.display()) }));
        let result = json!({ "roots": uris.collect::<Vec<_>>() });
        client.send(&json!({ "jsonrpc": "2.0", "id": message["id"], "result": result }));
    }
}

#[test]
fn the_roots_of_the_client_are_allowed_as_long_as_it_has_them() {
    let (one, other) = (Repository::new(SMALL), Repository::new(OTHER));
    let root = other.root();
    let mut client = Client::of(&one);
    open(&mut client);
    let found = search(&mut client, &root, &[&one.root(), &root]);
    assert_eq!(found["structuredContent"]["results"][0]["path"], "z.py", "{found}");
    client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/roots/list_changed" }));
    let found = search(&mut client, &root, &[&one.root()]);
    assert_eq!(found["isError"], true, "{found}");
    assert!(super::text_of(&found).contains("not allowed"), "{found}");
    client.end();
}

#[test]
fn a_client_that_does_not_list_its_roots_holds_up_all_waiting_calls_once() {
    let one = Repository::new(SMALL);
    let mut client = Client::of(&one);
    open(&mut client);
    for n in 0..6 {
        let arguments = json!({ "query": "alpha", "wait_ms": 60_000 });
        let call = json!({ "name": "search", "arguments": arguments });
        client.send(&json!({ "jsonrpc": "2.0", "id": n, "method": "tools/call", "params": call }));
    }
    let (mut answered, mut requests) = (0, 0);
    while answered < 6 {
        let message = client.receive().unwrap();
        let is_request = message["method"] == "roots/list";
        requests += u32::from(is_request);
        answered += u32::from(!is_request && message["id"].is_number());
    }
    // Without the others' sharing the outcome it is asked three times. A busy machine may begin a call late.
    assert!((1..=2).contains(&requests), "{requests} requests");
    client.end();
}

#[test]
fn all_roots_answer_a_call_that_names_none() {
    let (one, other) = (Repository::new(SMALL), Repository::new(OTHER));
    other.write("clock.py", "def now():\n    return 2\n");
    let mut client = Client::of(&one);
    open(&mut client);
    let (first, second) =
        (one.root().canonicalize().unwrap(), other.root().canonicalize().unwrap());
    let roots = [&*first, &*second];
    let mut call = |tool: &str, arguments: Value| {
        let res = ask(&mut client, tool, arguments, &roots);
        (super::text_of(&res), res["structuredContent"].clone())
    };
    let (text, found) = call("search", json!({ "query": "zeta", "mode": "symbol" }));
    assert_eq!(crate::paths(&found), ["z.py"]);
    assert_eq!(found["repository"], json!(second));
    assert!(text.contains(&format!("nothing in {}", first.display())), "{text}");

    let (text, found) = call("search", json!({ "query": "now", "mode": "symbol" }));
    let places: Vec<(&Value, &Value)> = found["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| (&it["repository"], &it["path"]))
        .collect();
    let (first, second) = (json!(first), json!(second));
    assert_eq!(
        places,
        [(&first, &json!("src/clock.py")), (&second, &json!("clock.py"))],
        "{found}"
    );
    assert_eq!(text.matches("## /").count(), 2, "{text}");
    assert_eq!((&found["total"], &found["complete"]), (&json!(2), &json!(true)), "{found}");

    let (text, _) = call("symbols", json!({ "file": "z.py" }));
    assert!(text.contains("zeta") && !text.contains("nothing in"), "{text}");
    let (text, _) = call("symbols", json!({ "file": "nowhere.py" }));
    assert!(
        text.contains("nowhere.py is not in the index") && text.contains("so in all of"),
        "{text}"
    );
    let (text, _) = call("search", json!({ "query": "zebra crossing" }));
    assert_eq!(text.matches("nothing matched").count(), 2, "{text}");
    client.end();
}

#[test]
fn a_cursor_continues_in_the_repository_that_it_came_from_and_budgets_are_for_all() {
    let (one, other) = (Repository::new(SMALL), Repository::new(OTHER));
    for it in [&one, &other] {
        let many: String =
            (0..80).map(|n| format!("def crowd_{n}():\n    return needle({n})\n\n")).collect();
        it.write("many.py", &format!("def needle(n):\n    return n\n\n{many}"));
    }
    let mut client = Client::of(&one);
    open(&mut client);
    let (first, second) =
        (one.root().canonicalize().unwrap(), other.root().canonicalize().unwrap());
    let uses = json!({ "name": "needle", "tokens": 1000 });
    let found = ask(&mut client, "symbols", uses.clone(), &[&first, &second]);
    let text = super::text_of(&found);
    let counter = foreword_model::TokenCounter::general();
    assert!(counter.count(&text) <= 1000, "{} tokens", counter.count(&text));
    let cursors = found["structuredContent"]["next_cursors"].as_array().unwrap().clone();
    assert_eq!(cursors.len(), 2, "{found}");
    assert!(text.contains(cursors[1].as_str().unwrap()), "{text}");
    let mut more = uses;
    more["cursor"] = cursors[1].clone();
    let found = ask(&mut client, "symbols", more, &[]);
    assert_eq!(found["structuredContent"]["repository"], json!(second), "{found}");
    client.end();
}
