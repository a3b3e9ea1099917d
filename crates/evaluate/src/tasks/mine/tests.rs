//! Mining a history of a few commits.

use super::*;
use std::process::Command;

/// A repository in a fresh directory; the second commit adds a function to `a.rs` and a block to `tests/b.rs`.
fn repository() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let old = "fn a() {\n    first_thing();\n}\n";
    let added = "\nfn b() {\n    second_thing();\n    third_thing();\n}\n";
    git(dir.path(), &["init", "--quiet", "--initial-branch=main"]);
    write(dir.path(), "a.rs", old);
    write(dir.path(), "tests/b.rs", "use a;\n");
    write(dir.path(), "vendor/c.rs", old);
    commit(dir.path(), "one");
    write(dir.path(), "a.rs", &format!("{old}{added}"));
    write(dir.path(), "tests/b.rs", &format!("use a;\n{added}"));
    write(dir.path(), "vendor/c.rs", &format!("{old}{added}"));
    commit(dir.path(), "two");
    dir
}

fn write(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

fn commit(root: &Path, message: &str) {
    git(root, &["add", "--all"]);
    git(root, &["-c", "user.name=n", "-c", "user.email=e@x", "commit", "--quiet", "-m", message]);
}

fn git(root: &Path, args: &[&str]) {
    let done = Command::new("git").arg("-C").arg(root).args(args).output().unwrap();
    assert!(done.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&done.stderr));
}

fn request(root: &Path, grain: Grain, tests: TestFilter) -> Request {
    Request {
        git_dir: root.join(".git"),
        repo: "o/n".into(),
        revision: "main".into(),
        commits: 10,
        grain,
        tests,
        of_a_commit: 10,
        limit: 10,
        seed: 1,
    }
}

#[test]
fn a_commit_gives_what_it_added_over_its_parent() {
    let dir = repository();
    let found = mine(&request(dir.path(), Grain::Block, TestFilter::Keep)).unwrap();
    let places: Vec<&str> = found.tasks.iter().map(|it| it.target_file.as_str()).collect();
    assert_eq!(places, ["a.rs", "tests/b.rs"]);
    let first = &found.tasks[0];
    assert_eq!(format!("{}{}", first.prefix, first.suffix), "fn a() {\n    first_thing();\n}\n");
    assert_eq!(first.ground_truth.lines().nth(1), Some("fn b() {"));
    assert_eq!(first.position, Position { start_line: 4, end_line: 8 });
    assert_eq!(
        found.tasks.iter().map(|it| it.meta.is_test_file).collect::<Vec<_>>(),
        [false, true]
    );
    assert_eq!(found.left_out, [("vendored, generated or minified", 1)].into());
    assert_eq!(first.corpus.rev.len(), 40);
    assert_ne!(first.corpus.rev, first.meta.commit);
}

#[test]
fn a_body_is_mined_with_its_signature_typed() {
    let dir = repository();
    let found = mine(&request(dir.path(), Grain::Function, TestFilter::LeaveOut)).unwrap();
    let [task] = &found.tasks[..] else { panic!("{:?}", found.tasks) };
    assert_eq!(task.ground_truth, "    second_thing();\n    third_thing();\n");
    assert!(task.prefix.ends_with("\nfn b() {\n") && task.suffix == "}\n");
    assert_eq!((task.meta.typed_before, task.meta.typed_after), (10, 2));
}

#[test]
fn a_seed_decides_once_and_for_all() {
    let dir = repository();
    let with = |seed, limit| {
        let request =
            Request { limit, seed, ..request(dir.path(), Grain::Block, TestFilter::Keep) };
        let found = mine(&request).unwrap();
        assert_eq!(found.candidates, 2);
        found.tasks.into_iter().map(|it| it.target_file).collect::<Vec<_>>()
    };
    assert_eq!(with(1, 1), with(1, 1));
    let drawn: Vec<Vec<String>> = (0..20).map(|seed| with(seed, 1)).collect();
    assert!(drawn.contains(&vec!["a.rs".into()]) && drawn.contains(&vec!["tests/b.rs".into()]));
}

#[test]
fn a_revision_that_does_not_exist_is_named() {
    let dir = repository();
    let request =
        Request { revision: "gone".into(), ..request(dir.path(), Grain::Block, TestFilter::Keep) };
    let error = format!("{:#}", mine(&request).unwrap_err());
    assert!(error.contains("has no gone"), "{error}");
}

#[test]
fn a_commit_that_cannot_be_read_is_counted_and_costs_no_other() {
    let dir = repository();
    write(dir.path(), "a.rs", "fn a() {\n    other_thing();\n    lost_thing();\n}\n");
    commit(dir.path(), "three");
    let blob = Command::new("git").current_dir(&dir).args(["rev-parse", "HEAD:a.rs"]).output();
    let blob = String::from_utf8(blob.unwrap().stdout).unwrap();
    let (folder, name) = blob.trim().split_at(2);
    std::fs::remove_file(dir.path().join(".git/objects").join(folder).join(name)).unwrap();
    let found = mine(&request(dir.path(), Grain::Block, TestFilter::Keep)).unwrap();
    assert_eq!(found.left_out.get(UNREAD), Some(&1));
    assert_eq!(found.tasks.len(), 2);
}
