//! A secret in a text file leaves through no door, and is not in the index on the disk.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;

use serde_json::json;

use crate::{Repository, Run};

/// In two parts, so that this file holds no token.
pub(crate) const TOKEN: &str = concat!("9fKq2LmZ7", "xWv4RtB8nYc1HsD6jPg3QeU5aTo");
pub(crate) const PASSWORD: &str = concat!("k8Jq2v", "X9tLw");

pub(crate) fn repository() -> Repository {
    Repository::new(&format!(
        "//- deploy.py\n\
         GITHUB_TOKEN = 'ghp_{TOKEN}'\n\
         DATABASE_URL = 'postgres://app:{PASSWORD}@db.internal:5432/app'\n\
         def deploy_everything(target):\n    return connect(DATABASE_URL, GITHUB_TOKEN, target)\n\
         //- main.py\n\
         from deploy import deploy_everything, GITHUB_TOKEN\n\n\ndef main():\n    deploy_everything(\n\
         //- examples.md\nexport TOKEN=ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n"
    ))
}

#[track_caller]
pub(crate) fn hides(shown: &str) {
    assert!(!shown.contains(TOKEN) && !shown.contains(PASSWORD), "{shown}");
}

#[test]
fn no_command_shows_a_secret_of_a_file() {
    let repository = repository();
    let masked = format!("ghp_{}'", "*".repeat(TOKEN.len()));
    for args in [
        &["search", "github token database url", "--json"][..],
        &["search", "--exact", "ghp_", "--json"],
        &["search", "--regex", "postgres://.*", "--json"],
        &["context", "main.py:5:23", "--json"],
        &["context", "deploy.py:5", "--json"],
        &["context", "main.py:5:23", "--prompt"],
        &["context", "main.py:5:23", "--trace"],
        &["chunk", "deploy.py", "--json"],
        &["symbols", "GITHUB_TOKEN"],
        &["map", "--json"],
    ] {
        let run = repository.run(args);
        assert_eq!(run.code, 0, "{args:?}: {run:?}");
        hides(&run.out);
        hides(&run.err);
    }
    assert!(repository.run(&["search", "--exact", "ghp_"]).out.contains(&masked));
    assert_eq!(repository.run(&["search", "--exact", TOKEN]).code, 1, "it is not in the index");
}

#[test]
fn the_index_on_the_disk_holds_no_secret_and_status_counts_what_was_masked() {
    let repository = repository();
    repository.run(&["index"]);
    let status = repository.json(&["status", "--json"]);
    assert_eq!(status["masked"], json!({ "files": 1, "places": 2 }));
    let text = repository.run(&["status"]).out;
    assert!(text.contains("masked: 2 places that look like secrets, in 1 files"), "{text}");
    let of_file = repository.run(&["status", "deploy.py"]).out;
    assert!(of_file.contains("2 places that look like secrets are masked"), "{of_file}");
    hides(&text);
    hides(&of_file);
    check_files(&repository.index());
}

/// Texts are packed on the disk; what is not in a search is looked for in names and terms as well.
fn check_files(dir: &Path) {
    for entry in fs::read_dir(dir).unwrap().map(Result::unwrap) {
        match entry.path().is_dir() {
            true => check_files(&entry.path()),
            false => hides(&String::from_utf8_lossy(&fs::read(entry.path()).unwrap())),
        }
    }
}

#[test]
fn an_unsaved_text_is_masked_too() {
    let repository = repository();
    let text = format!("import os\nKEY = 'ghp_{TOKEN}'\nprint(KEY, \n");
    let mut command = repository.command(&["context", "new.py:3:12", "--stdin", "--prompt"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let run = Run::of(&child.wait_with_output().unwrap());
    assert!(run.out.contains("KEY = 'ghp_****"), "{run:?}");
    hides(&run.out);
}

#[test]
fn no_ignore_file_brings_the_key_of_a_service_account_back() {
    let repository = repository();
    let line = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj";
    let key = format!("-----BEGIN PRIVATE KEY-----\\n{line}\\n{line}\\n-----END PRIVATE KEY-----");
    let account = serde_json::json!({ "type": "service_account", "private_key": "KEY" });
    repository.write("robot.json", &account.to_string().replace("KEY", &key));
    let reason = || repository.run(&["status", "robot.json"]).out;
    assert!(
        reason().contains("may contain secrets (the key of a service account)"),
        "{}",
        reason()
    );
    repository.write(".forewordignore", "!robot.json\n");
    assert!(reason().contains("may contain secrets"), "{}", reason());
    // The user's own configuration does.
    repository.write("../home/config/foreword/config.toml", "not_secret = [\"robot.json\"]\n");
    assert!(reason().contains("no rule excludes it"), "{}", reason());
    assert!(repository.run(&["search", "--exact", line]).out.contains(line));
}
