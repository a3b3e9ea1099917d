//! Directories of strangers whose git data lead to another repository of the user: nothing of it is read. Links that git
//! itself made are followed. Without git the tests do nothing.

use std::fs;
use std::path::{Path, PathBuf};

use foreword_engine::history::History;
use foreword_load::{
    GitHistory, GitProblem, HistoryLimits, Options, Workspace, git_problem, history,
};

use crate::Tree;
use crate::commit_diff::diff_below;
use crate::git::git;

/// A `victim` with two commits, whose text is in no file of the `hostile` directory beside it; `None` without git.
fn repositories() -> Option<Tree> {
    let tree = Tree::new();
    let victim = tree.path("victim");
    for (n, text) in ["def first(): secret = 1\n", "def second(): secret = 2\n"].iter().enumerate()
    {
        tree.write("victim/plan.py", text);
        tree.write("victim/notes.py", format!("n = {n}\n"));
        if n == 0 {
            git(&victim, &["init", "-q", "-b", "main"])?;
        }
        git(&victim, &["add", "."])?;
        git(&victim, &["commit", "-q", "-m", "plan"])?;
    }
    tree.write("hostile/plan.py", "def other(): pass\n");
    // `diff_below` checks that nothing is written here.
    fs::create_dir_all(tree.path("repo/.git")).unwrap();
    Some(tree)
}

fn read(root: &Path, options: &Options) -> (Workspace, GitHistory) {
    let workspace = Workspace::discover(root, options).unwrap();
    let read = history(&workspace, None, &HistoryLimits::usual());
    (workspace, read)
}

/// Nothing of the victim is in any answer, and the reason is given.
#[track_caller]
fn refused(tree: &Tree) -> GitProblem {
    let root = tree.path("hostile");
    let (workspace, GitHistory { history, problem, .. }) = read(&root, &Options::default());
    assert_eq!(history, History::default());
    let diff = format!("{:?}", diff_below(tree, &root, &Options::default()));
    assert!(!diff.contains("second") && !diff.contains("first"), "{diff}");
    assert_eq!(problem, git_problem(&workspace));
    problem.expect("a reason")
}

/// A repository of its own in `hostile`, at the victim's commit but without its objects.
fn own_git(tree: &Tree) -> PathBuf {
    let head = fs::read_to_string(tree.path("victim/.git/refs/heads/main")).unwrap();
    tree.write("hostile/.git/HEAD", head).write("hostile/.git/refs/heads/x", "");
    fs::create_dir_all(tree.path("hostile/.git/objects/pack")).unwrap();
    fs::copy(tree.path("victim/.git/index"), tree.path("hostile/.git/index")).unwrap();
    tree.path("hostile/.git")
}

#[cfg(unix)]
fn link(target: &Path, at: &Path) {
    let _ = fs::remove_dir_all(at);
    std::os::unix::fs::symlink(target, at).unwrap();
}

#[test]
fn a_file_or_link_to_another_repository_is_not_followed() {
    let Some(tree) = repositories() else { return };
    let victim = tree.path("victim/.git");
    for target in [victim.display().to_string(), "../victim/.git".to_owned()] {
        tree.write("hostile/.git", format!("gitdir: {target}\n"));
        assert!(matches!(refused(&tree), GitProblem::NotItsWorkTree { .. }));
    }
    fs::remove_file(tree.path("hostile/.git")).unwrap();
    #[cfg(unix)]
    {
        link(&victim, &tree.path("hostile/.git"));
        assert!(matches!(refused(&tree), GitProblem::NotItsWorkTree { .. }));
    }
}

#[test]
fn the_data_of_another_work_tree_or_submodule_are_not_followed() {
    let Some(tree) = repositories() else { return };
    git(&tree.path("victim"), &["worktree", "add", "-q", "../linked"]);
    git(&tree.root, &["clone", "-q", "victim", "super"]);
    git(&tree.path("super"), &["submodule", "add", "-q", "../victim", "sub"]);
    for target in ["victim/.git/worktrees/linked", "super/.git/modules/sub"] {
        let target = tree.path(target);
        assert!(target.is_dir(), "{}", target.display());
        tree.write("hostile/.git", format!("gitdir: {}\n", target.display()));
        assert!(matches!(refused(&tree), GitProblem::NotItsWorkTree { .. }));
    }
}

#[test]
fn a_common_directory_that_did_not_make_the_work_tree_is_not_followed() {
    let Some(tree) = repositories() else { return };
    let victim = tree.path("victim/.git").display().to_string();
    own_git(&tree);
    tree.write("hostile/.git/commondir", &victim);
    assert!(matches!(refused(&tree), GitProblem::NotItsRepository { .. }));
    // One that looks like the data of a work tree, and names this one.
    fs::rename(tree.path("hostile/.git"), tree.path("hostile/store")).unwrap();
    fs::create_dir_all(tree.path("hostile/worktrees")).unwrap();
    fs::rename(tree.path("hostile/store"), tree.path("hostile/worktrees/x")).unwrap();
    tree.write("hostile/.git", "gitdir: worktrees/x\n");
    let own = tree.path("hostile/.git").display().to_string();
    tree.write("hostile/worktrees/x/gitdir", own);
    assert!(matches!(refused(&tree), GitProblem::NotItsRepository { .. }));
}

