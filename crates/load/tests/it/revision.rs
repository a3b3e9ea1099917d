//! Revisions of repositories made by git itself; without git the tests do nothing.

use std::path::Path;

use foreword_load::{Environment, LoadError, Revision};

use crate::Tree;
use crate::git::git;

fn check_out(tree: &Tree, from: &Path, name: &str) -> Result<Revision, LoadError> {
    Revision::check_out(from, name, Some(&tree.path("index")), &Environment::default())
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
        git(&dir, &["add", "."])?;
        git(&dir, &["commit", "-q", "-m", file])?;
    }
    git(&dir, &["merge", "-q", "--no-edit", "side"])?;
    git(&dir, &["tag", "light", "side"])?;
    git(&dir, &["tag", "-a", "heavy", "-m", "x", "main~1"])?;
    git(&dir, &["tag", "-a", "heavier", "-m", "x", "heavy"])?;
    git(tree.path("").as_path(), &["clone", "-q", "--bare", "repo", "bare.git"])?;
    Some(())
}

/// Checks that `name` is git's commit in `from`, and that its files are git's.
#[track_caller]
fn check(tree: &Tree, from: &str, name: &str) {
    let repo = tree.path("repo");
    let found = check_out(tree, &tree.path(from), name).unwrap();
    let it = git(&repo, &["rev-parse", &format!("{name}^{{commit}}")]).unwrap();
    assert_eq!(found.commit, it, "{from}: {name}");
    let listed = git(&repo, &["ls-tree", "-r", "--name-only", &it]).unwrap();
    for path in listed.lines() {
        let blob = git(&repo, &["show", &format!("{it}:{path}")]).unwrap();
        let text = std::fs::read_to_string(found.directory.join(path)).unwrap();
        assert_eq!(text.trim_end(), blob, "{from}: {name}: {path}");
    }
    let written = foreword_load::walk(&found.directory, &crate::everything()).unwrap();
    assert_eq!(written.files.len(), listed.lines().count(), "{from}: {name}");
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
            let error = check_out(&tree, &tree.path(from), name).unwrap_err();
            assert!(matches!(error, LoadError::NoRevision { .. }), "{from}: {name}: {error}");
        }
    }
}

#[test]
fn a_folder_of_a_work_tree_is_the_same_folder_of_the_commit() {
    let tree = Tree::new();
    let Some(()) = repository(&tree) else { return };
    let found = check_out(&tree, &tree.path("repo/b"), "main").unwrap();
    assert!(found.directory.ends_with("files/b") && found.directory.join("c.rs").is_file());
    // The first commit has that directory, too. For a directory that it lacks, the result is the top.
    tree.write("repo/new/x.rs", "");
    let found = check_out(&tree, &tree.path("repo/new"), "main").unwrap();
    assert!(found.directory.ends_with("files"));
}

#[test]
fn a_commit_without_its_objects_is_an_error_and_leaves_nothing_behind() {
    let tree = Tree::new();
    let Some(()) = repository(&tree) else { return };
    let repo = tree.path("repo");
    let blob = git(&repo, &["rev-parse", "main:z.rs"]).unwrap();
    std::fs::remove_file(repo.join(".git/objects").join(&blob[..2]).join(&blob[2..])).unwrap();
    let error = check_out(&tree, &repo, "main").unwrap_err();
    assert!(matches!(error, LoadError::MissingObjects { .. }), "{error}");
    let index = std::fs::read_dir(tree.path("index")).unwrap().next().unwrap().unwrap();
    let left = std::fs::read_dir(index.path().join("revisions")).unwrap().count();
    assert_eq!(left, 0);
    assert!(check_out(&tree, &repo, "side").is_ok());
}
