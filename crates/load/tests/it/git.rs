//! Repositories made by git itself; without git the tests do nothing.

use std::path::Path;
use std::process::Command;

use foreword_load::{Options, Workspace};

use crate::{Tree, everything, paths};

/// Runs git in `dir` without the user's configuration; `None` without git.
pub(crate) fn git(dir: &Path, arguments: &[&str]) -> Option<String> {
    let identity =
        ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "protocol.file.allow=always"];
    let output = Command::new("git")
        .args(identity)
        .args(arguments)
        .current_dir(dir)
        .env("GIT_CONFIG_GLOBAL", dir.join("no-such-file"))
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .output()
        .ok()?;
    assert!(
        output.status.success(),
        "git {arguments:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    Some(String::from_utf8_lossy(&output.stdout).trim().to_string())
}

/// A repository `name` with one commit; returns the hash.
fn repository(tree: &Tree, name: &str) -> Option<String> {
    tree.write(&format!("{name}/src/a.rs"), "fn a() {}\n");
    let dir = tree.path(name);
    git(&dir, &["init", "-q", "-b", "main"])?;
    git(&dir, &["add", "."])?;
    git(&dir, &["commit", "-q", "-m", "one"])?;
    git(&dir, &["rev-parse", "HEAD"])
}

fn discover(path: &Path) -> Workspace {
    Workspace::discover(path, &Options::default()).unwrap()
}

#[test]
fn the_facts_agree_with_git() {
    let tree = Tree::new();
    let Some(hash) = repository(&tree, "repo") else { return };
    git(&tree.path("repo"), &["remote", "add", "origin", "git@host.example:owner/tool.git"]);
    let workspace = discover(&tree.path("repo/src/a.rs"));
    let facts = workspace.git.as_ref().unwrap();
    assert_eq!((workspace.root, workspace.name.as_str()), (tree.path("repo"), "tool"));
    assert_eq!((facts.head.as_deref(), facts.branch.as_deref()), (Some(&*hash), Some("main")));
    assert!(!facts.is_worktree && !facts.is_submodule);
    git(&tree.path("repo"), &["pack-refs", "--all"]);
    assert_eq!(discover(&tree.path("repo")).git.unwrap().head, Some(hash.clone()));
    git(&tree.path("repo"), &["checkout", "-q", "--detach"]);
    let detached = discover(&tree.path("repo")).git.unwrap();
    assert_eq!((detached.head, detached.branch), (Some(hash), None));
}

#[test]
fn worktrees_share_the_store_and_not_the_view() {
    let tree = Tree::new();
    let Some(hash) = repository(&tree, "repo") else { return };
    git(&tree.path("repo"), &["worktree", "add", "-q", "-b", "fix", "../fix"]);
    tree.write("fix/new.rs", "")
        .write("repo/.git/info/exclude", "excluded.rs\n")
        .write("fix/excluded.rs", "");
    let (main, fix) = (discover(&tree.path("repo")), discover(&tree.path("fix")));
    assert_eq!(main.store_key(), fix.store_key());
    assert_ne!(main.view_key(), fix.view_key());
    assert_eq!((main.name.as_str(), fix.name.as_str()), ("repo", "repo"));
    let facts = fix.git.unwrap();
    assert!(facts.is_worktree && !facts.is_submodule);
    assert_eq!((facts.head, facts.branch), (Some(hash), Some("fix".to_string())));
    let walk = foreword_load::walk(&tree.path("fix"), &everything()).unwrap();
    assert_eq!(paths(&walk), ["new.rs", "src/a.rs"]);
}

#[test]
fn a_submodule_is_walked_and_is_a_workspace_of_its_own() {
    let tree = Tree::new();
    if repository(&tree, "lib").is_none() || repository(&tree, "repo").is_none() {
        return;
    }
    git(&tree.path("repo"), &["submodule", "add", "-q", "../lib", "deps/lib"]);
    tree.write("repo/deps/lib/extra.log", "").write("repo/.gitignore", "*.log\n");
    tree.write("repo/.cursorignore", "private.rs\n").write("repo/deps/lib/private.rs", "");
    let inner = discover(&tree.path("repo/deps/lib/src"));
    assert_eq!((inner.root, inner.name.as_str()), (tree.path("repo/deps/lib"), "lib"));
    assert!(inner.git.unwrap().is_submodule);
    let walk = foreword_load::walk(&tree.path("repo"), &everything()).unwrap();
    let expect = [".gitmodules", "deps/lib/extra.log", "deps/lib/src/a.rs", "src/a.rs"];
    assert_eq!(
        paths(&walk),
        expect,
        "git's own rules end at the submodule, those for programs like us do not"
    );
}

#[test]
fn the_walk_agrees_with_git_on_what_is_ignored() {
    let tree = Tree::new();
    if repository(&tree, "repo").is_none() {
        return;
    }
    for path in [
        "a.log",
        "b/a.log",
        "b/keep.log",
        "b/c/x.o",
        "doc/x.txt",
        "doc/sub/x.txt",
        "foo/bar/z",
        "q/foo/bar/z",
        "w x",
        "#hash",
        "!bang",
        "star/one/two/end",
        "star/end",
        "cl-a.q",
        "cl-b.q",
        "only/dir/f",
        "only2/dir",
        "tail ",
    ] {
        tree.write(&format!("repo/{path}"), "");
    }
    let rules = "*.log\n!keep.log\n/doc/*.txt\nfoo/bar\n\\#hash\n\\!bang\nstar/**/end\ncl-[ab].q\n!cl-b.q\ndir/\nw\\ x\n";
    tree.write("repo/.gitignore", rules).write("repo/b/.gitignore", "c/\n!a.log\n");
    let listed = git(&tree.path("repo"), &["ls-files", "-z", "-co", "--exclude-standard"]).unwrap();
    let mut expect: Vec<&str> = listed.split('\0').filter(|path| !path.is_empty()).collect();
    expect.retain(|path| !path.ends_with(".gitignore"));
    expect.sort_unstable();
    let walk = foreword_load::walk(&tree.path("repo"), &everything()).unwrap();
    assert_eq!(paths(&walk), expect);
}
