//! A server of a cluster shows each token what it may read, and nothing of anything else (docs/scale.md). Needs a real
//! OpenSearch, whose address `FOREWORD_OPENSEARCH` has.

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::serve::{Reply, Server};
use crate::{Repository, skipped};

/// What every answer to a token of `acme` must not have.
const FORBIDDEN: [&str; 3] = ["vault", "evil", "topic_only"];

/// Three repositories on a cluster, and a server of them.
struct Served {
    repository: Repository,
    server: Server,
    /// Removed at the end.
    args: [String; 4],
}

impl Served {
    fn new(test: &str) -> Option<Self> {
        let Ok(url) = std::env::var("FOREWORD_OPENSEARCH") else {
            skipped(test, "FOREWORD_OPENSEARCH is not set; see ci/opensearch/cluster");
            return None;
        };
        let repository = Repository::new("//- shared.py\ndef shared_name(): pass\n");
        let index = format!("{test}-{}", std::process::id());
        let at = ["--cluster".into(), url, "--cluster-index".into(), index];
        let push = |name: &str, branch: &str| {
            let args = ["push", "--repository", name, "--branch", branch];
            let args: Vec<&str> = args.into_iter().chain(at.iter().map(String::as_str)).collect();
            let run = repository.run(&args);
            assert_eq!(run.code, 0, "{run:?}");
        };
        repository.write("own.py", "def shop_cart(): shared_name()\n");
        push("acme/shop", "main");
        repository.write("own.py", "def topic_only(): shared_name()\n");
        push("acme/shop", "topic");
        repository.write("own.py", "def site_page(): shared_name()\n");
        push("acme/site", "main");
        repository.write("own.py", "def vault_key(): shared_name()\n");
        push("evil/vault", "main");
        let rights = rights("127.0.0.1");
        repository.write("../rights.toml", &rights);
        let mut command = repository.command(&["serve", "--port", "0", "--quiet"]);
        command.args(&at).args(["--rights", "../rights.toml"]).env_remove("FOREWORD_TOKEN");
        let server = Server::spawn(&mut command);
        Some(Self { repository, server, args: at })
    }

    fn ask(&self, headers: &[&str], path: &str, body: &Value) -> Reply {
        self.server.ask("POST", path, headers, &body.to_string())
    }

    fn search(&self, token: &str, body: &Value) -> Reply {
        self.ask(&[&format!("authorization: Bearer {token}")], "/v1/search", body)
    }

    fn symbols(&self, token: &str, body: &Value) -> Reply {
        self.ask(&[&format!("authorization: Bearer {token}")], "/v1/symbols", body)
    }

    /// The answers of the endpoints that are about one repository.
    fn of_one(&self, token: &str, name: &Value, branch: Option<&str>) -> [Reply; 5] {
        let token = &[&*format!("authorization: Bearer {token}")];
        let ask =
            json!({ "question": "where is the shared name", "repository": name, "branch": branch });
        let context = json!({ "file": "own.py", "line": 1, "repository": name, "branch": branch });
        let of = |body: Value| {
            let mut body = body;
            (body["repository"], body["branch"]) = (name.clone(), json!(branch));
            body
        };
        [
            ("/v1/ask", ask),
            ("/v1/context", context),
            ("/v1/symbols", of(json!({ "file": "own.py" }))),
            ("/v1/symbols", of(json!({ "at": "own.py:1:5" }))),
            ("/v1/map", of(json!({ "tokens": 300 }))),
        ]
        .map(|(path, body)| self.ask(token, path, &body))
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        for name in ["acme/shop", "acme/site", "evil/vault"] {
            let args = ["push", "--remove-all", "--repository", name];
            let args: Vec<&str> =
                args.into_iter().chain(self.args.iter().map(String::as_str)).collect();
            self.repository.run(&args);
        }
    }
}

fn hash(token: &str) -> String {
    Sha256::digest(token.as_bytes()).iter().map(|it| format!("{it:02x}")).collect()
}

fn rights(proxy: &str) -> String {
    let [acme, all, nobody, door] = ["acme-token", "all-token", "no-token", "door"].map(hash);
    format!(
        r#"
        [[token]]
        sha256 = "{acme}"
        repositories = [{{ name = "acme/*", branches = ["main"] }}]
        [[token]]
        sha256 = "{all}"
        repositories = ["**"]
        [[token]]
        sha256 = "{nobody}"
        [[proxy]]
        sha256 = "{door}"
        from = ["{proxy}"]
        [groups]
        shop = ["acme/shop"]
        all = ["**"]
        "#
    )
}

