//! Doors to the repositories of a cluster beside the command line: the same answers through all of them. Needs a real
//! OpenSearch, whose address `FOREWORD_OPENSEARCH` has.

use serde_json::{Value, json};

use crate::ask::piped;
use crate::cluster::Pushed;
use crate::mcp::Client;
use crate::serve::Server;

/// An answer without its times, which come last.
#[track_caller]
fn untimed(answer: &str) -> &str {
    let (res, times) = answer.trim_end().rsplit_once(",\"elapsed_ms\":").expect(answer);
    assert!(!times.contains('"') || times.starts_with('{'), "{times}");
    res
}

fn server(pushed: &Pushed) -> Server {
    let mut command = pushed.repository.command(&pushed.args(&["serve", "--port", "0", "--quiet"]));
    Server::spawn(command.env_remove("FOREWORD_TOKEN"))
}

/// The answer of the command line, with a text on stdin.
fn printed(pushed: &Pushed, args: &[&str], stdin: &str) -> String {
    let run = piped(&pushed.repository, &pushed.args(args), stdin);
    // 1: there is no evidence.
    assert!(run.code <= 1, "{run:?}");
    run.out
}

/// Both doors give the same bytes.
#[track_caller]
fn check(
    pushed: &Pushed,
    server: &Server,
    (args, stdin): (&[&str], &str),
    path: &str,
    body: &Value,
) {
    let mut body = body.clone();
    body["repository"] = pushed.name().into();
    let reply = server.post(path, &body);
    assert_eq!(reply.status, 200, "{reply:?}");
    let printed = printed(pushed, args, stdin);
    assert_eq!(untimed(&printed), untimed(&reply.body), "{args:?}");
}

#[test]
fn a_server_answers_questions_with_the_bytes_of_the_command_line() {
    let Some(pushed) = Pushed::new("doors-ask") else { return };
    pushed.run(&["push"]);
    let (server, name) = (server(&pushed), pushed.name());
    let ask = |args: &[&str], stdin: &str, body: Value| {
        let args = [&["ask", "--json"], args].concat();
        check(&pushed, &server, (&args, stdin), "/v1/ask", &body);
    };
    ask(&["where is other_3 used"], "", json!({ "question": "where is other_3 used" }));
    ask(&["needle", "--repository", &name], "", json!({ "question": "needle" }));
    let of_m3 = ["--path", "src/m3/", "--lang", "python", "--tokens", "500", "function value"];
    let body =
        json!({ "question": "function value", "path": "src/m3/", "lang": "python", "tokens": 500 });
    ask(&of_m3, "", body);
    let pasted = "  File \"needle.py\", line 1, in needle_in_haystack\nKeyError: 3\n";
    ask(&["why", "--stdin"], pasted, json!({ "question": "why", "pasted": pasted }));
    // What differs in the clone is sent with the question.
    let zebra = "def zebra_crossing(value):\n    return other_3(value, 1)\n";
    pushed.repository.write("zebra.py", zebra);
    std::fs::remove_file(pushed.repository.root().join("needle.py")).unwrap();
    let texts = json!({ "zebra.py": zebra, "needle.py": null });
    for question in ["where is the zebra crossing", "where is the needle"] {
        let body = json!({ "question": question, "texts": texts });
        check(&pushed, &server, (&["ask", "--json", question], ""), "/v1/ask", &body);
    }
    let refused = |body: Value, words: &str| {
        let reply = server.post("/v1/ask", &body);
        assert!(reply.status == 400 && reply.body.contains(words), "{reply:?}");
    };
    refused(json!({ "question": " ", "repository": name }), "question is empty");
    refused(json!({ "question": "x", "repository": "**" }), "repository is a pattern");
    refused(json!({ "question": "x", "repository": name, "path": "no/" }), "nothing is there");
    let secret = json!({ ".env": "KEY=1" });
    refused(json!({ "question": "x", "repository": name, "texts": secret }), "secret by its name");
    pushed.run(&["push", "--remove-all"]);
}

#[track_caller]
fn check_refused_contexts(server: &Server, name: &str) {
    for (body, words) in [
        (json!({ "file": "no.py", "line": 1 }), "there is no such file"),
        (json!({ "file": "needle.py", "line": 99 }), "needle.py:99"),
        (json!({ "file": "needle.py", "line": 0 }), "count from 1"),
        (json!({ "file": "needle.py", "model": "no-such" }), "no such prompt format"),
        (json!({ "file": "needle.py", "budget": 3 }), "raise budget"),
        (json!({ "file": ".env", "text": "KEY=1" }), "secret by its name"),
        (json!({ "file": "needle.py", "recent": ["no.py"] }), "there is no file no.py"),
        (json!({ "file": "needle.py", "lines": 1 }), "unknown field"),
    ] {
        let mut body = body;
        body["repository"] = name.into();
        let reply = server.post("/v1/context", &body);
        assert!(reply.status == 400 && reply.body.contains(words), "{words}: {reply:?}");
    }
}

