//! A file that is a secret by its name leaves through no door: one table of doors, with a model's server that keeps what
//! it was sent. The user's exception opens all of them.

use std::io::Read as _;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::Repository;
use crate::lsp::Editor;
use crate::lsp::server_model::initialize;
use crate::mcp::Client;
use crate::serve::Server;
use crate::serve::stub::{Stub, StubResponse};

/// The text of the file. No shape gives it away, so only the name protects it.
const TEXT: &str = "HOUSE=quiet otter lantern\nSTREET=";
const WORDS: &str = "otter lantern";
const REASON: &str = "is a secret by its name";

fn repository() -> Repository {
    let repository = Repository::new(&format!(
        "//- main.py\ndef find_house(street):\n    return street\n//- .env\n{TEXT}\n//- deploy/.aws/settings.txt\n{TEXT}\n"
    ));
    #[cfg(unix)]
    std::os::unix::fs::symlink(".env", repository.root().join("plain.txt")).unwrap();
    repository
}

fn stub() -> Stub {
    Stub::llama(|_| StubResponse::json(&json!({ "content": "answer", "stop": true })))
}

/// Allows the file in the user's configuration.
fn allow(repository: &Repository) {
    repository.write("../home/config/foreword/config.toml", "not_secret = [\".env\"]\n");
}

#[track_caller]
fn hides(shown: &str) {
    assert!(!shown.contains(WORDS), "{shown}");
}

#[test]
fn every_command_refuses_a_secret_file_and_says_why() {
    let (repository, stub) = (repository(), stub());
    let url = ["--model-url", &stub.url];
    let complete = |position| [&["complete", position][..], &url].concat();
    for (args, code) in [
        (complete(".env:2"), 2),
        (complete("deploy/.aws/settings.txt:2"), 2),
        (complete("deploy/../.env:2"), 2),
        (vec!["context", ".env:2"], 2),
        (vec!["context", ".env:2", "--prompt"], 2),
        (vec!["context", "new/.env.local", "--stdin"], 2),
        (vec!["next", ".env:2"], 2),
        (vec!["search", "lantern", "--path", ".env"], 2),
        (vec!["search", "--exact", "lantern", "--path", ".env"], 2),
        (vec!["ask", "where is the lantern", "--path", ".env"], 2),
        (vec!["chunk", ".env", "--json"], 1),
        (vec!["skeleton", ".env"], 1),
        #[cfg(unix)]
        (vec!["context", "plain.txt:2"], 2),
        #[cfg(unix)]
        (vec!["chunk", "plain.txt", "--json"], 1),
    ] {
        let run = repository.run(&args);
        assert!(run.code == code && run.err.contains(REASON), "{args:?}: {run:?}");
        assert!(run.err.contains("not_secret") && run.err.contains("config.toml"), "{run:?}");
        hides(&run.out);
        hides(&run.err);
    }
    assert!(repository.run(&["status", ".env"]).out.contains("may contain secrets (.env*)"));
    // The other files of a command are shown.
    let both = repository.run(&["chunk", ".env", "main.py", "--json"]);
    assert!(both.out.contains("find_house"), "{both:?}");
    hides(&stub.all_requests());
}

#[test]
fn the_users_exception_opens_every_command() {
    let (repository, stub) = (repository(), stub());
    allow(&repository);
    for args in [
        &["context", ".env:2", "--prompt"][..],
        &["chunk", ".env", "--json"],
        &["skeleton", ".env"],
        &["search", "lantern", "--path", ".env", "--json"],
    ] {
        let run = repository.run(args);
        assert!(run.code == 0 && run.out.contains(WORDS), "{args:?}: {run:?}");
    }
    repository.run(&["complete", ".env:2", "--model-url", &stub.url]);
    assert!(stub.all_requests().contains(WORDS));
}

/// Requests of every protocol that names files, in a secret file.
fn requests() -> Vec<(&'static str, Value)> {
    let rendered = format!(
        "<|repo_name|>it\n<|file_sep|>.env\n<|fim_prefix|>{TEXT}<|fim_suffix|>\n<|fim_middle|>"
    );
    let commented = format!("+++++ main.py\nx = 1\n+++++ .env\n{TEXT}");
    let segments = |path: &str| json!({ "prefix": TEXT, "suffix": "\n", "filepath": path });
    vec![
        ("/v1/completions", json!({ "language": "x", "segments": segments(".env") })),
        ("/v1/completions", json!({ "language": "x", "segments": segments("a/.aws/x.txt") })),
        ("/v1/completions", json!({ "prompt": rendered, "max_tokens": 9 })),
        ("/v1/completions", json!({ "prompt": rendered, "stream": true })),
        ("/v1/completions", json!({ "prompt": [rendered, "x"] })),
        ("/completion", json!({ "prompt": rendered })),
        ("/api/generate", json!({ "prompt": rendered, "raw": true, "stream": false })),
        ("/v1/fim/completions", json!({ "prompt": commented, "suffix": "\n" })),
        ("/beta/completions", json!({ "prompt": commented, "suffix": "\n" })),
    ]
}