#[track_caller]
fn check_hidden(reply: &Reply) {
    for it in FORBIDDEN {
        assert!(!reply.body.contains(it), "{it} is in {reply:?}");
    }
}

fn repositories(reply: &Reply) -> Vec<String> {
    let all = reply.json()["repositories"].as_array().unwrap().clone();
    let mut res: Vec<String> =
        all.iter().map(|it| it["repository"].as_str().unwrap().to_owned()).collect();
    res.sort();
    res
}

#[test]
fn a_token_sees_its_repositories_and_no_trace_of_others() {
    let Some(served) = Served::new("rights-traces") else { return };
    let question = json!({ "query": "shared name" });
    let own = served.search("acme-token", &question);
    check_hidden(&own);
    assert_eq!(repositories(&own), ["acme/shop", "acme/site"]);
    let all = served.search("all-token", &question);
    assert_eq!(repositories(&all), ["acme/shop", "acme/site", "evil/vault"]);
    let named = served.symbols("acme-token", &json!({ "name": "shared_name" }));
    check_hidden(&named);
    assert_eq!(repositories(&named), ["acme/shop", "acme/site"]);
    assert_eq!(named.json()["others"], json!([]));
    for name in ["vault_key", "topic_only", "no_such_name"] {
        let found = served.symbols("acme-token", &json!({ "name": name })).json();
        assert_eq!((&found["repositories"], &found["others"]), (&json!([]), &json!([])), "{found}");
    }
    let pattern = json!({ "query": "/def [a-z]+_(name|cart|page|key|only)\\(/" });
    let own = served.search("acme-token", &pattern);
    check_hidden(&own);
    assert!(own.json()["total"] == json!(4) && own.json()["left_out"] == json!([]), "{own:?}");
    assert_eq!(repositories(&served.search("all-token", &pattern)).len(), 3);
    assert_eq!(repositories(&served.search("no-token", &question)), [""; 0]);
    for reply in served.of_one("acme-token", &json!("acme/shop"), None) {
        check_hidden(&reply);
        assert!(reply.status == 200 && reply.body.contains("shop_cart"), "{reply:?}");
    }
    let left_out = &own.json()["left_out"];
    assert_eq!(left_out, &json!([]), "{own:?}");
}

#[test]
fn an_agent_sees_the_same() {
    let Some(served) = Served::new("rights-agent") else { return };
    let agent = |token: &str, tool: &str, arguments: Value| {
        let token = format!("authorization: Bearer {token}");
        let params = json!({ "name": tool, "arguments": arguments });
        served.server.modern_with(&[&token], "tools/call", params)
    };
    for (tool, arguments) in [
        ("search", json!({ "query": "shared name" })),
        ("search", json!({ "query": "/(shared|vault)_\\w+/" })),
        ("map", json!({ "repository": "acme/shop" })),
        ("symbols", json!({ "name": "shared_name" })),
        ("context", json!({ "task": "the shared name", "repository": "acme/shop" })),
        ("read", json!({ "file": "own.py", "repository": "acme/shop" })),
    ] {
        let reply = agent("acme-token", tool, arguments.clone());
        check_hidden(&reply);
        assert!(reply.status == 200 && reply.body.contains("acme/shop"), "{reply:?}");
        let open = agent("all-token", tool, arguments).body;
        assert!(open.contains("def "), "{tool}: {open}");
    }
    let refused = |name: &str| {
        let arguments = json!({ "file": "own.py", "repository": format!("evil/{name}") });
        agent("acme-token", "read", arguments).body.replace(name, "NAME")
    };
    assert_eq!(refused("vault"), refused("nvult"));
    assert!(refused("vault").contains("that this token may read"), "{}", refused("vault"));
    assert!(
        agent("all-token", "symbols", json!({ "name": "vault_key" })).body.contains("evil/vault")
    );
    assert_eq!(agent("unknown", "search", json!({ "query": "shared name" })).status, 401);
}