#[test]
fn a_server_makes_prompts_with_the_bytes_of_the_command_line() {
    let Some(pushed) = Pushed::new("doors-context") else { return };
    pushed.run(&["push"]);
    let (server, name) = (server(&pushed), pushed.name());
    let context = |args: &[&str], stdin: &str, body: Value| {
        let args = [&["context", "--json"], args].concat();
        check(&pushed, &server, (&args, stdin), "/v1/context", &body);
    };
    context(&["src/m3/f3.py:20"], "", json!({ "file": "src/m3/f3.py", "line": 20 }));
    context(
        &["src/m3/f3.py:20:5", "--budget", "900", "-m", "starcoder2", "--intent", "the needle"],
        "",
        json!({ "file": "src/m3/f3.py", "line": 20, "column": 5, "budget": 900, "model": "starcoder2", "intent": "the needle" }),
    );
    // Unsaved text of the cursor's file lies over what was pushed, with its secrets masked.
    let text = "import needle\nPASSWORD = \"hunter2-is-a-very-long-secret\"\n\ndef more(value):\n    needle.\n";
    context(
        &["src/new.py:5", "--stdin", "--recent", "needle.py"],
        text,
        json!({ "file": "src/new.py", "line": 5, "text": text, "recent": "needle.py" }),
    );
    let changed = "def needle_in_haystack(zebra):\n    return other_3(zebra, 1)\n";
    pushed.repository.write("needle.py", changed);
    context(
        &["src/new.py:5", "--stdin"],
        text,
        json!({ "file": "src/new.py", "line": 5, "text": text, "texts": { "needle.py": changed } }),
    );
    check_refused_contexts(&server, &name);
    pushed.run(&["push", "--remove-all"]);
}

/// A client of `foreword mcp --cluster`.
fn agent(pushed: &Pushed, args: &[&str]) -> Client {
    Client::with_arguments(&pushed.repository, &pushed.repository.root(), &pushed.args(args))
}

