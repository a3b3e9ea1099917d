//! Differences to the last commit, compared with git's own; without git the tests do nothing.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

use foreword_engine::index::{CommitDiff, IndexConfig, Store};
use foreword_load::{Analyzer, GitState, Options, Reuse, Workspace, commit_diff, sync};

use crate::git::git;
use crate::{Tree, sync_options};

const FEES: &str =
    "LIMIT = 3\n\ndef late_fee(days):\n    return days * LIMIT\n\ndef end():\n    pass\n";

/// A repository below `repo` with one commit of three files; `None` without git.
fn repository() -> Option<Tree> {
    let tree = Tree::new();
    tree.write("repo/fees.py", FEES).write("repo/pkg/other.py", "def other():\n    pass\n");
    tree.write("repo/pkg/deep/third.py", "def third():\n    pass\n");
    let dir = tree.path("repo");
    git(&dir, &["init", "-q", "-b", "main"])?;
    git(&dir, &["add", "."])?;
    git(&dir, &["commit", "-q", "-m", "one"])?;
    Some(tree)
}

pub(crate) fn diff_below(tree: &Tree, root: &Path, options: &Options) -> CommitDiff {
    let workspace = Workspace::discover(root, options).unwrap();
    let index = tempfile::tempdir().unwrap();
    let store = Store::new(index.path().to_owned(), IndexConfig::default());
    let analyzer = Analyzer::in_process();
    let options = sync_options(&analyzer, 1, Reuse::Stored);
    let before = files_of_git(tree);
    let synced = sync(&workspace, &store, &options).unwrap();
    let diff = commit_diff(&workspace, &synced.manifest.files, &synced.snapshot);
    assert_eq!(files_of_git(tree), before, "something was written");
    diff
}

/// The difference in the repository, by path: added and removed names.
fn diff(tree: &Tree) -> BTreeMap<String, (Vec<String>, Vec<String>)> {
    let names = |it: foreword_engine::index::FileDiff| {
        let added = it.hunks.iter().flat_map(|it| it.added.clone()).collect();
        let removed = it.hunks.iter().flat_map(|it| it.removed.clone()).collect();
        (it.path, (added, removed))
    };
    diff_below(tree, &tree.path("repo"), &Options::default()).files.into_iter().map(names).collect()
}

/// Every file of git, with its bytes.
fn files_of_git(tree: &Tree) -> BTreeMap<String, Vec<u8>> {
    let mut res = BTreeMap::new();
    let mut directories = vec![tree.path("repo/.git")];
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                directories.push(path);
            } else {
                res.insert(path.display().to_string(), fs::read(path).unwrap());
            }
        }
    }
    res
}

#[track_caller]
fn check(tree: &Tree, expect: &[(&str, &[&str], &[&str])]) {
    let strings = |it: &[&str]| -> Vec<String> { it.iter().map(|it| (*it).to_owned()).collect() };
    let expect: BTreeMap<_, _> = expect
        .iter()
        .map(|(path, added, removed)| ((*path).to_owned(), (strings(added), strings(removed))))
        .collect();
    assert_eq!(diff(tree), expect);
}

const RENAMED: (&str, &[&str], &[&str]) = ("fees.py", &["overdue_fee"], &["late_fee"]);

#[test]
fn a_clean_work_tree_has_none_also_when_every_time_changed() {
    let Some(tree) = repository() else { return };
    check(&tree, &[]);
    // As in a copy of the repository.
    tree.write("repo/fees.py", FEES);
    check(&tree, &[]);
}

#[test]
fn saved_staged_and_new_files_differ_until_they_are_committed() {
    let Some(tree) = repository() else { return };
    let dir = tree.path("repo");
    tree.write("repo/fees.py", FEES.replace("late_fee", "overdue_fee"));
    check(&tree, &[RENAMED]);
    git(&dir, &["add", "fees.py"]);
    check(&tree, &[RENAMED]);
    tree.write("repo/pkg/new.py", "def fresh():\n    pass\n");
    let fresh: &[&str] = &["def", "fresh", "pass"];
    check(&tree, &[RENAMED, ("pkg/new.py", fresh, &[])]);
    git(&dir, &["add", "."]);
    check(&tree, &[RENAMED, ("pkg/new.py", fresh, &[])]);
    let before = GitState::of(&Workspace::discover(&dir, &Options::default()).unwrap());
    git(&dir, &["commit", "-q", "-m", "two"]);
    check(&tree, &[]);
    assert_ne!(before, GitState::of(&Workspace::discover(&dir, &Options::default()).unwrap()));
}

