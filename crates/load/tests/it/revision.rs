//! Revisions of repositories made by git itself; without git the tests do nothing.

mod limits;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use foreword_engine::index::{IndexConfig, Store};
use foreword_load::{
    Analyzer, EntryType, Limits, LoadError, Masking, Options, Reuse, SyncError, SyncOutcome,
    Workspace, explain, read_below, sync, walk_until,
};

use crate::Tree;
use crate::git::git;
use crate::sync_options;

fn revision(from: &Path, name: &str) -> Result<Workspace, LoadError> {
    let options = Options { revision: Some(name.to_owned()), ..Options::default() };
    Workspace::discover(from, &options)
}

fn index(tree: &Tree, workspace: &Workspace) -> Result<SyncOutcome, SyncError> {
    let store = Store::new(tree.path("index/it"), IndexConfig::default());
    sync(workspace, &store, &sync_options(&Analyzer::default(), 1, Reuse::Stored))
}

/// The texts of an index by path.
fn texts(synced: &SyncOutcome) -> BTreeMap<String, String> {
    let it = &synced.snapshot;
    it.files().map(|file| (it.path(file).to_owned(), it.text(file).to_string())).collect()
}

/// A repository with a merge, tags of both kinds and a branch, and a bare copy of it.
fn repository(tree: &Tree) -> Option<()> {
    let dir = tree.path("repo");
    tree.write("repo/a.rs", "fn a() {}\n");
    git(&dir, &["init", "-q", "-b", "main"])?;
    for (file, branch) in [("b/c.rs", "main"), ("b/d e.rs", "side"), ("z.rs", "main")] {
        if branch == "side" {
            git(&dir, &["checkout", "-q", "-b", "side"])?;
        } else if file == "z.rs" {
            git(&dir, &["checkout", "-q", "main"])?;
        }
        tree.write(&format!("repo/{file}"), format!("// {file}\nfn {branch}() {{}}\n"));
        commit(&dir, file)?;
    }
    git(&dir, &["merge", "-q", "--no-edit", "side"])?;
    git(&dir, &["tag", "light", "side"])?;
    git(&dir, &["tag", "-a", "heavy", "-m", "x", "main~1"])?;
    git(&dir, &["tag", "-a", "heavier", "-m", "x", "heavy"])?;
    git(tree.path("").as_path(), &["clone", "-q", "--bare", "repo", "bare.git"])?;
    Some(())
}

fn commit(dir: &Path, message: &str) -> Option<()> {
    git(dir, &["add", "-A"])?;
    git(dir, &["commit", "-q", "-m", message])?;
    Some(())
}

/// Checks that `name` is git's commit in `from`, and that its files are git's.
#[track_caller]
fn check(tree: &Tree, from: &str, name: &str) {
    let repo = tree.path("repo");
    let found = revision(&tree.path(from), name).unwrap();
    let it = git(&repo, &["rev-parse", &format!("{name}^{{commit}}")]).unwrap();
    assert_eq!(found.revision.as_ref().unwrap().commit(), it, "{from}: {name}");
    let listed = git(&repo, &["ls-tree", "-r", "--name-only", &it]).unwrap();
    let root = found.open().unwrap();
    for path in listed.lines() {
        let blob = git(&repo, &["show", &format!("{it}:{path}")]).unwrap();
        let (text, _) = read_below(&root, path, 1 << 20, Masking::On).unwrap();
        assert_eq!(text.trim_end(), blob, "{from}: {name}: {path}");
    }
    let walked = walk_until(&root, &crate::everything(), &AtomicBool::new(false)).unwrap();
    let walked: Vec<&str> = walked.files.iter().map(|it| it.path.as_str()).collect();
    assert_eq!(walked, listed.lines().collect::<Vec<_>>(), "{from}: {name}");
}

