//! `/mcp`: agents over HTTP, in both eras, behind the server's own checks.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{Reply, Server};
use crate::Repository;
use crate::mcp::{LATEST, SMALL, many, many_with, meta, text_of};

const ACCEPT: &str = "accept: application/json, text/event-stream";
const JSON: &str = "content-type: application/json";

fn request(id: u64, method: &str, params: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
}

impl Server {
    fn mcp(&self, headers: &[&str], body: &Value) -> Reply {
        self.ask("POST", "/mcp", &[&[ACCEPT, JSON], headers].concat(), &body.to_string())
    }

    /// A request of the latest revision, with the headers that belong to it.
    pub(crate) fn modern(&self, method: &str, params: Value) -> Reply {
        self.modern_with(&[], method, params)
    }

    /// The same with further headers.
    pub(crate) fn modern_with(&self, own: &[&str], method: &str, mut params: Value) -> Reply {
        params["_meta"] = meta();
        let named = params.get("name").or(params.get("uri")).and_then(Value::as_str);
        let mut headers =
            vec![format!("mcp-protocol-version: {LATEST}"), format!("mcp-method: {method}")];
        headers.extend(named.map(|it| format!("mcp-name: {it}")));
        let headers: Vec<&str> =
            headers.iter().map(String::as_str).chain(own.iter().copied()).collect();
        self.mcp(&headers, &request(1, method, &params))
    }

    /// The result of a tool, which waits as long as indexing takes.
    #[track_caller]
    pub(crate) fn call(&self, tool: &str, mut arguments: Value) -> Value {
        if arguments.get("wait_ms").is_none() {
            arguments["wait_ms"] = 60_000.into();
        }
        let reply = self.modern("tools/call", json!({ "name": tool, "arguments": arguments }));
        assert_eq!(reply.status, 200, "{reply:?}");
        let (events, _) = reply.events();
        let answer = events.last().unwrap_or_else(|| panic!("no answer: {reply:?}"));
        assert_eq!(answer["result"]["resultType"], "complete", "{answer}");
        answer["result"].clone()
    }
}

#[test]
fn a_post_of_the_latest_revision_is_answered_for_itself() {
    let repository = Repository::new(SMALL);
    let server = Server::embedded(&repository);
    let reply = server.modern("server/discover", json!({}));
    assert_eq!((reply.status, reply.header("content-type")), (200, "application/json"));
    assert!(reply.header("mcp-session-id").is_empty());
    let found = reply.json()["result"].clone();
    assert!(found["supportedVersions"].as_array().unwrap().contains(&LATEST.into()), "{found}");
    assert!(found["ttlMs"].as_u64() > Some(0) && found["cacheScope"] == "public");
    let tools = server.modern("tools/list", json!({})).json()["result"]["tools"].clone();
    let names: Vec<&Value> = tools.as_array().unwrap().iter().map(|it| &it["name"]).collect();
    assert_eq!(names, ["search", "context", "symbols", "map"]);
    let found = server.call("search", json!({ "query": "open_session" }));
    assert_eq!(found["structuredContent"]["results"][0]["path"], "src/session.py", "{found}");
    let uri =
        format!("file://{}/src/clock.py", repository.root().canonicalize().unwrap().display());
    let read = server.modern("resources/read", json!({ "uri": uri })).json();
    assert_eq!(read["result"]["contents"][0]["text"], "def now():\n    return 42\n", "{read}");
}

#[test]
fn older_clients_open_with_initialize_and_need_no_session() {
    let repository = Repository::new(SMALL);
    let server = Server::embedded(&repository);
    for version in ["2025-11-25", "2025-06-18", "2025-03-26"] {
        let client = json!({ "name": "test", "version": "1" });
        let params =
            json!({ "protocolVersion": version, "capabilities": {}, "clientInfo": client });
        let opened = server.mcp(&[], &request(1, "initialize", &params));
        assert_eq!(opened.json()["result"]["protocolVersion"], version, "{opened:?}");
        let header = format!("mcp-protocol-version: {version}");
        let told = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        assert_eq!(server.mcp(&[&header], &told).status, 202);
        let arguments = json!({ "query": "Session", "wait_ms": 60000 });
        let call = json!({ "name": "search", "arguments": arguments });
        let answer = server.mcp(&[&header], &request(2, "tools/call", &call)).json();
        let result = &answer["result"];
        assert_eq!(result["structuredContent"]["results"][0]["path"], "src/session.py", "{answer}");
        assert!(result.get("resultType").is_none(), "{answer}");
    }
}