#[test]
fn no_protocol_sends_a_secret_file_to_the_model_and_the_answer_is_silence() {
    let (repository, stub) = (repository(), stub());
    let server = Server::with_upstream(&repository, &stub.url);
    for (path, body) in requests() {
        for headers in [&[][..], &["x-foreword-bypass: 1"]] {
            let reply = server.ask("POST", path, headers, &body.to_string());
            assert_eq!((reply.status, reply.header("x-foreword-context")), (200, "refused"));
            let record = server.record(&reply);
            let note = record["notes"][0].as_str().unwrap();
            assert!(note.contains(REASON) && note.contains("not_secret"), "{note}");
            hides(&record.to_string());
            hides(&reply.body);
            assert!(!reply.body.contains("answer"), "{}", reply.body);
        }
    }
    for path in ["/api/context?file=.env&line=2", "/api/lines?path=.env"] {
        let reply = server.get(path);
        assert!(reply.status >= 400 && reply.body.contains(REASON), "{reply:?}");
    }
    hides(&stub.all_requests());
}

#[test]
fn a_clients_snippets_of_secret_files_are_left_out() {
    let (repository, stub) = (repository(), stub());
    let server = Server::with_upstream(&repository, &stub.url);
    let rendered = format!(
        "<|repo_name|>it\n<|file_sep|>.env\n{TEXT}\n<|file_sep|>main.py\n<|fim_prefix|>a = <|fim_suffix|>\n<|fim_middle|>"
    );
    let snippet = json!({ "filepath": ".env", "body": TEXT, "score": 1.0 });
    let segments = json!({
        "prefix": "a = ", "suffix": "\n", "filepath": "main.py",
        "relevant_snippets_from_changed_files": [snippet],
    });
    let extra =
        json!([{ "filename": ".env", "text": TEXT }, { "filename": "b.py", "text": "kept = 1\n" }]);
    let infill = json!({ "input_prefix": "a = ", "input_suffix": "\n", "input_extra": extra });
    for (path, body) in [
        ("/infill", infill.clone()),
        ("/v1/completions", json!({ "language": "x", "segments": segments })),
        ("/completion", json!({ "prompt": rendered })),
        (
            "/v1/fim/completions",
            json!({ "prompt": format!("+++++ .env\n{TEXT}\n+++++ main.py\na = "), "suffix": "\n" }),
        ),
    ] {
        for headers in [&[][..], &["x-foreword-bypass: 1"]] {
            let reply = server.ask("POST", path, headers, &body.to_string());
            assert_eq!(reply.status, 200, "{reply:?}");
            let record = server.record(&reply);
            hides(&record.to_string());
            assert!(record["notes"].to_string().contains("secrets by their names"), "{record}");
        }
    }
    // llama.vim's requests that only warm the cache.
    let mut warm = infill;
    warm["n_predict"] = 0.into();
    server.post("/infill", &warm);
    let sent = stub.all_requests();
    hides(&sent);
    assert!(sent.contains("kept = 1"), "{sent}");
}

#[test]
fn an_agent_cannot_read_a_secret_file_and_hears_why() {
    let repository = repository();
    let mut client = Client::of(&repository);
    let uri = format!("file://{}/.env", repository.root().canonicalize().unwrap().display());
    hides(&client.ask("resources/read", json!({ "uri": uri })).to_string());
    for (tool, arguments) in [
        ("context", json!({ "file": "deploy/.aws/settings.txt:1-2" })),
        ("context", json!({ "file": ".env", "line": 2 })),
        ("context", json!({ "file": ".env", "line": 2, "next": true })),
        ("search", json!({ "query": "lantern", "path": [".env"] })),
    ] {
        let refusal = client.refusal(tool, arguments);
        assert!(refusal.contains(REASON) && refusal.contains("not_secret"), "{tool}: {refusal}");
        hides(&refusal);
    }
}

#[test]
fn an_editor_gets_no_completion_in_a_secret_file_no_error_and_one_line_in_the_log() {
    let (repository, stub) = (repository(), stub());
    repository.run(&["index"]);
    let outside = tempfile::tempdir().unwrap();
    let mut command = repository.command(&["lsp", "--model-url", &stub.url]);
    command.stderr(Stdio::piped());
    let mut editor = Editor::run(command);
    initialize(&mut editor, &repository, &json!({ "deadlineMs": 60_000 }));
    let lone = outside.path().join(".env").display().to_string();
    for path in [".env", "new/.env.local", &lone] {
        editor.open(&repository, path, TEXT);
        for _ in 0..2 {
            assert_eq!(editor.ghost(&repository, path, (1, 7)), None, "{path}");
        }
    }
    let symbols = editor.ask("workspace/symbol", &json!({ "query": "HOUSE" })).to_string();
    assert!(symbols.contains("main.py") && !symbols.contains(".env"), "{symbols}");
    // An ordinary file is completed, without the text of the others.
    editor.open(&repository, "main.py", "def find_house(street):\n    return \n");
    editor.ghost(&repository, "main.py", (1, 11));
    let mut log = editor.child.stderr.take().unwrap();
    editor.end();
    let mut text = String::new();
    log.read_to_string(&mut text).unwrap();
    assert_eq!(text.matches(REASON).count(), 3, "{text}");
    hides(&text);
    let sent = stub.all_requests();
    assert!(sent.contains("find_house"), "{sent}");
    hides(&sent);
}