#[test]
fn every_way_to_name_a_commit_gives_gits_own_and_its_files() {
    let tree = Tree::new();
    let Some(()) = repository(&tree) else { return };
    let hash = git(&tree.path("repo"), &["rev-parse", "main"]).unwrap();
    git(&tree.path("bare.git"), &["gc", "-q"]).unwrap();
    let hashes = [&*hash, &hash[..7], &hash.to_uppercase()[..9]].map(str::to_owned);
    let names = "HEAD @ main side heads/side refs/tags/light light heavy heavier main~1 main^2 main^^ HEAD^2~1 heavier^";
    for from in ["repo", "bare.git"] {
        for name in names.split(' ').chain(hashes.iter().map(String::as_str)) {
            check(&tree, from, name);
        }
        for name in
            ["", "nothing", "main~9", "main^3", "main^{tree}", "../main", "abc", "main:a.rs"]
        {
            let error = revision(&tree.path(from), name).unwrap_err();
            assert!(matches!(error, LoadError::NoRevision { .. }), "{from}: {name}: {error}");
        }
    }
}

#[test]
fn a_folder_of_a_work_tree_is_the_same_folder_of_the_commit() {
    let tree = Tree::new();
    let Some(()) = repository(&tree) else { return };
    tree.write("repo/new/x.rs", "");
    let root = |from: &str, root_is_path| {
        let revision = Some("main".to_owned());
        let options = Options { root_is_path, revision, ..Options::default() };
        let found = Workspace::discover(&tree.path(from), &options).unwrap();
        found.root.strip_prefix(tree.path("repo")).unwrap().display().to_string()
    };
    assert_eq!([root("repo/b", false), root("repo/b", true)], ["", "b"]);
    // The commit lacks that directory.
    assert_eq!(root("repo/new", true), "");
    let it = revision(&tree.path("repo/b"), "main").unwrap();
    assert_eq!(it.relative(&tree.path("repo/b/./../b/c.rs")).unwrap(), "b/c.rs");
    assert_eq!(it.entry(&tree.path("repo/b")), Some(EntryType::Directory));
    assert_eq!(it.entry(&tree.path("repo/new/x.rs")), None);
}

#[test]
fn a_clone_that_shares_objects_is_read_where_the_user_allows_their_directory() {
    let tree = Tree::new();
    let Some(()) = repository(&tree) else { return };
    git(&tree.path(""), &["clone", "-q", "--shared", "repo", "shared"]).unwrap();
    let error = revision(&tree.path("shared"), "main").unwrap_err();
    assert!(error.to_string().contains("git_alternates"), "{error}");
    let (revision, git_alternates) = (Some("main".to_owned()), vec![tree.path("repo")]);
    let allowed = Options { revision, git_alternates, ..Options::default() };
    let found = Workspace::discover(&tree.path("shared"), &allowed).unwrap();
    assert_eq!(texts(&index(&tree, &found).unwrap()).len(), 4);
}

#[test]
fn a_commit_without_its_objects_is_an_error_and_leaves_nothing_behind() {
    let tree = Tree::new();
    let Some(()) = repository(&tree) else { return };
    let repo = tree.path("repo");
    let blob = git(&repo, &["rev-parse", "main:z.rs"]).unwrap();
    std::fs::remove_file(repo.join(".git/objects").join(&blob[..2]).join(&blob[2..])).unwrap();
    let res = index(&tree, &revision(&repo, "main").unwrap());
    assert!(matches!(res, Err(SyncError::Load(LoadError::MissingObjects { .. }))));
    assert_eq!(std::fs::read_dir(tree.path("index/it")).unwrap().count(), 2, "store and tag");
    assert_eq!(texts(&index(&tree, &revision(&repo, "side").unwrap()).unwrap()).len(), 3);
}

