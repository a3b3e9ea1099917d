//! The stamps of a walk are current until something changes that the walk depends on.

use std::fs;
use std::time::Duration;

use foreword_load::{RACY_NS, WalkConfig, WalkStamps, now_ns};

use crate::Tree;

/// A walk late enough that nothing in the tree is racy.
fn seen(tree: &Tree) -> WalkStamps {
    let config = WalkConfig::default();
    let later = now_ns() + 2 * RACY_NS;
    WalkStamps::new(&tree.workspace(), tree.walk_with(&config), &config, later)
}

#[track_caller]
fn check(change: impl FnOnce(&Tree)) {
    let tree = Tree::of(&["a.py", "src/b.py", "src/deep/c.py", "build/out.py"]);
    tree.write(".gitignore", "build/\n");
    let seen = seen(&tree);
    assert!(seen.is_current());
    // Kernel timestamps are coarse; a change within one tick shows no new time.
    std::thread::sleep(Duration::from_millis(20));
    change(&tree);
    assert!(!seen.is_current());
}

#[test]
fn an_edit_is_noticed() {
    check(|tree| {
        tree.write("src/deep/c.py", "other\n");
    });
    check(|tree| fs::rename(tree.path("a.py"), tree.path("src/b.py")).unwrap());
}

#[test]
fn new_and_removed_paths_are_noticed() {
    check(|tree| {
        tree.write("src/deep/new.py", "");
    });
    check(|tree| {
        tree.write("new/dir/x.py", "");
    });
    check(|tree| fs::remove_file(tree.path("a.py")).unwrap());
    check(|tree| fs::remove_dir_all(tree.path("src/deep")).unwrap());
}

#[test]
fn a_change_of_the_rules_is_noticed() {
    check(|tree| {
        tree.write(".gitignore", "build/\nsrc/\n");
    });
    check(|tree| {
        tree.write("src/.cursorignore", "b.py\n");
    });
}

#[test]
fn what_is_ignored_may_change() {
    let tree = Tree::of(&["a.py", "build/out.py"]);
    tree.write(".gitignore", "build/\n");
    let seen = seen(&tree);
    std::thread::sleep(Duration::from_millis(20));
    tree.write("build/out.py", "other\n").write("build/more.py", "");
    assert!(seen.is_current());
}

#[test]
fn what_was_touched_just_before_the_walk_proves_nothing() {
    let tree = Tree::of(&["a.py"]);
    let config = WalkConfig::default();
    let seen = WalkStamps::new(&tree.workspace(), tree.walk_with(&config), &config, now_ns());
    assert!(!seen.is_current());
}

#[test]
fn git_info_exclude_applies() {
    let tree = Tree::of(&["a.py", ".git/HEAD", ".git/info/exclude"]);
    let seen = seen(&tree);
    assert!(seen.is_current());
    std::thread::sleep(Duration::from_millis(20));
    tree.write(".git/info/exclude", "a.py\n");
    assert!(!seen.is_current());
}