#[cfg(unix)]
#[test]
fn no_link_inside_git_is_followed() {
    let Some(tree) = repositories() else { return };
    let (own, victim) = (own_git(&tree), tree.path("victim/.git"));
    git(&tree.path("victim"), &["gc", "-q"]);
    link(&victim.join("objects"), &own.join("objects"));
    assert!(matches!(refused(&tree), GitProblem::Unreadable { .. }));
    fs::remove_file(own.join("objects")).unwrap();
    fs::create_dir_all(own.join("objects")).unwrap();
    let nothing = |tree: &Tree| {
        let (_, found) = read(&tree.path("hostile"), &Options::default());
        assert_eq!(found.history, History::default());
        let diff = format!("{:?}", diff_below(tree, &tree.path("hostile"), &Options::default()));
        assert!(!diff.contains("second"), "{diff}");
    };
    link(&victim.join("objects/pack"), &own.join("objects/pack"));
    nothing(&tree);
    fs::remove_file(own.join("objects/pack")).unwrap();
    fs::create_dir(own.join("objects/pack")).unwrap();
    for file in fs::read_dir(victim.join("objects/pack")).unwrap() {
        let file = file.unwrap();
        link(&file.path(), &own.join("objects/pack").join(file.file_name()));
    }
    nothing(&tree);
    // References and the index, too.
    fs::remove_file(own.join("HEAD")).unwrap();
    link(&victim.join("HEAD"), &own.join("HEAD"));
    nothing(&tree);
}

#[test]
fn alternates_are_read_where_the_user_allows_them_and_in_the_repository_itself() {
    let Some(tree) = repositories() else { return };
    own_git(&tree);
    let objects = tree.path("victim/.git/objects");
    for target in [objects.display().to_string(), "../../../victim/.git/objects".to_owned()] {
        tree.write("hostile/.git/objects/info/alternates", format!("# kept\n\n{target}\n"));
        let problem = refused(&tree);
        assert_eq!(problem, GitProblem::Alternate { path: objects.clone() });
        assert!(problem.to_string().contains("git_alternates"));
    }
    // One in the repository that leads out of it.
    fs::create_dir_all(tree.path("hostile/cache/info")).unwrap();
    tree.write("hostile/.git/objects/info/alternates", "../../cache\n");
    tree.write("hostile/cache/info/alternates", objects.display().to_string());
    assert!(matches!(refused(&tree), GitProblem::Alternate { .. }));
    let allowed = Options { git_alternates: vec![tree.path("victim")], ..Options::default() };
    let (_, found) = read(&tree.path("hostile"), &allowed);
    assert_eq!((found.history.commits.len(), found.problem), (1, None));
    // Git reads no deeper than five.
    tree.write("hostile/.git/objects/info/alternates", "../../cache/0\n");
    for depth in 0..6 {
        let next = match depth {
            5 => objects.display().to_string(),
            _ => format!("../{}", depth + 1),
        };
        tree.write(&format!("hostile/cache/{depth}/info/alternates"), next);
    }
    assert_eq!(read(&tree.path("hostile"), &allowed).1.history.commits.len(), 0);
    // And a circle ends.
    tree.write("hostile/cache/0/info/alternates", "../0\n../../.git/objects\n");
    assert_eq!(read(&tree.path("hostile"), &allowed).1.history.commits.len(), 0);
}

#[test]
fn what_git_made_is_followed_also_with_relative_paths() {
    let Some(tree) = repositories() else { return };
    let usual = Options::default();
    git(&tree.path("victim"), &["worktree", "add", "-q", "../linked"]);
    git(&tree.root, &["clone", "-q", "victim", "super"]);
    git(&tree.path("super"), &["submodule", "add", "-q", "../victim", "sub"]);
    for root in ["linked", "super/sub"] {
        let (_, found) = read(&tree.path(root), &usual);
        assert_eq!((found.history.commits.len(), found.problem), (1, None), "{root}");
    }
    // As newer versions of git write them on request.
    tree.write("victim/.git/worktrees/linked/gitdir", "../../../../linked/.git\n");
    tree.write("linked/.git", "gitdir: ../victim/.git/worktrees/linked\n");
    let (workspace, found) = read(&tree.path("linked"), &usual);
    assert_eq!((found.history.commits.len(), found.problem), (1, None));
    assert!(workspace.git.unwrap().is_worktree);
    // A bare repository inside of the work tree.
    git(&tree.root, &["clone", "-q", "--bare", "victim", "inner/.bare"]);
    tree.write("inner/.git", "gitdir: ./.bare\n").write("inner/a.py", "a = 1\n");
    assert_eq!(read(&tree.path("inner"), &usual).1.history.commits.len(), 1);
    // A work tree that was moved says how to mend it.
    fs::rename(tree.path("linked"), tree.path("moved")).unwrap();
    let (_, found) = read(&tree.path("moved"), &usual);
    assert!(found.problem.unwrap().to_string().contains("git worktree repair"));
}