/// What is offered for a pushed repository, and what is refused.
#[track_caller]
fn check_tools(client: &mut Client) {
    let (text, _) = client.answer("read", json!({ "file": "needle.py:1-2" }));
    assert!(text.contains("def needle_in_haystack"), "{text}");
    for (tool, arguments, words) in [
        ("search", json!({ "query": "/a(c/" }), "not a regular expression"),
        ("context", json!({ "next": true }), "in a clone"),
        ("context", json!({ "file": "no.py" }), "not in the index"),
        ("read", json!({ "file": "../../.ssh/id_rsa" }), "secret by its name"),
        ("search", json!({ "query": "x", "repository": "other" }), "has others only"),
    ] {
        let refusal = client.refusal(tool, arguments);
        assert!(refusal.contains(words), "{refusal}");
    }
    let listed = client.ask("tools/list", json!({}));
    let tools = listed["result"]["tools"].as_array().unwrap().clone();
    let names: Vec<&str> = tools.iter().map(|it| it["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["search", "context", "symbols", "map", "read"]);
    let properties = |it: &Value| it["inputSchema"]["properties"].clone();
    assert!(tools.iter().all(|it| properties(it).get("wait_ms").is_none()), "{listed}");
}

#[test]
fn an_agent_reads_of_a_pushed_repository_what_it_reads_of_a_clone() {
    let Some(pushed) = Pushed::new("doors-agent") else { return };
    pushed.run(&["push"]);
    let name = pushed.name();
    let mut there = agent(&pushed, &["--repository", &name]);
    let mut here = Client::of(&pushed.repository);
    for (tool, arguments) in [
        ("search", json!({ "query": "where is the needle" })),
        (
            "search",
            json!({ "query": "other function value", "path": "src/m3", "limit": 3, "lines": 2 }),
        ),
        ("search", json!({ "query": "function_7_3", "mode": "symbol" })),
        ("search", json!({ "query": "no_such_name" })),
        ("symbols", json!({ "name": "other_3", "tokens": 600 })),
        ("symbols", json!({ "name": "function_7_3" })),
        ("symbols", json!({ "file": "needle.py" })),
        ("symbols", json!({ "name": "needle_in_haystack", "file": "needle.py:1" })),
        ("context", json!({ "task": "find the needle" })),
        ("context", json!({ "file": "src/m3/f3.py", "line": 20 })),
        ("search", json!({ "query": "/function_7_1\\d/", "lines": 3 })),
        ("search", json!({ "query": "\"other_3(\"", "limit": 4 })),
        ("search", json!({ "query": "o.h.r.3", "mode": "regex" })),
        ("map", json!({ "tokens": 900 })),
        ("map", json!({ "focus": ["src/m3"] })),
    ] {
        let [there, here] = [&mut there, &mut here].map(|it| it.answer(tool, arguments.clone()));
        let lines = |it: &str| it.trim_end().rsplit_once('\n').map(|it| it.0.to_owned());
        assert_eq!(lines(&there.0), lines(&here.0), "{tool} {arguments}");
        assert_eq!(there.1["results"], here.1["results"], "{tool} {arguments}");
        let last = format!("[{name}: 151 files, as pushed, snapshot ");
        assert!(there.0.lines().last().unwrap().starts_with(&last), "{there:?}");
        assert_eq!(there.1["snapshot"], here.1["snapshot"]);
    }
    check_tools(&mut there);
    there.end();
    pushed.run(&["push", "--remove-all"]);
}

#[test]
fn an_agent_that_names_no_repository_is_answered_from_the_likeliest() {
    let Some(pushed) = Pushed::new("doors-agents") else { return };
    pushed.run(&["push", "--repository", "acme/shop"]);
    pushed.repository.write("needle.py", "def haystack_needle_finder():\n    pass\n");
    pushed.run(&["push", "--repository", "acme/site"]);
    pushed.run(&["push", "--repository", "other/x"]);
    let mut all = agent(&pushed, &["--repository", "acme/*"]);
    let (text, found) = all.answer("search", json!({ "query": "needle finder" }));
    assert!(text.starts_with("## acme/site\nneedle.py:1-2"), "{text}");
    assert!(text.contains("## acme/shop\n") && !text.contains("other/x"), "{text}");
    assert_eq!(found["results"][0]["repository"], "acme/site");
    let (text, _) = all.answer("symbols", json!({ "name": "haystack_needle_finder" }));
    assert!(text.contains("[acme/site: ") && !text.contains("acme/shop"), "{text}");
    let (text, _) = all.answer("search", json!({ "query": "needle", "repository": "acme/shop" }));
    assert!(text.contains("[acme/shop: ") && !text.contains("acme/site"), "{text}");
    // A pattern selects among the repositories of this server.
    for pattern in ["**", "*/*", "acme/*"] {
        let (text, _) = all.answer("symbols", json!({ "name": "other_3", "repository": pattern }));
        assert!(text.contains("[acme/site: ") && !text.contains("other/x"), "{pattern}: {text}");
    }
    // The words of a pattern choose repositories.
    let (text, _) = all.answer("search", json!({ "query": "/needle_find\\w+/" }));
    assert!(text.contains("[acme/site: ") && !text.contains("acme/shop:"), "{text}");
    let (text, _) = all.answer("search", json!({ "query": "/def \\w*needle/" }));
    assert!(text.contains("## acme/site") && text.contains("## acme/shop"), "{text}");
    let refusal = all.refusal("search", json!({ "query": "/a.c/" }));
    assert!(refusal.contains("name one repository"), "{refusal}");
    // A cursor names its repository.
    let (_, first) = all.answer("symbols", json!({ "name": "other_3", "tokens": 500 }));
    let cursor = first["next_cursors"][0].as_str().unwrap().to_owned();
    let (text, _) = all.answer("symbols", json!({ "name": "other_3", "cursor": cursor }));
    assert!(cursor.ends_with("@acme/shop") && !text.contains("acme/site"), "{cursor} {text}");
    for (arguments, words) in [
        (json!({ "task": "find the needle" }), "repository is missing"),
        (json!({ "task": "x", "repository": "other/x" }), "has others only"),
        (json!({ "task": "x", "repository": "acme/none" }), "was not pushed"),
    ] {
        let refusal = all.refusal("context", arguments);
        assert!(refusal.contains(words), "{refusal}");
    }
    let none = all.refusal("search", json!({ "query": "zzzunknown" }));
    assert!(none.contains("nothing matched"), "{none}");
    all.end();
    for it in ["acme/shop", "acme/site", "other/x"] {
        pushed.run(&["push", "--remove-all", "--repository", it]);
    }
}
