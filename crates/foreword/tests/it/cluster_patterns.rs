//! Patterns, outlines, places and maps from a cluster are those of a clone. Needs a real OpenSearch, whose address
//! `FOREWORD_OPENSEARCH` has.

use serde_json::{Value, json};

use crate::cluster::{Pushed, comparable};
use crate::serve::Server;

/// Questions about all lines, all files or one file.
const QUESTIONS: [&[&str]; 15] = [
    &["search", "--json", "/def function_7_\\d/"],
    &["search", "--json", "--exact", "other_3("],
    &["search", "--json", "--exact", "-w", "needle_in_haystack"],
    &["search", "--json", "-i", "--exact", "NEEDLE_in"],
    &["search", "--json", "--regex", "^def .*_1\\("],
    &["search", "--json", "/\\bfunction_(3|7)_19\\b/", "--around", "1"],
    &["search", "--json", "/\\d\\d, \\d/", "--path", "src/m3/", "-k", "5"],
    &["search", "--json", "/tion_14\\d_19/", "--tokens", "200"],
    &["search", "--json", "/no_such_name/"],
    &["search", "--json", "/,.1\\d\\)/"],
    &["symbols", "--json", "--file", "src/m3/f3.py"],
    &["symbols", "--json", "--at", "needle.py:1:6", "--at", "src/m3/f3.py:2:12"],
    &["map", "--json"],
    &["map", "--json", "src/m4", "-t", "300"],
    &["map", "--json", "function_7_3"],
];

/// All doors to the repository give the answers of the index.
#[track_caller]
fn check(pushed: &Pushed, more: &[&str]) {
    for args in QUESTIONS {
        let here = comparable(pushed.repository.json(args));
        let name = pushed.name();
        let (named, unnamed) =
            ([args, &["--repository", &name], more].concat(), [args, more].concat());
        for there in [pushed.args(&named), pushed.args(&unnamed)] {
            let there = comparable(pushed.repository.json(&there));
            assert_eq!(there, here, "{args:?}");
        }
    }
}

#[test]
fn patterns_outlines_places_and_maps_are_those_of_a_clone() {
    let Some(pushed) = Pushed::new("cluster-patterns") else { return };
    pushed.run(&["push"]);
    check(&pushed, &[]);
    let text = ["search", "/def function_7_\\d/", "--around", "1"];
    assert_eq!(pushed.run(&text).out, pushed.repository.run(&text).out);
    for (args, words) in [
        (&["search", "/a(b/"][..], "not a regular expression"),
        (&["symbols", "--file", "no.py"], "no.py is not in"),
        (&["symbols", "--at", "needle.py:99:1"], "has 3 lines"),
        (&["map", "no_such_thing"], "no file, folder or definition"),
    ] {
        let name = pushed.name();
        for named in [&[][..], &["--repository", &name]] {
            pushed.run(&[args, named].concat()).fails(2, &[words]);
        }
    }
    pushed.run(&["push", "--remove-all"]);
}

#[test]
fn with_a_key_terms_choose_the_files_of_a_pattern() {
    let Some(pushed) = Pushed::new("patterns-keyed") else { return };
    pushed.repository.write("../key", "0123456789abcdef0123456789abcdef\n");
    let keyed = ["--cluster-key", "../key"];
    pushed.run(&[&["push"][..], &keyed].concat());
    check(&pushed, &keyed);
    pushed.run(&["push", "--remove-all"]);
}

#[test]
fn what_differs_in_a_clone_has_its_own_lines() {
    let Some(pushed) = Pushed::new("patterns-changed") else { return };
    pushed.run(&["push"]);
    let repository = &pushed.repository;
    repository.write("zebra.py", "def zebra_crossing():\n    return other_3(1, 1)\n");
    repository.write("needle.py", "def needle_in_haystack(zebra):\n    return other_3(zebra)\n");
    std::fs::remove_file(repository.root().join("src/m4/f4.py")).unwrap();
    for args in QUESTIONS.into_iter().chain([
        &["search", "--json", "/zebra_cro/"][..],
        &["search", "--json", "--exact", "zebra"],
        &["symbols", "--json", "--file", "zebra.py"],
        &["symbols", "--json", "--at", "zebra.py:2:12"],
    ]) {
        let here = comparable(repository.json(args));
        assert_eq!(comparable(repository.json(&pushed.args(args))), here, "{args:?}");
    }
    pushed.run(&["push", "--remove-all"]);
}

/// Three repositories, of which two have the needle.
fn several(test: &str) -> Option<Pushed> {
    let pushed = Pushed::new(test)?;
    pushed.run(&["push", "--repository", "acme/shop"]);
    pushed.repository.write("needle.py", "def needle_finder():\n    pass\n");
    pushed.run(&["push", "--repository", "acme/site"]);
    pushed.repository.write("needle.py", "def other():\n    pass\n");
    pushed.run(&["push", "--repository", "other/x"]);
    Some(pushed)
}