#[test]
fn what_may_not_be_read_is_answered_like_what_is_not_there() {
    let Some(served) = Served::new("rights-alike") else { return };
    for (forbidden, absent) in
        [("evil/vault", "evil/nvult"), ("acme/shop/topic", "acme/shop/cipot")]
    {
        for (path, field) in [
            ("/v1/search", "query"),
            ("/v1/symbols", "name"),
            ("/v1/ask", "question"),
            ("/v1/context", "file"),
            ("/v1/symbols", "file"),
            ("/v1/symbols", "at"),
            ("/v1/map", "focus"),
        ] {
            let token = "authorization: Bearer acme-token";
            let ask = |name: &str| {
                let body = match name.strip_prefix("acme/shop/") {
                    Some(branch) => {
                        json!({ field: "shared", "repository": "acme/shop", "branch": branch })
                    }
                    None => json!({ field: "shared", "repository": name }),
                };
                let reply = served.ask(&[token], path, &body);
                let last = name.rsplit('/').next().unwrap();
                (reply.status, reply.body.replace(last, "NAME"))
            };
            let (told, expected) = (ask(forbidden), ask(absent));
            assert_eq!(told, expected);
            assert_eq!(told.0, 404, "{told:?}");
        }
    }
}

#[test]
fn no_spelling_of_a_name_leads_around() {
    let Some(served) = Served::new("rights-spellings") else { return };
    for name in [
        json!("**"),
        json!("evil/*"),
        json!("*/vault"),
        json!("EVIL/vault"),
        json!("evil/vault/"),
        json!("/evil/vault"),
        json!("acme/../evil/vault"),
        json!("evil%2Fvault"),
        json!("acme/shop,evil/vault"),
        json!("acme/shop\nevil/vault"),
        json!("evil/vault\u{0}"),
        json!(""),
        json!(" "),
        json!(["acme/shop", "evil/vault"]),
        json!([]),
        json!({ "wildcard": "*" }),
        json!(7),
        Value::Null,
    ] {
        let question = json!({ "query": "shared key", "repository": name, "branch": "topic" });
        let without = json!({ "query": "shared key", "repository": name });
        let symbols = json!({ "name": "shared_name", "repository": name });
        let mut replies = Vec::from(served.of_one("acme-token", &name, None));
        assert!(replies.iter().all(|it| it.status != 200), "{name} {replies:?}");
        replies.extend([
            served.search("acme-token", &question),
            served.search("acme-token", &without),
            served.symbols("acme-token", &symbols),
        ]);
        for reply in replies {
            assert!([200, 400, 404].contains(&reply.status), "{reply:?}");
            // The name that was sent comes back in errors.
            if reply.status == 200 {
                check_hidden(&reply);
            }
            assert!(!reply.body.contains("vault_key"), "{reply:?}");
        }
    }
    for path in ["../evil/vault", "../../**", "/", "**"] {
        let reply = served.search("acme-token", &json!({ "query": "key", "path": path }));
        assert!(!reply.body.contains("vault_key"), "{reply:?}");
    }
    let folded =
        served.search("acme-token", &json!({ "query": "cart", "repository": "Acme/Shop" }));
    assert_eq!(folded.status, 404, "{folded:?}");
}

#[test]
fn a_token_is_one_header_and_nothing_else() {
    let Some(served) = Served::new("rights-tokens") else { return };
    let body = json!({ "query": "shared" });
    let hash = hash("acme-token");
    for headers in [
        vec![],
        vec!["authorization: Bearer"],
        vec!["authorization: Bearer "],
        vec!["authorization: Bearer unknown"],
        vec!["authorization: Bearer ACME-TOKEN"],
        vec!["authorization: Basic acme-token"],
        vec!["x-token: acme-token"],
        vec!["authorization: Bearer unknown", "authorization: Bearer acme-token"],
    ] {
        let reply = served.ask(&headers, "/v1/search", &body);
        assert_eq!(reply.status, 401, "{headers:?} {reply:?}");
    }
    assert_eq!(served.search(&hash, &body).status, 401);
    for query in ["?token=acme-token", "?access_token=acme-token", "?x=1&TOKEN=acme-token"] {
        let reply = served.ask(&[], &format!("/v1/search{query}"), &body);
        assert_eq!(reply.status, 400, "{reply:?}");
        assert!(!reply.body.contains("acme-token"), "{reply:?}");
    }
    assert_eq!(served.server.get("/metrics").status, 401);
    assert_eq!(served.server.get("/health").status, 200);
    let get = served.server.ask("GET", "/v1/search", &["authorization: Bearer acme-token"], "");
    assert_eq!(get.status, 405);
}

