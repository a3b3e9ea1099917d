//! Changes of the last commits, compared with git's own; without git the tests do nothing.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use foreword_engine::history::{CoChange, CoChangeConfig, History};
use foreword_load::{HistoryLimits, Options, Workspace, history, history_at};

use crate::Tree;
use crate::git::git;

/// A repository below `repo` with six commits, one of them a merge and one that moves a file; `None` without git.
fn repository() -> Option<Tree> {
    let tree = Tree::new();
    let dir = tree.path("repo");
    fs::create_dir_all(&dir).unwrap();
    git(&dir, &["init", "-q", "-b", "main"])?;
    let write = |path: &str, text: &str| {
        tree.write(&format!("repo/{path}"), text);
    };
    let commit = |n: u32| {
        let date = format!("{} +0000", 1_700_000_000 + n * 60);
        git(&dir, &["add", "-A"])?;
        git(&dir, &["-c", &format!("author.date={date}"), "commit", "-q", "-m", &n.to_string()])
    };
    write("src/a.py", "a = 1\n");
    write("src/b.py", "b = 1\n");
    write("doc.md", "text\n");
    write(".env", "SECRET=1\n");
    commit(0)?;
    write("src/a.py", "a = 2\n");
    write("src/b.py", "b = 2\n");
    commit(1)?;
    git(&dir, &["checkout", "-q", "-b", "side"])?;
    write("src/b.py", "b = 3\n");
    write("src/c/deep.py", "deep = 1\n");
    commit(2)?;
    git(&dir, &["checkout", "-q", "main"])?;
    write("doc.md", "more\n");
    commit(3)?;
    git(&dir, &["merge", "-q", "--no-edit", "side"])?;
    fs::rename(tree.path("repo/src/b.py"), tree.path("repo/src/new.py")).unwrap();
    write("src/a.py", "a = 4\n");
    commit(5)?;
    Some(tree)
}

fn history_of(root: &Path, options: &Options, index: Option<&Path>) -> History {
    history(&Workspace::discover(root, options).unwrap(), index, &HistoryLimits::usual()).history
}

/// The changes of the commits, as lines.
fn lines(history: &History) -> BTreeSet<String> {
    let path = |it: &u32| history.paths[*it as usize].as_str();
    let line = |it: &foreword_engine::history::PastCommit| {
        let mut files: Vec<String> = it.files.iter().map(|it| path(it).to_owned()).collect();
        files.extend(it.moves.iter().map(|(a, b)| format!("{} -> {}", path(a), path(b))));
        files.join(" ")
    };
    history.commits.iter().map(line).collect()
}

const EXPECTED: [&str; 4] = [
    "doc.md",
    "src/a.py src/b.py",
    "src/a.py src/new.py src/b.py -> src/new.py",
    "src/b.py src/c/deep.py",
];

#[track_caller]
fn check(history: &History, expect: &[&str]) {
    assert_eq!(lines(history), expect.iter().map(|it| (*it).to_owned()).collect());
}

#[test]
fn each_commit_has_its_files_and_merges_have_none() {
    let Some(tree) = repository() else { return };
    let repo = tree.path("repo");
    let all = || history_of(&repo, &Options::default(), None);
    check(&all(), &EXPECTED);
    let below = Options { root_is_path: true, ..Options::default() };
    let below = history_of(&tree.path("repo/src"), &below, None);
    check(&below, &["a.py b.py", "a.py new.py b.py -> new.py", "b.py c/deep.py", ""]);
    let loose = all();
    git(&repo, &["gc", "-q", "--aggressive"]);
    git(&repo, &["commit-graph", "write", "--reachable"]);
    git(&repo, &["pack-refs", "--all"]);
    assert_eq!(all(), loose);
    let head = git(&repo, &["rev-parse", "HEAD"]).unwrap();
    assert_eq!(history_at(&repo.join(".git"), &head, &HistoryLimits::usual()), loose);
    let companions = CoChange::new(loose, CoChangeConfig::measured());
    let companions = companions.companions("src/new.py");
    let companions: Vec<(&str, u32)> = companions.iter().map(|it| (it.path, it.commits)).collect();
    assert_eq!(companions, [("src/a.py", 2), ("src/c/deep.py", 1)]);
}