#[test]
fn the_words_of_a_pattern_choose_repositories() {
    let Some(pushed) = several("patterns-several") else { return };
    let ask = |pattern: &str, more: &[&str]| {
        let args = [&["search", "--json", pattern, "--repository", "**"][..], more].concat();
        pushed.repository.json(&pushed.args(&args))
    };
    let places = |it: &Value| -> Vec<String> {
        let place = |it: &Value| format!("{} {}", it["repository"], it["start_line"]);
        let mut all: Vec<String> = it["results"].as_array().unwrap().iter().map(place).collect();
        all.sort();
        all
    };
    let found = ask("/def needle_\\w+/", &[]);
    assert_eq!(places(&found), ["\"acme/shop\" 1", "\"acme/site\" 1"], "{found}");
    assert_eq!((&found["total"], &found["truncated"]), (&2.into(), &false.into()));
    let cut = ask("/function_\\d+_1\\(/", &["-k", "7"]);
    assert_eq!(cut["results"].as_array().unwrap().len(), 7);
    assert_eq!((&cut["total"], &cut["truncated"]), (&450.into(), &true.into()), "{}", cut["total"]);
    let args = ["search", "/def needle_\\w+/", "--repository", "acme/*"];
    let text = pushed.run(&args);
    assert!(text.out.contains("acme/site:needle.py:1:1"), "{text:?}");
    assert!(text.err.contains("chosen by the words needle"), "{text:?}");
    let none = pushed.run(&["search", "/zzzunknown/", "--repository", "**"]);
    assert_eq!(none.code, 1, "{none:?}");
    pushed.run(&["search", "/a.c/", "--repository", "**"]).fails(2, &["name one repository"]);
    for it in ["acme/shop", "acme/site", "other/x"] {
        pushed.run(&["push", "--remove-all", "--repository", it]);
    }
}

/// An answer without its time.
fn untimed(answer: &str) -> &str {
    answer.trim_end().rsplit_once(",\"elapsed_ms\":").map_or(answer.trim_end(), |it| it.0)
}

#[test]
fn a_server_has_the_bytes_of_the_command_line() {
    let Some(pushed) = several("patterns-served") else { return };
    let mut command = pushed.repository.command(&pushed.args(&["serve", "--port", "0", "--quiet"]));
    let server = Server::spawn(command.env_remove("FOREWORD_TOKEN"));
    let check = |args: &[&str], path: &str, body: Value| {
        let reply = server.post(path, &body);
        assert_eq!(reply.status, 200, "{body}: {reply:?}");
        let repository = body["repository"].as_str().unwrap();
        let printed = pushed.run(&[args, &["--json", "--repository", repository]].concat()).out;
        assert_eq!(untimed(&reply.body), untimed(&printed), "{args:?}");
    };
    let of = |more: Value, repository: &str| {
        let mut res = more;
        res["repository"] = repository.into();
        res
    };
    let query = "/def needle_\\w+/";
    check(&["search", query], "/v1/search", of(json!({ "query": query }), "acme/*"));
    let body = json!({ "query": "other_3(", "mode": "exact", "limit": 3, "brief": true });
    check(&["search", "--exact", "other_3(", "-k", "3", "--brief"], "/v1/search", of(body, "**"));
    let shop = |it: Value| of(it, "acme/shop");
    check(&["symbols", "--file", "needle.py"], "/v1/symbols", shop(json!({ "file": "needle.py" })));
    let at = "src/m3/f3.py:2:12";
    check(&["symbols", "--at", at], "/v1/symbols", shop(json!({ "at": at })));
    check(&["map", "src/m3"], "/v1/map", shop(json!({ "focus": "src/m3" })));
    for (path, body, words) in [
        ("/v1/search", json!({ "query": "/a.c/", "repository": "**" }), "name one repository"),
        ("/v1/search", json!({ "query": "/abc/", "kind": "class" }), "no kind"),
        ("/v1/symbols", json!({ "file": "needle.py" }), "name one"),
        ("/v1/symbols", shop(json!({ "file": "needle.py", "name": "x" })), "give one of"),
        ("/v1/symbols", shop(json!({ "at": "needle.py" })), "FILE:LINE:COL"),
        ("/v1/map", json!({ "repository": "**" }), "is a pattern"),
    ] {
        let reply = server.post(path, &body);
        assert!(reply.status == 400 && reply.body.contains(words), "{words}: {reply:?}");
    }
    let one = server.post("/v1/search", &shop(json!({ "query": "/n..dle/", "limit": 5 })));
    assert_eq!((one.status, &one.json()["total"]), (200, &1.into()), "{one:?}");
    for it in ["acme/shop", "acme/site", "other/x"] {
        pushed.run(&["push", "--remove-all", "--repository", it]);
    }
}
