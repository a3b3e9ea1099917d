//! Doors to the repositories of a cluster beside the command line: the same answers through all of them. Needs a real
//! OpenSearch, whose address `FOREWORD_OPENSEARCH` has.

use std::io::Write as _;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::Run;
use crate::cluster::Pushed;
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
    let mut command = pushed.repository.command(&pushed.args(args));
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(stdin.as_bytes()).unwrap();
    let run = Run::of(&child.wait_with_output().unwrap());
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
        body["repository"] = (&*name).into();
        let reply = server.post("/v1/context", &body);
        assert!(reply.status == 400 && reply.body.contains(words), "{words}: {reply:?}");
    }
    pushed.run(&["push", "--remove-all"]);
}
