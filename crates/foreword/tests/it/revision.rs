//! `--rev`: answers from the files of a commit.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{Repository, Run, foreword};

/// A repository whose commits and whose disk have different files, and a bare copy of it.
fn repositories() -> (Repository, PathBuf) {
    let repository = Repository::new(
        "//- src/cart.py\ndef first_name(item):\n    return item\n//- .env\nKEY=1\n",
    );
    repository.git(&["init", "-q", "-b", "main"]);
    repository.git(&["add", "-A"]);
    repository.git(&["commit", "-qm", "one"]);
    repository.git(&["tag", "v1"]);
    repository.write("src/cart.py", "def second_name(item):\n    return item\n");
    repository.git(&["commit", "-qam", "two"]);
    let bare = repository.dir.path().join("bare.git");
    repository.git(&["clone", "-q", "--bare", ".", bare.to_str().unwrap()]);
    repository.write("src/cart.py", "def third_name(item):\n    return item\n");
    (repository, bare)
}

fn run(repository: &Repository, directory: &Path, args: &[&str]) -> Run {
    Run::of(&foreword(directory, &repository.index()).args(args).output().unwrap())
}

#[test]
fn a_revision_answers_in_a_bare_repository_and_beside_other_files_on_the_disk() {
    let (repository, bare) = repositories();
    let root = repository.root();
    for (directory, rev, name) in [
        (&bare, "main", "second_name"),
        (&bare, "v1", "first_name"),
        (&bare, "HEAD~1", "first_name"),
        (&root, "HEAD", "second_name"),
        (&root.join("src"), "main^", "first_name"),
    ] {
        let found = |args: &[&str]| {
            let run = run(&repository, directory, &[args, &["--rev", rev]].concat());
            assert!(run.code == 0 && run.out.contains(name), "{rev}: {args:?}: {run:?}");
            run.out
        };
        assert!(found(&["symbols", name]).contains("src/cart.py:1"));
        // What is printed can be pasted back.
        found(&["context", "src/cart.py:2", "--prompt"]);
        found(&["skeleton", "src/cart.py"]);
        found(&["chunk", "src/cart.py:1-2"]);
        let other = run(&repository, directory, &["search", "--exact", "third_name", "--rev", rev]);
        assert_eq!(other.code, 1, "{rev}: {other:?}");
    }
    let status = run(&repository, &bare, &["status", ".env", "--rev", "main"]);
    assert!(status.out.contains("secret"), "{status:?}");
}

#[test]
fn a_revision_that_is_not_there_is_an_error_with_a_remedy() {
    let (repository, bare) = repositories();
    let fails = |directory: &Path, args: &[&str], parts: &[&str]| {
        run(&repository, directory, args).fails(2, parts);
    };
    fails(&bare, &["symbols", "x", "--rev", "nowhere"], &["`nowhere`", "branch --all"]);
    fails(repository.dir.path(), &["symbols", "x", "--rev", "main"], &["not in a git repository"]);
    fails(&bare, &["lsp", "--rev", "main"], &["--rev", "remove this option"]);
}

#[test]
fn neither_the_work_tree_nor_the_repository_is_written_to() {
    let (repository, bare) = repositories();
    let state = |directory: &Path, args: &[&str]| {
        let output = Command::new("git").arg("-C").arg(directory).args(args).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let root = repository.root();
    let both = || {
        let changes = state(&root, &["status", "--porcelain", "--ignored"]);
        (changes, state(&bare, &["worktree", "list"]), std::fs::read_dir(&bare).unwrap().count())
    };
    let before = both();
    assert_eq!(run(&repository, &bare, &["index", "--rev", "v1"]).code, 0);
    assert_eq!(run(&repository, &root, &["index", "--rev", "v1"]).code, 0);
    assert_eq!(both(), before);
}
