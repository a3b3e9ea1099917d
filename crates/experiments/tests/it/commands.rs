//! Runs each command as a process over two holes of a repository of three files.
#![expect(clippy::disallowed_methods, reason = "tests write the repository")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

const FILES: [(&str, &str); 3] = [
    ("src/mail.py", "def send_letter(text, urgent=False):\n    return post(text, urgent)\n"),
    ("src/post.py", "def post(text, urgent):\n    print(text, urgent)\n"),
    ("src/main.py", "from mail import send_letter\n\ndef main(text):\n    pass\n"),
];

/// A task in a repository; the first is of a development repository, the second of a test one.
fn task(id: &str, repo: &str) -> String {
    format!(
        r#"{{"id": "{id}", "task": "completion", "repo": "{repo}", "language": "python", "corpus": {{"kind": "dir", "path": "repository"}}, "target_file": "src/main.py", "prefix": "from mail import send_letter\n\ndef main(text):\n", "suffix": "", "ground_truth": "    send_letter(text, urgent=True)\n"}}"#
    )
}

/// A directory with the repository and its tasks.
fn prepare() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (path, text) in FILES {
        let path = dir.path().join("repository").join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let tasks = [task("a", "pallets/flask"), task("b", "psf/requests")].join("\n");
    std::fs::write(dir.path().join("tasks.jsonl"), tasks).unwrap();
    dir
}

/// Runs a command, and returns what it printed.
fn run(dir: &Path, name: &str, more: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_foreword-experiments"))
        .current_dir(dir)
        .arg(name)
        .args(["--tasks", "tasks.jsonl", "--dirs", ".", "--budget", "500"])
        .args(more)
        .output()
        .unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{name}: {error}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn each_table_has_its_reference() {
    let dir = prepare();
    let references = [
        ("stages", "shown"),
        ("lost", "shown"),
        ("signals", "all"),
        ("scope", "as it is"),
        ("granularity", "cast 2000"),
        ("order", "all fits"),
        ("merge", "across borders"),
        ("ranker", "by hand"),
    ];
    for (name, reference) in references {
        let text = run(dir.path(), name, &["--json", "run.json", "--svg", "plot.svg"]);
        assert!(text.starts_with("2 tasks asked") && text.contains(reference), "{name}: {text}");
        assert!(std::fs::read_to_string(dir.path().join("run.json")).unwrap().contains("groups"));
        assert!(std::fs::read_to_string(dir.path().join("plot.svg")).unwrap().contains("<svg"));
    }
}

#[test]
fn languages_are_chosen_on_dev_and_judged_on_test() {
    let dir = prepare();
    let text = run(dir.path(), "languages", &[]);
    assert!(text.contains("one for all") && text.contains("one a language"), "{text}");
}

#[test]
fn pieces_are_counted_by_kind() {
    let dir = prepare();
    let text = run(dir.path(), "pieces", &[]);
    assert!(text.contains("words, no name"), "{text}");
}

#[test]
fn features_have_a_row_of_inputs_for_each_candidate() {
    let dir = prepare();
    run(dir.path(), "features", &["--out", "features"]);
    let tasks = std::fs::read_to_string(dir.path().join("features.jsonl")).unwrap();
    let mut lines = tasks.lines().map(|it| serde_json::from_str::<serde_json::Value>(it).unwrap());
    let inputs = lines.next().unwrap()["inputs"].as_array().unwrap().len();
    let candidates: usize = lines.map(|it| it["candidates"].as_array().unwrap().len()).sum();
    let bytes = std::fs::metadata(dir.path().join("features.f32")).unwrap().len();
    assert!(candidates > 0 && bytes == (4 * inputs * candidates) as u64, "{bytes}");
}
