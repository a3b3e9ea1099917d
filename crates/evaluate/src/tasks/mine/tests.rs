//! Mines a history of a few commits.

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
        sessions: false,
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

/// A commit of six hunks in four files; each has a distinct word.
fn session_repository() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let old = "fn first_thing() {\n    nothing();\n}\n\nfn last_thing() {\n    nothing();\n}\n";
    git(dir.path(), &["init", "--quiet", "--initial-branch=main"]);
    for path in ["a.rs", "b.rs", "tests/c.rs"] {
        write(dir.path(), path, old);
    }
    write(dir.path(), "NOTES.md", "old\n");
    commit(dir.path(), "one");
    let body = |word: &str| format!("    {word}_here();\n    {word}_there();\n");
    let between = |one: &str, two: &str| {
        let [one, two] = [body(one), body(two)];
        format!(
            "fn first_thing() {{\n{one}    nothing();\n}}\n\nfn last_thing() {{\n{two}    nothing();\n}}\n"
        )
    };
    write(dir.path(), "a.rs", &between("alfa", "bravo"));
    write(
        dir.path(),
        "b.rs",
        &between("charlie", "delta").replace("    nothing();\n}\n\n", "    echo();\n}\n\n"),
    );
    write(dir.path(), "tests/c.rs", &between("foxtrot", "golf"));
    write(dir.path(), "d.rs", "fn hotel() {}\n");
    write(dir.path(), "NOTES.md", "new kilo\n");
    commit(dir.path(), "two");
    dir
}

const WORDS: [&str; 9] =
    ["alfa", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel", "kilo"];

#[test]
fn a_session_has_what_was_written_before_its_hole_and_nothing_that_came_after() {
    let dir = session_repository();
    let mut n_tasks = 0;
    for seed in 0..6 {
        let request = request(dir.path(), Grain::Block, TestFilter::Keep);
        let request = Request { sessions: true, seed, of_a_commit: 20, limit: 20, ..request };
        let tasks = mine(&request).unwrap().tasks;
        n_tasks += tasks.len();
        for mut task in tasks {
            let hole = std::mem::take(&mut task.ground_truth);
            let written: String = task.session.iter().map(|it| it.added.clone()).collect();
            let all = serde_json::to_string(&task).unwrap();
            for word in WORDS {
                // Each field of the task holds only text written before its hole.
                assert_eq!(all.contains(word), written.contains(word), "{word} {}", task.id);
                assert!(!(hole.contains(word) && all.contains(word)), "{word} {}", task.id);
            }
            assert!(!task.session.is_empty() && !all.contains("kilo"));
            assert!(task.corpus.edits.iter().all(|it| it.path != task.target_file));
        }
    }
    assert!(n_tasks >= 18, "{n_tasks}");
}

#[test]
fn a_session_lines_up_with_its_commit_and_any_line_more_is_refused() {
    let dir = session_repository();
    let request = request(dir.path(), Grain::Block, TestFilter::Keep);
    let request = Request { sessions: true, ..request };
    let tasks = mine(&request).unwrap().tasks;
    assert!(!tasks.is_empty());
    let mut code = crate::tasks::git::Git::open(&dir.path().join(".git")).unwrap();
    for mined in tasks {
        let line = serde_json::to_string(&mined).unwrap();
        let task: crate::tasks::task::Task = serde_json::from_str(&line).unwrap();
        let mut check = |task: &crate::tasks::task::Task| {
            let revision = task.corpus.rev.clone().unwrap();
            crate::tasks::session::check(task, |path| code.file(&revision, path))
        };
        check(&task).unwrap();
        let mut late = task.clone();
        let last = late.session.remove(late.session.len() - 1);
        assert!(check(&late).is_err(), "{} without {last:?}", task.id);
        if let Some(edit) = task.corpus.edits.first() {
            let mut leaky = task.clone();
            leaky.corpus.edits[0].text = edit.text.clone().map(|it| it + "fn leaked() {}\n");
            assert!(check(&leaky).is_err(), "{}", task.id);
        }
    }
}

#[test]
fn a_commit_of_one_hunk_is_no_session() {
    let dir = repository();
    write(dir.path(), "a.rs", "fn a() {\n    first_thing();\n}\n");
    commit(dir.path(), "three");
    let request = request(dir.path(), Grain::Block, TestFilter::Keep);
    let found = mine(&Request { sessions: true, ..request }).unwrap();
    assert_eq!(found.left_out.get("commits of one hunk"), Some(&1));
    // The first hunk of the other commit has no predecessor, and one is vendored.
    assert!((1..=2).contains(&found.tasks.len()), "{}", found.tasks.len());
}

#[test]
fn commits_are_chosen_by_their_message() {
    let dir = repository();
    let root = dir.path().join(".git");
    write(dir.path(), "a.rs", "fn c() {}\n");
    commit(dir.path(), "Rename a (to c)");
    let count = |text: &str| commits(&root, 10, text).unwrap().len();
    assert_eq!([count(""), count("rename A ("), count("other")], [2, 1, 0]);
}