#[test]
fn groups_come_from_the_proxy_alone() {
    let Some(served) = Served::new("rights-proxy") else { return };
    let ask = |headers: &[&str]| served.ask(headers, "/v1/search", &json!({ "query": "shared" }));
    let (door, groups) = ("authorization: Bearer door", "x-forwarded-groups: all");
    assert_eq!(repositories(&ask(&[door, "x-forwarded-groups: shop, other"])), ["acme/shop"]);
    assert_eq!(repositories(&ask(&[door, "x-forwarded-groups: other"])), [""; 0]);
    assert_eq!(ask(&[door]).status, 403);
    assert_eq!(ask(&[door, "x-forwarded-groups: shop", groups]).status, 403);
    // A user's own header gives nothing.
    let own = ask(&["authorization: Bearer acme-token", groups]);
    check_hidden(&own);
    assert_eq!(ask(&[groups]).status, 401);
    // Another address is not the proxy.
    served.repository.write("../rights.toml", &rights("10.9.9.9"));
    for headers in [&[door, groups][..], &[door, groups, "x-forwarded-for: 10.9.9.9"]] {
        assert_eq!(ask(headers).status, 401);
    }
}

#[test]
fn a_right_that_is_taken_away_is_gone_at_once() {
    let Some(served) = Served::new("rights-revoked") else { return };
    let ask = || served.search("acme-token", &json!({ "query": "shared" }));
    assert_eq!(ask().status, 200);
    served.repository.write("../rights.toml", "");
    assert_eq!(ask().status, 401);
    served.repository.write("../rights.toml", &rights("127.0.0.1"));
    assert_eq!(ask().status, 200);
    served.repository.write("../rights.toml", "[[token]");
    let broken = ask();
    assert_eq!(broken.status, 503, "{broken:?}");
    let metrics = {
        served.repository.write("../rights.toml", &rights("127.0.0.1"));
        let headers = ["authorization: Bearer no-token"];
        served.server.ask("GET", "/metrics", &headers, "").body
    };
    for line in [
        "foreword_cluster_answers_total{door=\"search\",end=\"done\"} 2",
        "foreword_cluster_failures_total 0",
    ] {
        assert!(metrics.lines().any(|it| it == line), "{line} is not in {metrics}");
    }
}

#[test]
fn a_server_that_anyone_could_read_does_not_start() {
    let Ok(url) = std::env::var("FOREWORD_OPENSEARCH") else {
        return skipped(
            "rights-start",
            "FOREWORD_OPENSEARCH is not set; see ci/opensearch/cluster",
        );
    };
    let repository = Repository::new("//- a.py\ndef alpha(): pass\n");
    let run = |args: &[&str]| repository.run(&[&["serve", "--cluster", &url][..], args].concat());
    run(&["--host", "0.0.0.0"]).fails(2, &["--rights FILE"]);
    run(&["--rights", "none.toml"]).fails(2, &["none.toml"]);
    repository.write("rights.toml", "[[token]]\nsha256 = \"my-token\"\n");
    run(&["--rights", "rights.toml"]).fails(2, &["no SHA-256", "sha256sum"]);
    repository.write("rights.toml", "");
    run(&["--rights", "rights.toml", "--token", "x"]).fails(2, &["--token reads everything"]);
    run(&["--workspace", "."]).fails(2, &["--workspace"]);
    repository.run(&["serve", "--rights", "rights.toml"]).fails(2, &["--cluster"]);
}

#[test]
fn an_agent_selects_among_what_its_token_may_read_and_its_calls_are_counted() {
    let Some(served) = Served::new("rights-agent-patterns") else { return };
    let call = |token: &str, repository: &str| {
        let token = format!("authorization: Bearer {token}");
        let arguments = json!({ "name": "shared_name", "repository": repository });
        let params = json!({ "name": "symbols", "arguments": arguments });
        served.server.modern_with(&[&token], "tools/call", params)
    };
    for pattern in ["**", "*/*", "acme/*", "acme/shop"] {
        let found = call("acme-token", pattern);
        assert!(found.body.contains("[acme/shop: "), "{pattern}: {found:?}");
        check_hidden(&found);
    }
    assert!(call("all-token", "*/vault").body.contains("[evil/vault: "));
    let refused = call("acme-token", "*/vault");
    assert!(refused.body.contains("\"isError\":true"), "{refused:?}");
    let headers = ["authorization: Bearer no-token"];
    let metrics = served.server.ask("GET", "/metrics", &headers, "").body;
    for (end, n) in [("done", 5), ("failed", 1)] {
        let line = format!("foreword_cluster_answers_total{{door=\"mcp\",end=\"{end}\"}} {n}");
        assert!(metrics.lines().any(|it| it == line), "{line} is not in {metrics}");
    }
}