/// Commits files and links to which every rule about names, contents, ignore files and links applies.
#[cfg(unix)]
fn every_kind_of_file(tree: &Tree) -> Option<()> {
    let secret = format!("key = \"{}{}\"\n", "ghp_", "Zk3vQ9xT7mWpL2sYb8NcR4dHf6JgV1uEo5Ki");
    let files: [(&str, &[u8]); 16] = [
        (".gitignore", b"out/\n"),
        ("part/.ignored", b"*.gen.py\n"),
        ("part/a.gen.py", b"x = 1\n"),
        ("part/.env", b"KEY=1\n"),
        ("part/key.py", secret.as_bytes()),
        ("part/utf16.py", b"\xff\xfex\0=\0\x31\0\n\0"),
        ("part/latin.py", b"name = 'caf\xe9 and so on, na\xefve'\n"),
        ("part/made.py", b"# Code generated by x. DO NOT EDIT.\n"),
        ("part/book.ipynb", br#"{"cells": [{"cell_type": "code", "source": ["x = 1"]}]}"#),
        ("part/image.png", b"\x89PNG"),
        ("part/zero.py", b"\0\0"),
        ("out/kept.py", b"tracked = 1\n"),
        ("node_modules/m/i.js", b"let x = 1;\n"),
        (".hidden/x.py", b"x = 1\n"),
        ("cache/CACHEDIR.TAG", b"Signature: 8a477f597d28d172789f06886806bc55\n"),
        ("cache/x.py", b"x = 1\n"),
    ];
    let repo = tree.path("repo");
    for (path, bytes) in files {
        tree.write(&format!("repo/{path}"), bytes);
    }
    tree.write("repo/part/large.py", "x = 1\n".repeat(1 << 18));
    let links = [
        ("link.py", "key.py"),
        ("up.py", "../../outside"),
        ("loop", "."),
        ("gone.py", "none"),
        (".gitignore", ".ignored"),
    ];
    for (link, target) in links {
        std::os::unix::fs::symlink(target, repo.join("part").join(link)).unwrap();
    }
    tree.write("outside", "");
    git(&repo, &["init", "-q", "-b", "main"])?;
    git(&repo, &["add", "-Af"])?;
    git(&repo, &["commit", "-q", "-m", "x"])?;
    Some(())
}

/// The walk of a workspace: its files, its other paths with reasons, its directories. Git's own directory is on disk only.
#[cfg(unix)]
fn walked(workspace: &Workspace) -> (Vec<String>, Vec<String>, Vec<String>) {
    let root = workspace.open().unwrap();
    let walk = walk_until(&root, &crate::everything(), &AtomicBool::new(false)).unwrap();
    let skipped = walk.skipped.iter().filter(|it| it.path != ".git");
    let skipped = skipped.map(|it| format!("{}: {}", it.path, it.reason));
    let files = walk.files.into_iter().map(|it| it.path);
    (files.collect(), skipped.collect(), walk.directories)
}

#[cfg(unix)]
#[test]
fn a_commit_is_walked_and_read_like_the_same_files_on_disk() {
    let tree = Tree::new();
    let Some(()) = every_kind_of_file(&tree) else { return };
    for (directory, root_is_path, kinds) in [("repo", false, 12), ("repo/part", true, 8)] {
        let open = |revision: Option<&str>| {
            let revision = revision.map(str::to_owned);
            let options = Options { root_is_path, revision, ..Options::default() };
            Workspace::discover(&tree.path(directory), &options).unwrap()
        };
        let (disk, it) = (open(None), open(Some("HEAD")));
        assert_eq!(it.root, disk.root);
        let skipped = walked(&it).1;
        assert_eq!(skipped.len(), kinds, "{skipped:#?}");
        assert_eq!(walked(&it), walked(&disk));
        let (a, b) = (index(&tree, &disk).unwrap(), index(&tree, &it).unwrap());
        assert_eq!(b.report.parsed, 0, "the work tree has the same contents");
        assert_eq!(texts(&b), texts(&a));
        assert!(texts(&b).values().all(|it| !it.contains("ghp_Zk3v")));
        let reasons = |it: &SyncOutcome| {
            let skipped = it.manifest.skipped.iter();
            skipped.map(|it| (it.path.clone(), it.reason.clone())).collect::<Vec<_>>()
        };
        assert_eq!(reasons(&b), reasons(&a));
        assert_eq!(reasons(&b).len(), 3, "generated, large, binary by content");
        for path in ["part/.env", ".env", "part/a.gen.py", "part/key.py"] {
            let why = |it: &Workspace| {
                let root = it.open().unwrap();
                let why = explain(&root, path, &crate::everything(), &Limits::default());
                why.map_err(|it| it.to_string())
            };
            assert_eq!(why(&it), why(&disk), "{path}");
        }
    }
}
