//! Removes functions of a repository with one commit.

use super::*;
use std::path::Path;
use std::process::Command;

const URL: &str = "import os\n\n\ndef split(text):\n    return text.split('/')\n\n\n# Parses.\ndef parse(text):\n    \
    parts = split(text)\n    return parts[0]\n\n\ndef main():\n    start()\n    parse('a')\n";

fn repository(files: &[(&str, &str)]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    git(dir.path(), &["init", "--quiet", "--initial-branch=main"]);
    for (path, text) in files {
        let path = dir.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    git(dir.path(), &["add", "--all"]);
    git(dir.path(), &["-c", "user.name=n", "-c", "user.email=e@x", "commit", "--quiet", "-m", "m"]);
    dir
}

fn git(root: &Path, args: &[&str]) {
    let done = Command::new("git").arg("-C").arg(root).args(args).output().unwrap();
    assert!(done.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&done.stderr));
}

fn found(files: &[(&str, &str)]) -> RemovalResult {
    let dir = repository(files);
    let request = Request {
        git_dir: dir.path().join(".git"),
        repo: "o/n".into(),
        revision: "main".into(),
        limit: 10,
        seed: 1,
    };
    remove(&request).unwrap()
}

fn task_of<'f>(found: &'f RemovalResult, name: &str) -> &'f RemovalTask {
    found.tasks.iter().find(|it| it.meta.function == name).unwrap_or_else(|| panic!("{found:?}"))
}

#[test]
fn a_function_goes_with_its_import_its_test_its_call_and_its_mention() {
    let test = "from url import main, parse\n\n\ndef test_parse():\n    assert parse('a/b') == 'a'\n\n\n\
        def test_main():\n    main()\n";
    let found = found(&[
        ("url.py", URL),
        ("tests/test_url.py", test),
        ("README.md", "# Url\n`parse` it.\n"),
    ]);
    let task = task_of(&found, "parse");
    assert_eq!(task.ground_truth, "    parts = split(text)\n    return parts[0]\n");
    assert!(task.prefix.ends_with("\n# Parses.\ndef parse(text):\n"));
    assert_eq!(task.meta.also_removed, ["test_parse"]);
    let texts: BTreeMap<&str, &str> = task
        .corpus
        .edits
        .iter()
        .map(|it| (it.path.as_str(), it.text.as_deref().unwrap()))
        .collect();
    assert_eq!(texts["README.md"], "# Url\n");
    assert_eq!(
        texts["tests/test_url.py"],
        "from url import main\n\n\n\n\ndef test_main():\n    main()\n"
    );
    assert!(texts["url.py"].ends_with("def main():\n    start()\n"));
}

#[test]
fn what_is_typed_already_is_not_in_the_corpus() {
    let found = found(&[("url.py", URL)]);
    let task = task_of(&found, "parse");
    let before = &task.prefix[..task.prefix.len() - task.meta.typed_before];
    let own = task.corpus.edits[0].text.as_deref().unwrap();
    assert_eq!(format!("{before}{}", &task.suffix[task.meta.typed_after..]), own);
    assert!(!own.contains("parse"));
}

#[test]
fn what_cannot_be_taken_out_is_counted() {
    let text = format!("{URL}\n\nVALUE = parse('b')\n");
    let found = found(&[("url.py", &text)]);
    assert!(found.tasks.iter().all(|it| it.meta.function != "parse"));
    assert!(found.left_out.contains_key("used at the top level"), "{found:?}");
}
