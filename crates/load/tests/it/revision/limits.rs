//! Commits that name or hold too much, what stays on disk of many, and what earlier versions left there.

use std::fs;
use std::path::{Path, PathBuf};

use foreword_engine::index::{IndexConfig, Store};
use foreword_load::{Analyzer, LoadError, Reuse, SyncError, SyncOptions, sync};

use super::{commit, index, revision, texts};
use crate::git::git;
use crate::{Tree, sync_options};

const SECRET: &str = concat!("ghp_", "Zk3vQ9xT7mWpL2sYb8NcR4dHf6JgV1uEo5Ki");

/// All files below a directory.
fn files(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).into_iter().flatten().map(|it| it.unwrap().path());
    let below = |it: PathBuf| if it.is_dir() { files(&it) } else { vec![it] };
    entries.flat_map(below).collect()
}

/// Writes a tree object with these entries, each ten times under other names, by way of a folder that git adds.
fn ten_times(repo: &Path, mode: &str, id: &str) -> Option<String> {
    let index = repo.join(".git/index");
    let _ = fs::remove_file(&index);
    for n in 0..10 {
        match mode {
            "tree" => git(repo, &["read-tree", &format!("--prefix=d{n}/"), id])?,
            _ => git(
                repo,
                &["update-index", "--add", "--cacheinfo", &format!("100644,{id},f{n}.py")],
            )?,
        };
    }
    git(repo, &["write-tree"])
}

#[test]
fn a_few_kilobytes_of_trees_or_texts_that_stand_for_too_much_are_refused() {
    let tree = Tree::new();
    let repo = tree.path("repo");
    tree.write("repo/x.py", vec![0; 1_000_000]);
    let Some(_) = git(&repo, &["init", "-q", "-b", "main"]) else { return };
    let blob = git(&repo, &["hash-object", "-w", "x.py"]).unwrap();
    let mut id = ten_times(&repo, "blob", &blob).unwrap();
    id = ten_times(&repo, "tree", &id).unwrap();
    let refused = |id: &str, what: &str| {
        let it = git(&repo, &["commit-tree", "-m", "x", id]).unwrap();
        let res = index(&tree, &revision(&repo, &it).unwrap());
        let Err(SyncError::Load(error @ LoadError::OversizeCommit { .. })) = res else {
            panic!("{what}: not refused")
        };
        assert!(error.to_string().contains(&format!("too many {what}")), "{error}");
        let bytes: u64 =
            files(&tree.path("index")).iter().map(|it| it.metadata().unwrap().len()).sum();
        assert!(bytes < 1 << 20, "{bytes}");
    };
    // A hundred files of a megabyte each. They are no text, but are read to know it.
    refused(&id, "bytes");
    // 10^10 names cannot be listed in an index of git, so the last trees are written as objects.
    for _ in 0..8 {
        let mut bytes = Vec::new();
        let hash: Vec<u8> =
            (0..20).map(|at| u8::from_str_radix(&id[at * 2..at * 2 + 2], 16).unwrap()).collect();
        for n in 0..10 {
            bytes.extend(format!("40000 d{n}\0").into_bytes());
            bytes.extend(&hash);
        }
        tree.write("tree", bytes);
        let file = tree.path("tree").display().to_string();
        id = git(&repo, &["hash-object", "-t", "tree", "-w", &file]).unwrap();
    }
    refused(&id, "files");
}

#[test]
fn one_text_under_many_names_is_refused_before_it_is_read() {
    let tree = Tree::new();
    let repo = tree.path("repo");
    tree.write("repo/x.py", "x = 1\n".repeat(150_000));
    let Some(_) = git(&repo, &["init", "-q", "-b", "main"]) else { return };
    let blob = git(&repo, &["hash-object", "-w", "x.py"]).unwrap();
    let ten = ten_times(&repo, "blob", &blob).unwrap();
    let hundred = ten_times(&repo, "tree", &ten).unwrap();
    for packing in [None, Some("repack")] {
        packing.inspect(|it| drop(git(&repo, &[it, "-adq"]).unwrap()));
        let [few, many] =
            [&ten, &hundred].map(|it| git(&repo, &["commit-tree", "-m", "x", it]).unwrap());
        git(&repo, &["branch", "-f", "many", &many]).unwrap();
        let store = Store::new(tree.path("index/it"), IndexConfig::default());
        let (analyzer, never) = (Analyzer::default(), |_| panic!("a file was read"));
        let options =
            SyncOptions { progress: Some(&never), ..sync_options(&analyzer, 1, Reuse::Stored) };
        let res = sync(&revision(&repo, &many).unwrap(), &store, &options);
        assert!(matches!(res, Err(SyncError::Load(LoadError::OversizeCommit { .. }))));
        assert_eq!(texts(&index(&tree, &revision(&repo, &few).unwrap()).unwrap()).len(), 10);
    }
}

#[test]
fn of_many_commits_eight_are_kept_and_no_secret_of_any_is_on_disk() {
    let tree = Tree::new();
    let repo = tree.path("repo");
    tree.write("repo/.env", "PASSWORD=hunter2hunter2\n");
    let Some(_) = git(&repo, &["init", "-q", "-b", "main"]) else { return };
    for n in 0..12 {
        tree.write(&format!("repo/a{n}.py"), format!("key = \"{SECRET}\"\ndef f{n}(): pass\n"));
        commit(&repo, "x").unwrap();
        let synced = index(&tree, &revision(&repo, "HEAD").unwrap()).unwrap();
        assert_eq!(texts(&synced).len(), n + 1);
        assert_eq!(synced.report.parsed, 1, "the others are in the store");
        assert!(texts(&synced).values().all(|it| !it.contains(SECRET) && it.contains("ghp_***")));
    }
    let all = files(&tree.path("index"));
    let has = |it: &&PathBuf, extension: &str| it.extension().is_some_and(|it| it == extension);
    assert_eq!(all.iter().filter(|it| has(it, "manifest")).count(), 8);
    for file in &all {
        let bytes = fs::read(file).unwrap();
        let holds = |it: &str| bytes.windows(it.len()).any(|window| window == it.as_bytes());
        assert!(!holds(SECRET) && !holds("hunter2"), "{}", file.display());
    }
}

#[test]
fn files_of_commits_that_earlier_versions_wrote_are_removed_from_all_indexes_and_nothing_else() {
    let tree = Tree::new();
    let Some(()) = super::repository(&tree) else { return };
    let commit = "0123456789012345678901234567890123456789";
    for other in ["other", "strange"] {
        tree.write(&format!("index/{other}/revisions/{commit}/files/a.py"), SECRET);
        tree.write(&format!("index/{other}/revisions/unfinished-7/files/a.py"), SECRET);
    }
    tree.write("index/other/CACHEDIR.TAG", foreword_engine::index::INDEX_TAG);
    tree.write("index/other/revisions/notes.txt", "mine");
    index(&tree, &revision(&tree.path("repo"), "main").unwrap()).unwrap();
    let left = files(&tree.path("index/other/revisions"));
    assert_eq!(left, [tree.path("index/other/revisions/notes.txt")]);
    assert_eq!(files(&tree.path("index/strange")).len(), 2, "it has no tag of ours");
}