#[test]
fn what_was_staged_and_changed_again_is_compared_with_the_commit() {
    let Some(tree) = repository() else { return };
    tree.write("repo/fees.py", FEES.replace("late_fee", "draft_fee"));
    git(&tree.path("repo"), &["add", "."]);
    tree.write("repo/fees.py", FEES.replace("late_fee", "overdue_fee"));
    check(&tree, &[RENAMED]);
}

#[test]
fn packed_objects_and_an_index_without_its_cache_of_trees_are_read() {
    let Some(tree) = repository() else { return };
    let dir = tree.path("repo");
    for n in 0..20 {
        tree.write("repo/fees.py", FEES.replace('3', &n.to_string()));
        git(&dir, &["commit", "-q", "-a", "-m", "more"]);
    }
    git(&dir, &["gc", "-q"]);
    tree.write("repo/fees.py", FEES.replace("late_fee", "overdue_fee").replace('3', "19"));
    check(&tree, &[RENAMED]);
    git(&dir, &["add", "."]);
    // Git forgets the cache when it reads a tree.
    git(&dir, &["read-tree", "HEAD"]);
    check(&tree, &[RENAMED]);
}

#[test]
fn other_repositories_below_and_other_ends_of_lines_are_no_difference() {
    let Some(tree) = repository() else { return };
    let dir = tree.path("repo");
    tree.write("repo/nested/src/own.py", "def own():\n    pass\n");
    git(&tree.path("repo/nested"), &["init", "-q"]);
    tree.write("repo/fees.py", FEES.replace('\n', "\r\n"));
    check(&tree, &[]);
    git(&dir, &["rm", "-q", "--cached", "pkg/other.py"]);
    fs::remove_file(tree.path("repo/pkg/other.py")).unwrap();
    check(&tree, &[]);
}

#[test]
fn a_directory_of_a_work_tree_has_the_paths_below_it_and_the_latest_file_is_first() {
    let Some(tree) = repository() else { return };
    tree.write("repo/pkg/deep/third.py", "def renamed():\n    pass\n");
    std::thread::sleep(Duration::from_millis(20));
    tree.write("repo/pkg/other.py", "def again():\n    pass\n");
    let options = Options { root_is_path: true, ..Options::default() };
    let diff = diff_below(&tree, &tree.path("repo/pkg"), &options);
    let paths: Vec<&str> = diff.files.iter().map(|it| it.path.as_str()).collect();
    assert_eq!(paths, ["other.py", "deep/third.py"]);
}

#[test]
fn before_the_first_commit_and_outside_of_git_nothing_is_known() {
    let Some(tree) = repository() else { return };
    let dir = tree.path("empty");
    tree.write("empty/a.py", "def a():\n    pass\n");
    assert_eq!(diff_below(&tree, &dir, &Options::default()), CommitDiff::default());
    let has_commit =
        || foreword_load::has_commit(&Workspace::discover(&dir, &Options::default()).unwrap());
    assert!(!has_commit());
    git(&dir, &["init", "-q"]);
    git(&dir, &["add", "."]);
    assert_eq!(diff_below(&tree, &dir, &Options::default()), CommitDiff::default());
}

#[test]
fn damaged_git_files_cost_the_difference_and_nothing_else() {
    let Some(tree) = repository() else { return };
    tree.write("repo/fees.py", FEES.replace("late_fee", "overdue_fee"));
    let index = tree.path("repo/.git/index");
    let whole = fs::read(&index).unwrap();
    for length in [0, 3, 12, whole.len() / 2, whole.len() - 1] {
        fs::write(&index, &whole[..length]).unwrap();
        assert!(diff(&tree).len() <= 3);
    }
    fs::write(&index, &whole).unwrap();
    check(&tree, &[RENAMED]);
    fs::remove_dir_all(tree.path("repo/.git/objects")).unwrap();
    check(&tree, &[]);
}