#[test]
fn there_is_nothing_but_post() {
    let repository = Repository::new(SMALL);
    let server = Server::embedded(&repository);
    for method in ["GET", "DELETE", "PUT"] {
        let reply = server.ask(method, "/mcp", &[ACCEPT], "");
        assert_eq!((reply.status, reply.header("allow")), (405, "POST"), "{method}: {reply:?}");
    }
    let body = request(1, "tools/list", &json!({ "_meta": meta() })).to_string();
    assert_eq!(server.ask("POST", "/mcp", &["accept: text/html", JSON], &body).status, 406);
    assert_eq!(
        server.ask("POST", "/mcp", &[ACCEPT, "content-type: text/plain"], &body).status,
        415
    );
}

#[test]
fn headers_that_say_something_else_than_the_message_are_refused() {
    let repository = Repository::new(SMALL);
    let server = Server::embedded(&repository);
    let call = json!({ "name": "map", "arguments": {}, "_meta": meta() });
    let call = request(7, "tools/call", &call);
    let version = format!("mcp-protocol-version: {LATEST}");
    let right = [version.as_str(), "mcp-method: tools/call", "mcp-name: map"];
    assert_eq!(server.mcp(&right, &call).status, 200);
    let wrong: [&[&str]; 6] = [
        &["mcp-protocol-version: 2025-11-25", "mcp-method: tools/call", "mcp-name: map"],
        &[&version, "mcp-method: tools/list", "mcp-name: map"],
        &[&version, "mcp-method: tools/call", "mcp-name: search"],
        &[&version, "mcp-method: tools/call"],
        &[&version],
        &[],
    ];
    for headers in wrong {
        let reply = server.mcp(headers, &call);
        let answer = reply.json();
        assert_eq!(
            (reply.status, &answer["error"]["code"]),
            (400, &(-32020).into()),
            "{headers:?}"
        );
        assert_eq!(answer["id"], 7, "{headers:?}");
    }
    let unknown = ["mcp-protocol-version: 1999-01-01"];
    let old = request(1, "tools/list", &json!({}));
    assert_eq!(server.mcp(&unknown, &old).status, 400);
}

#[test]
fn whoever_may_not_ask_the_server_may_not_ask_here() {
    let repository = Repository::new(SMALL);
    let server = Server::start(&repository, &["--token", "s3cret"]);
    let list = request(1, "tools/list", &json!({}));
    assert_eq!(server.mcp(&[], &list).status, 401);
    let shown = "authorization: Bearer s3cret";
    assert_eq!(server.mcp(&[shown], &list).status, 200);
    assert_eq!(server.mcp(&[shown, "host: evil.example"], &list).status, 403);
    assert_eq!(server.mcp(&[shown, "origin: http://evil.example"], &list).status, 403);
}

