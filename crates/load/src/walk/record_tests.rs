//! A walk with the record of an earlier one gives what a walk without it gives, and lists only what may have changed.
#![cfg(target_os = "linux")]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use proptest::prelude::*;

use super::record::WalkRecord;
use super::{WalkConfig, walk_recorded, walk_until};
use crate::root::Root;
use crate::stamp::{RACY_NS, now_ns};

/// Kernel timestamps are coarse; a change within one tick shows no new time.
const TICK: Duration = Duration::from_millis(20);

/// A tree that is walked again and again.
struct TreeWalks {
    _dir: tempfile::TempDir,
    /// The directory around the root.
    base: PathBuf,
    root: PathBuf,
    config: WalkConfig,
    record: Option<WalkRecord>,
}

impl TreeWalks {
    /// A tree with these files, after a first walk.
    fn of(files: &[&str]) -> Self {
        let mut res = Self::new(files);
        assert!(!res.listed().is_empty());
        res
    }

    fn new(files: &[&str]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let base = dir.path().canonicalize().unwrap();
        let root = base.join("root");
        fs::create_dir(&root).unwrap();
        let (config, record) = (WalkConfig::default(), None);
        let res = Self { _dir: dir, base, root, config, record };
        for path in files {
            res.write(path, "text\n");
        }
        res
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn path(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    /// Walks late enough that nothing is racy.
    fn listed(&mut self) -> Vec<String> {
        self.listed_at(now_ns() + 2 * RACY_NS)
    }

    /// Walks, checks the result, and returns the directories that were listed and recorded.
    fn listed_at(&mut self, at_ns: i64) -> Vec<String> {
        let root = Root::open(&self.root).unwrap();
        let never = AtomicBool::new(false);
        let before = self.record.as_ref();
        let walked = walk_recorded(&root, &self.config, &never, before, at_ns).unwrap();
        assert_eq!(walked.walk, walk_until(&root, &self.config, &never).unwrap());
        let Some(record) = walked.record else { return Vec::new() };
        let record = WalkRecord::decode(&record.encode()).unwrap();
        let new = record.directories.iter().filter(|it| it.at_ns == at_ns);
        let listed = new.map(|it| it.path.clone()).collect();
        self.record = Some(record);
        listed
    }
}

/// Checks which directories are listed after a change.
#[track_caller]
fn check(change: impl FnOnce(&Path), expected: &[&str]) {
    let mut tree = TreeWalks::of(&[
        "top.py",
        "a/one.py",
        "a/b/two.py",
        "a/b/c/three.py",
        "d/four.py",
        "d/x.log",
    ]);
    assert!(tree.listed().is_empty(), "nothing has changed");
    std::thread::sleep(TICK);
    change(&tree.root.clone());
    assert_eq!(tree.listed(), expected);
    assert!(tree.listed().is_empty(), "the change is recorded");
}

#[test]
fn only_directories_with_other_entries_are_listed() {
    check(|root| fs::write(root.join("a/b/new.py"), "").unwrap(), &["a/b"]);
    check(|root| fs::remove_file(root.join("top.py")).unwrap(), &[""]);
    check(|root| fs::rename(root.join("a/one.py"), root.join("d/one.py")).unwrap(), &["a", "d"]);
    check(|root| fs::rename(root.join("a/one.py"), root.join("a/uno.py")).unwrap(), &["a"]);
    check(|root| fs::create_dir_all(root.join("d/e/f")).unwrap(), &["d", "d/e", "d/e/f"]);
}

#[test]
fn an_edit_in_place_lists_nothing_and_changes_the_stamp() {
    // The walk is compared with one that lists everything.
    check(|root| fs::write(root.join("a/b/two.py"), "longer than before\n").unwrap(), &[]);
}

#[test]
fn a_path_that_became_something_else_is_listed_with_its_directory() {
    let link = |root: &Path, path: &str, target: &str| {
        let path = root.join(path);
        if path.is_dir() {
            fs::remove_dir_all(&path).unwrap();
        } else {
            fs::remove_file(&path).unwrap();
        }
        symlink(target, path).unwrap();
    };
    check(|root| link(root, "a/one.py", "../top.py"), &["a"]);
    check(|root| link(root, "a/b", "../d"), &["a"]);
    check(
        |root| {
            fs::remove_file(root.join("a/one.py")).unwrap();
            fs::create_dir(root.join("a/one.py")).unwrap();
        },
        &["a", "a/one.py"],
    );
    // Another directory under the same name, with one of the old ones below.
    check(
        |root| {
            fs::rename(root.join("a/b"), root.join("kept")).unwrap();
            fs::create_dir(root.join("a/b")).unwrap();
            fs::rename(root.join("kept/c"), root.join("a/b/c")).unwrap();
            fs::remove_dir_all(root.join("kept")).unwrap();
        },
        &["", "a", "a/b", "a/b/c"],
    );
}

#[test]
fn new_rules_list_everything_below_them() {
    let write = |path: &'static str, text: &'static str| {
        move |root: &Path| fs::write(root.join(path), text).unwrap()
    };
    check(write("a/.gitignore", "c/\n"), &["a", "a/b"]);
    check(write("a/b/.ignore", "*.log\n"), &["a/b", "a/b/c"]);
    check(write(".forewordignore", "!x.log\n"), &["", "a", "a/b", "a/b/c", "d"]);
}

#[test]
fn rules_that_change_or_vanish_list_everything_below_them() {
    for (path, below) in [
        ("a/.gitignore", &["a", "a/b", "a/b/c"][..]),
        ("a/b/.gitignore", &["a/b", "a/b/c"]),
        (".gitignore", &["", "a", "a/b", "a/b/c", "d"]),
    ] {
        let files = ["a/b/c/three.py", "a/one.py", "d/x.log"];
        let mut tree = TreeWalks::new(&files);
        tree.write(path, "*.tmp\n");
        assert!(!tree.listed().is_empty() && tree.listed().is_empty());
        std::thread::sleep(TICK);
        tree.write(path, "*.log\n");
        assert_eq!(tree.listed(), below, "{path} changes");
        std::thread::sleep(TICK);
        fs::remove_file(tree.path(path)).unwrap();
        assert_eq!(tree.listed(), below, "{path} vanishes");
        assert!(tree.listed().is_empty());
    }
}

#[test]
fn a_new_name_meets_the_rules_above_it() {
    let mut tree = TreeWalks::new(&["a/b/two.py", "a/b/c/three.py"]);
    tree.write(".gitignore", "*.log\n");
    tree.write("a/.gitignore", "*.tmp\n!kept.log\n");
    assert!(!tree.listed().is_empty());
    std::thread::sleep(TICK);
    for name in ["x.log", "x.tmp", "kept.log", "x.py"] {
        tree.write(&format!("a/b/c/{name}"), "");
    }
    assert_eq!(tree.listed(), ["a/b/c"]);
}

#[test]
fn rules_outside_of_the_tree_count() {
    let mut tree = TreeWalks::new(&["a/one.py", "a/x.log"]);
    let above = |name: &str| tree.base.join(name);
    let paths = [above(".git/info/exclude"), above(".gitignore"), above("global")];
    fs::create_dir_all(above(".git/info")).unwrap();
    fs::write(above(".git/HEAD"), "ref: refs/heads/main\n").unwrap();
    tree.config.global_excludes = Some(above("global"));
    assert!(!tree.listed().is_empty());
    for path in paths {
        for text in ["*.tmp\n", "*.log\n"] {
            assert!(tree.listed().is_empty());
            std::thread::sleep(TICK);
            fs::write(&path, text).unwrap();
            assert_eq!(tree.listed(), ["", "a"], "{} {text}", path.display());
        }
    }
    fs::remove_dir_all(tree.base.join(".git")).unwrap();
    assert_eq!(tree.listed(), ["", "a"], "no repository any more");
}

#[test]
fn other_settings_list_everything() {
    let mut tree = TreeWalks::of(&["a/one.py", "a/.env"]);
    tree.config.rules = vec!["one.py".to_owned()];
    assert_eq!(tree.listed(), ["", "a"]);
    tree.config.not_secret = vec![".env".to_owned()];
    assert_eq!(tree.listed(), ["", "a"]);
    assert!(tree.listed().is_empty());
}

#[test]
fn a_repository_inside_has_rules_of_its_own() {
    let mut tree = TreeWalks::new(&["in/x.log", "in/a/y.log", "in/.git/HEAD"]);
    tree.write(".gitignore", "*.log\n");
    tree.write("in/.git/info/exclude", "a/\n");
    assert!(!tree.listed().is_empty() && tree.listed().is_empty());
    std::thread::sleep(TICK);
    tree.write("in/.git/info/exclude", "*.tmp\n");
    assert_eq!(tree.listed(), ["in", "in/a"]);
    std::thread::sleep(TICK);
    // The directory of the work tree keeps its stamp.
    fs::remove_file(tree.path("in/.git/HEAD")).unwrap();
    assert_eq!(tree.listed(), ["in", "in/a"]);
}

#[test]
fn skipped_paths_keep_their_reasons() {
    let mut tree =
        TreeWalks::new(&["a.png", "Cargo.lock", "x.min.js", ".env", "k/.ssh/id", "v/x.py"]);
    tree.write("v/pyvenv.cfg", "");
    tree.write("node_modules/x.js", "");
    symlink("nowhere", tree.path("dangling")).unwrap();
    symlink("v", tree.path("inside")).unwrap();
    symlink("..", tree.path("outside")).unwrap();
    let name = <std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(b"\xff.py");
    fs::write(tree.root.join(name), "").unwrap();
    assert!(!tree.listed().is_empty() && tree.listed().is_empty());
    // Where a link leads may change without a trace in its directory.
    fs::write(tree.base.join("other"), "").unwrap();
    symlink("../other", tree.path("k/link")).unwrap();
    assert_eq!(tree.listed(), ["k"]);
    fs::remove_file(tree.base.join("other")).unwrap();
    assert!(tree.listed().is_empty());
}

#[test]
fn the_tag_of_a_cache_counts_by_its_content() {
    const TAG: &str = "Signature: 8a477f597d28d172789f06886806bc55\n";
    let mut tree = TreeWalks::new(&["cache/x.py", "cache/y/z.py"]);
    tree.write("cache/CACHEDIR.TAG", TAG);
    assert!(!tree.listed().is_empty() && tree.listed().is_empty());
    std::thread::sleep(TICK);
    tree.write("cache/CACHEDIR.TAG", &TAG.to_lowercase());
    assert_eq!(tree.listed(), ["cache", "cache/y"]);
    std::thread::sleep(TICK);
    tree.write("cache/CACHEDIR.TAG", TAG);
    assert_eq!(tree.listed(), ["cache"]);
}

#[test]
fn what_looks_like_an_index_is_listed_each_time() {
    let mut tree = TreeWalks::of(&["x/segments/a.segment", "x/views/b.manifest", "y/z.py"]);
    fs::write(tree.path("x/views/other"), "").unwrap();
    assert!(!tree.listed().is_empty());
    fs::remove_file(tree.path("x/views/other")).unwrap();
    tree.listed();
}

#[test]
fn a_directory_that_changed_just_before_its_listing_is_listed_again() {
    let mut tree = TreeWalks::new(&["a/one.py"]);
    let at_ns = now_ns();
    assert_eq!(tree.listed_at(at_ns), ["", "a"]);
    let record = tree.record.clone().unwrap();
    assert!(record.directories.iter().all(|it| !it.is_useful()));
    // As if the new file had come in the same tick: the stamps are equal.
    assert_eq!(tree.listed(), ["", "a"]);
    assert!(tree.listed().is_empty());
}

#[test]
fn a_directory_that_cannot_be_read_is_tried_each_time() {
    use std::os::unix::fs::PermissionsExt as _;
    let mut tree = TreeWalks::of(&["a/one.py", "a/b/two.py"]);
    let mode = |mode| fs::set_permissions(tree.root.join("a"), fs::Permissions::from_mode(mode));
    for it in [0o000, 0o400, 0o755] {
        std::thread::sleep(TICK);
        mode(it).unwrap();
        let mut again = TreeWalks { record: tree.record.clone(), ..clone_of(&tree) };
        again.listed();
        assert!(again.listed().is_empty());
    }
    tree.listed();
}

/// The same tree, walked apart.
fn clone_of(tree: &TreeWalks) -> TreeWalks {
    let (base, root, config) = (tree.base.clone(), tree.root.clone(), tree.config.clone());
    TreeWalks { _dir: tempfile::tempdir().unwrap(), base, root, config, record: None }
}

#[test]
fn a_damaged_record_is_none_or_does_no_harm() {
    let mut tree = TreeWalks::of(&["a/one.py", "a/b/two.py", "c.py"]);
    let bytes = tree.record.clone().unwrap().encode();
    for at in 0..bytes.len() {
        assert!(WalkRecord::decode(&bytes[..at]).is_none_or(|it| it.directories.is_empty()));
    }
    assert!(WalkRecord::decode(&[]).is_none() && tree.listed().is_empty());
}

const DIRECTORIES: [&str; 6] = ["", "a", "a/b", "a/b/vendor", "c", "c/target"];
const NAMES: [&str; 10] = [
    "f.py",
    "g.py",
    "x.log",
    "b",
    "vendor",
    ".gitignore",
    ".ignore",
    ".forewordignore",
    "Cargo.toml",
    "pyvenv.cfg",
];
const TEXTS: [&str; 6] = ["", "*.log\n", "b/\n", "!x.log\n!vendor\n", "*\n!f.py\n", "/f.py\nc\n"];

#[derive(Clone, Debug)]
enum Step {
    Write(usize, usize, usize),
    Remove(usize, usize),
    Rename((usize, usize), (usize, usize)),
    Link(usize, usize, usize),
    Make(usize),
    Walk,
}

fn step() -> impl Strategy<Value = Step> {
    let place = || (0..DIRECTORIES.len(), 0..NAMES.len());
    prop_oneof![
        6 => (place(), 0..TEXTS.len()).prop_map(|((dir, name), it)| Step::Write(dir, name, it)),
        3 => place().prop_map(|(dir, name)| Step::Remove(dir, name)),
        3 => (place(), place()).prop_map(|(from, to)| Step::Rename(from, to)),
        1 => (place(), 0..DIRECTORIES.len()).prop_map(|((dir, name), to)| Step::Link(dir, name, to)),
        2 => (0..DIRECTORIES.len()).prop_map(Step::Make),
        4 => Just(Step::Walk),
    ]
}

/// Steps that are impossible now do nothing.
fn take(tree: &mut TreeWalks, step: &Step) {
    let root = tree.root.clone();
    let path = |dir: usize, name: usize| root.join(DIRECTORIES[dir]).join(NAMES[name]);
    match *step {
        Step::Write(dir, name, text) => drop(fs::write(path(dir, name), TEXTS[text])),
        Step::Remove(dir, name) => {
            let path = path(dir, name);
            drop(fs::remove_file(&path).or_else(|_| fs::remove_dir_all(&path)));
        }
        Step::Rename(from, to) => drop(fs::rename(path(from.0, from.1), path(to.0, to.1))),
        Step::Link(dir, name, to) => {
            drop(symlink(tree.root.join(DIRECTORIES[to]), path(dir, name)));
        }
        Step::Make(dir) => drop(fs::create_dir_all(tree.root.join(DIRECTORIES[dir]))),
        Step::Walk => {
            tree.listed();
            std::thread::sleep(TICK);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn whatever_happens_to_a_tree_the_record_changes_no_walk(
        steps in prop::collection::vec(step(), 1..40),
    ) {
        let mut tree = TreeWalks::of(&["a/b/f.py", "c/g.py", "c/target/f.py", "f.py"]);
        std::thread::sleep(TICK);
        for step in &steps {
            take(&mut tree, step);
        }
        tree.listed();
        prop_assert!(tree.listed().is_empty());
    }
}