#[test]
fn worktrees_alternates_and_shallow_clones_work_and_what_is_no_history_is_empty() {
    let Some(tree) = repository() else { return };
    let repo = tree.path("repo");
    let usual = Options::default();
    git(&repo, &["worktree", "add", "-q", "../linked", "HEAD~1"]);
    check(&history_of(&tree.path("linked"), &usual, None), &["doc.md", EXPECTED[1], EXPECTED[3]]);
    git(&tree.root, &["clone", "-q", "--shared", "repo", "shared"]);
    let allowed = Options { git_alternates: vec![repo.clone()], ..Options::default() };
    check(&history_of(&tree.path("shared"), &allowed, None), &EXPECTED);
    let url = format!("file://{}", repo.display());
    git(&tree.root, &["clone", "-q", "--depth", "2", &url, "shallow"]);
    check(&history_of(&tree.path("shallow"), &usual, None), &[EXPECTED[2]]);
    git(&tree.root, &["init", "-q", "-b", "main", "unborn"]);
    for dir in ["unborn", "plain"] {
        tree.write(&format!("{dir}/a.py"), "a\n");
        assert_eq!(history_of(&tree.path(dir), &usual, None), History::default());
    }
}

#[test]
fn what_is_kept_in_the_index_gives_the_same_after_new_commits_and_after_damage() {
    let Some(tree) = repository() else { return };
    let (repo, index) = (tree.path("repo"), tempfile::tempdir().unwrap());
    let kept = || history_of(&repo, &Options::default(), Some(index.path()));
    let fresh = || history_of(&repo, &Options::default(), None);
    let stored = || {
        let files: Vec<_> = fs::read_dir(index.path()).unwrap().map(|it| it.unwrap()).collect();
        assert_eq!(files.len(), 1);
        files[0].path()
    };
    assert_eq!(kept(), fresh());
    let first = fs::read(stored()).unwrap();
    assert_eq!(kept(), fresh());
    tree.write("repo/src/a.py", "a = 9\n");
    git(&repo, &["commit", "-q", "-a", "-m", "six"]);
    assert_eq!(kept(), fresh());
    assert_eq!(kept().commits.len(), 5);
    assert_ne!(fs::read(stored()).unwrap(), first);
    git(&repo, &["reset", "-q", "--hard", "HEAD~2"]);
    assert_eq!(kept(), fresh());
    let whole = fs::read(stored()).unwrap();
    for damage in
        [&whole[..whole.len() / 2], b"", b"foreword past 1\n", &[&whole[..60], b"x"].concat()]
    {
        fs::write(stored(), damage).unwrap();
        assert_eq!(kept(), fresh());
    }
}

#[test]
fn a_history_is_read_in_parts_where_it_is_long() {
    let Some(tree) = repository() else { return };
    let index = tempfile::tempdir().unwrap();
    let workspace = Workspace::discover(&tree.path("repo"), &Options::default()).unwrap();
    let few = HistoryLimits { commits: 100, trees: 9 };
    let mut counts = Vec::new();
    for _ in 0..4 {
        counts.push(history(&workspace, Some(index.path()), &few).history.commits.len());
    }
    assert!(counts[0] < counts[3] && counts[3] == 4, "{counts:?}");
    let one = HistoryLimits { commits: 1, trees: 1000 };
    assert_eq!(history(&workspace, None, &one).history.commits.len(), 1);
}

#[test]
fn a_damaged_object_ends_the_walk_without_an_error() {
    let Some(tree) = repository() else { return };
    let repo = tree.path("repo");
    let parent = git(&repo, &["rev-parse", "HEAD^{tree}"]).unwrap();
    let object = repo.join(format!(".git/objects/{}/{}", &parent[..2], &parent[2..]));
    fs::remove_file(&object).unwrap();
    fs::write(&object, "no object").unwrap();
    check(&history_of(&repo, &Options::default(), None), &["doc.md", EXPECTED[1], EXPECTED[3]]);
}