#[test]
fn a_call_names_one_of_the_repositories_that_are_served_and_no_other() {
    let one = Repository::new(SMALL);
    let other = Repository::new("//- deep/z.py\ndef zeta(): pass\n");
    let secret = Repository::new("//- s.py\ndef secret(): pass\n");
    let at = |it: &Repository| it.root().canonicalize().unwrap().display().to_string();
    let (first, second) = (at(&one), at(&other));
    let server = Server::start(&one, &["--workspace", &first, "--workspace", &second]);
    let paths = |arguments: Value| {
        let found = server.call("search", arguments);
        assert_eq!(found["isError"], false, "{found}");
        let found = &found["structuredContent"];
        crate::paths(found).iter().map(|it| (*it).to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(paths(json!({ "query": "now" }))[0], "src/clock.py");
    for named in [second.clone(), format!("{second}/deep"), format!("file://{second}")] {
        assert_eq!(
            paths(json!({ "query": "zeta", "repository": named })),
            ["deep/z.py"],
            "{named}"
        );
    }
    for named in [at(&secret), "/etc".to_owned(), "zeta".to_owned(), "..".to_owned()] {
        let refused = server.call("search", json!({ "query": "secret", "repository": named }));
        let text = text_of(&refused);
        assert!(refused["isError"] == true && text.contains("not served here"), "{text}");
        assert!(text.contains(&second), "{text}");
    }
    let tools = server.modern("tools/list", json!({})).json();
    let schema = &tools["result"]["tools"][0]["inputSchema"]["properties"]["repository"];
    assert!(schema["description"].as_str().unwrap().contains(&second), "{schema}");
    let listed = server.modern("resources/list", json!({})).json();
    let names: Vec<&Value> =
        listed["result"]["resources"].as_array().unwrap().iter().map(|it| &it["name"]).collect();
    assert!(names.contains(&&json!("src/clock.py")) && names.contains(&&json!("deep/z.py")));
    let uri = "foreword://symbol/zeta";
    let read = server.modern("resources/read", json!({ "uri": uri })).json();
    assert!(
        read["result"]["contents"][0]["text"].as_str().unwrap().contains("def zeta()"),
        "{read}"
    );
}

#[test]
fn worktrees_are_told_apart_by_their_folders_and_origins_name_repositories() {
    let one = Repository::new(SMALL);
    one.git(&["init", "-q"]);
    one.git(&["add", "."]);
    one.git(&["commit", "-qm", "first"]);
    one.git(&["remote", "add", "origin", "https://example.com/team/shop.git"]);
    let tree = one.root().with_file_name("shop-topic");
    one.git(&["worktree", "add", "-q", "-b", "topic", tree.to_str().unwrap()]);
    std::fs::write(tree.join("src/topic.py"), "def only_topic(): pass\n").unwrap();
    let other = Repository::new("//- deep/z.py\ndef zeta(): pass\n");
    other.git(&["init", "-q"]);
    other.git(&["remote", "add", "origin", "git@example.com:team/zoo.git"]);
    let roots = [one.root(), tree, other.root()].map(|it| it.display().to_string());
    let served: Vec<&str> = roots.iter().flat_map(|it| ["--workspace", it]).collect();
    let server = Server::start(&one, &served);
    let root_of = |repository: &str, query: &str| {
        let asked = json!({ "query": query, "repository": repository, "wait_ms": 60_000 });
        let found = server.call("search", asked);
        match found["isError"] == true {
            true => text_of(&found),
            false => found["structuredContent"]["repository"].as_str().unwrap().to_owned(),
        }
    };
    assert!(root_of("shop-topic", "only_topic").ends_with("shop-topic"));
    for name in ["zoo", "team/zoo", "https://example.com/team/zoo.git"] {
        assert!(root_of(name, "zeta").ends_with("repository"), "{}", root_of(name, "zeta"));
    }
    let ambiguous = root_of("shop", "session");
    assert!(ambiguous.contains("several have this name; pass the path of one"), "{ambiguous}");
    let found = server.call("search", json!({ "query": "only_topic", "wait_ms": 60_000 }));
    assert!(text_of(&found).contains("src/topic.py"), "{found}");
    let schema = server.modern("tools/list", json!({})).json();
    let schema = &schema["result"]["tools"][0]["inputSchema"]["properties"]["repository"];
    let description = schema["description"].as_str().unwrap();
    assert!(
        description.contains("shop-topic (/") && description.contains("zoo (/"),
        "{description}"
    );
}

#[test]
fn a_client_that_asks_hears_of_indexing_before_its_answer() {
    let mut meta = meta();
    meta["progressToken"] = "t".into();
    let arguments = json!({ "query": "needle_in_haystack", "wait_ms": 60000 });
    let params = json!({ "name": "search", "arguments": arguments, "_meta": meta });
    let version = format!("mcp-protocol-version: {LATEST}");
    let headers = [version.as_str(), "mcp-method: tools/call", "mcp-name: search"];
    let first_answer = || {
        // Progress is told every half second.
        let repository = many_with(600);
        let server = Server::embedded(&repository);
        server.mcp(&headers, &request(1, "tools/call", &params))
    };
    // On a busy machine a request may come when the index is there, and is answered at once.
    let reply = (0..10)
        .map(|_| first_answer())
        .find(|it| it.header("content-type") == "text/event-stream")
        .expect("a request during the indexing");
    let (mut events, _) = reply.events();
    let answer = events.pop().unwrap();
    assert_eq!(answer["result"]["structuredContent"]["complete"], true, "{answer}");
    let told = events.iter().filter(|it| it["method"] == "notifications/progress");
    let told: Vec<f64> = told.map(|it| it["params"]["progress"].as_f64().unwrap()).collect();
    assert!(!told.is_empty() && told.is_sorted_by(|a, b| a < b), "{told:?}");
}

#[test]
fn what_is_no_message_is_answered_by_the_protocol() {
    let repository = Repository::new(SMALL);
    let server = Server::embedded(&repository);
    let post = |body: &str| server.ask("POST", "/mcp", &[ACCEPT, JSON], body);
    let list = r#"{"jsonrpc":"1.0","id":3,"method":"tools/list"}"#;
    for (body, status, code) in [
        ("", 400, -32700),
        ("{", 400, -32700),
        ("[]", 400, -32600),
        (list, 400, -32600),
        (&*" ".repeat(5 << 20), 413, -32600),
        (&*"[".repeat(100_000), 400, -32700),
    ] {
        let reply = post(body);
        let shown = &body[..body.len().min(60)];
        assert_eq!(
            (reply.status, &reply.json()["error"]["code"]),
            (status, &code.into()),
            "{shown}"
        );
    }
    let reply = server.modern("tools/fly", json!({}));
    assert_eq!((reply.status, &reply.json()["error"]["code"]), (404, &(-32601).into()));
    let reply = server.modern("tools/call", json!({ "name": "fly" }));
    assert_eq!(reply.json()["error"]["code"], -32602, "{reply:?}");
    let found = server.call("search", json!({ "query": "open_session" }));
    assert_eq!(found["structuredContent"]["results"][0]["path"], "src/session.py");
}

/// Messages with something taken out, put in or changed, and bytes that never were one.
fn noise() -> impl Strategy<Value = Vec<u8>> {
    let good = request(1, "tools/call", &json!({ "name": "map", "_meta": meta() })).to_string();
    let edits = prop::collection::vec((any::<prop::sample::Index>(), any::<Option<u8>>()), 1..6);
    let mangled = edits.prop_map(move |edits| {
        let mut bytes = good.clone().into_bytes();
        for (at, new) in edits {
            let at = at.index(bytes.len());
            match new {
                Some(new) => bytes[at] = new,
                None => drop(bytes.remove(at)),
            }
        }
        bytes
    });
    prop_oneof![mangled, prop::collection::vec(any::<u8>(), 0..60)]
}

#[test]
fn after_any_noise_the_next_request_has_its_answer() {
    let repository = Repository::new(SMALL);
    let server = Server::embedded(&repository);
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig::with_cases(150));
    let version = format!("mcp-protocol-version: {LATEST}");
    let headers = [ACCEPT, JSON, &version, "mcp-method: tools/call", "mcp-name: map"];
    let outcome = runner.run(&noise(), |body| {
        let reply = server.ask_bytes("POST", "/mcp", &headers, &body);
        prop_assert!([200, 202, 400, 404].contains(&reply.status), "{:?}", reply);
        if reply.status != 202 {
            let answer = reply.json();
            prop_assert!(answer["result"].is_object() || answer["error"].is_object(), "{}", answer);
        }
        Ok(())
    });
    outcome.unwrap();
    assert_eq!(server.modern("tools/list", json!({})).status, 200);
}

#[test]
fn the_python_sdk_finds_and_reads_over_http() {
    let test = "serve::mcp::the_python_sdk_finds_and_reads_over_http";
    for mode in ["auto", "legacy"] {
        let repository = many();
        let server = Server::embedded(&repository);
        let url = format!("http://127.0.0.1:{}/mcp", server.port);
        crate::mcp::asked_by_the_sdk(test, &repository, &url, mode);
    }
}

#[test]
fn mcp_inspector_lists_and_calls_over_http_in_both_eras() {
    let test = "serve::mcp::mcp_inspector_lists_and_calls_over_http_in_both_eras";
    let repository = Repository::new(SMALL);
    repository.run(&["index"]);
    let server = Server::embedded(&repository);
    let url = format!("http://127.0.0.1:{}/mcp", server.port);
    let target = ["--server-url", &url, "--transport", "http"];
    crate::mcp::inspected(test, &repository, &target);
}
