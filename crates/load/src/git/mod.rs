//! Reads facts about a git repository from its files, without running git.
//!
//! Running git costs milliseconds, git may be absent, and it obeys its own configuration. The file formats needed here
//! have been stable for fifteen years. Supported: `.git` directories, `.git` files (worktrees, submodules), `commondir`,
//! `HEAD`, loose and packed refs, plain values of the configuration, the index, loose and packed objects. Libraries for
//! the objects were measured (ARCHITECTURE.md). Unsupported: the reftable format (branch and commit are then `None`),
//! `include` directives, `GIT_DIR`.
//!
//! # Whose data
//!
//! A directory of somebody else may contain a `.git` file or a link that leads to another repository of the user. So data
//! outside of the work tree are read only if git itself made the connection: the other side names this work tree, in
//! `gitdir` (`git worktree add`) or in `core.worktree` (submodules). Everything is opened below the directories found so,
//! without following links.

mod committed;
mod config;
mod files;
mod history;
mod index;
mod objects;
mod problem;
mod refs;
mod revision;

use std::fs;
use std::path::{Path, PathBuf};

use crate::root::DirectoryRoot;

pub(crate) use self::committed::{CommitIndex, CommitState};
pub(crate) use self::config::{origin_name, origin_path};
use self::files::small_text;
pub(crate) use self::history::{Change, CommitRecord, Walker};
pub(crate) use self::objects::{CHECKOUT_WORK, HISTORY_WORK, ObjectId, Objects};
pub use self::problem::GitProblem;
pub(crate) use self::revision::commit_named;

/// A git repository as seen from one work tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Git {
    /// The top of the work tree: the directory that holds `.git`.
    pub work_tree: PathBuf,
    /// The directory with `HEAD` and the index of this work tree (canonical).
    pub git_dir: PathBuf,
    /// The directory shared by all work trees of the repository (canonical).
    pub common_dir: PathBuf,
    /// The checked-out commit, in hexadecimal; `None` before the first commit.
    pub head: Option<String>,
    /// The checked-out branch; `None` if the head is detached.
    pub branch: Option<String>,
    /// Whether this is an additional work tree, made by `git worktree add`.
    pub is_worktree: bool,
    /// Whether this is a submodule whose storage lies in the enclosing repository.
    pub is_submodule: bool,
    /// Directories below which the user allows further directories of objects (canonical).
    pub alternates: Vec<PathBuf>,
}

impl Git {
    /// Whether both are the same storage of the same work tree.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        (&self.work_tree, &self.git_dir, &self.common_dir)
            == (&other.work_tree, &other.git_dir, &other.common_dir)
    }

    /// The objects, to be read with at most this work.
    pub(crate) fn objects(&self, work: u64) -> Objects {
        let roots = [std::slice::from_ref(&self.work_tree), &*self.alternates].concat();
        Objects::open_within(&self.common_dir, &roots, work)
    }
}

/// The top directory of a repository.
pub(crate) struct Top {
    pub(crate) work_tree: PathBuf,
    /// `None` if `.git` points to missing storage (a moved worktree, a partly mounted container) or to another
    /// repository's.
    pub(crate) storage: Option<Storage>,
    /// Why the storage is not used, if it is there.
    pub(crate) problem: Option<GitProblem>,
}

/// The data directories of a repository.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Storage {
    /// Canonical.
    pub(crate) git_dir: PathBuf,
    /// Canonical.
    pub(crate) common_dir: PathBuf,
    is_worktree: bool,
}

/// The innermost repository that contains `start` (canonical).
pub(crate) fn top_of(start: &Path) -> Option<Top> {
    start.ancestors().find_map(top_at)
}

/// The repository whose top is `dir`.
pub(crate) fn top_at(dir: &Path) -> Option<Top> {
    let dot_git = dir.join(".git");
    let kind = fs::symlink_metadata(&dot_git).ok()?.file_type();
    if kind.is_file() {
        let root = DirectoryRoot::open(dir).ok()?;
        let text = small_text(&root, ".git")?;
        let target = root.path().join(text.strip_prefix("gitdir:")?.trim());
        // The top is here even if the storage is missing: a search further up would find another repository.
        return Some(Top::new(dir, linked(dir, &target)));
    }
    // An empty `.git` directory is not a repository, in git either.
    let found = linked(dir, &dot_git);
    (found != Ok(None) || kind.is_symlink()).then(|| Top::new(dir, found))
}

/// The storage that `.git` leads to.
fn linked(work_tree: &Path, target: &Path) -> Result<Option<Storage>, GitProblem> {
    let canonical =
        dunce::canonicalize(work_tree).and_then(|it| Ok((it, dunce::canonicalize(target)?)));
    let Ok((work_tree, target)) = canonical else { return Ok(None) };
    let Some(found) = storage(&target)? else { return Ok(None) };
    if target.starts_with(&work_tree) || names_work_tree(&target, &work_tree) {
        return Ok(Some(found));
    }
    Err(GitProblem::NotItsWorkTree { link: work_tree.join(".git"), target, work_tree })
}

/// Whether the storage names this work tree: in `gitdir` as `git worktree` does, or in its configuration as submodules
/// do.
fn names_work_tree(git_dir: &Path, work_tree: &Path) -> bool {
    let Ok(root) = DirectoryRoot::open_canonical(git_dir) else { return false };
    let named = match small_text(&root, "gitdir") {
        Some(text) => {
            let dot_git = git_dir.join(text.trim_end_matches(['\n', '\r']));
            let is_named = dot_git.file_name().is_some_and(|it| it == ".git");
            dot_git.parent().filter(|_| is_named).and_then(|it| dunce::canonicalize(it).ok())
        }
        None => config::work_tree(&root),
    };
    named.is_some_and(|it| it == work_tree)
}

impl Top {
    fn new(work_tree: &Path, found: Result<Option<Storage>, GitProblem>) -> Self {
        let (storage, problem) = match found {
            Ok(storage) => (storage, None),
            Err(problem) => (None, Some(problem)),
        };
        Self { work_tree: work_tree.to_path_buf(), storage, problem }
    }

    /// The facts about the repository, including refs.
    pub(crate) fn git(&self) -> Option<Git> {
        let storage = self.storage.as_ref()?;
        let Storage { git_dir, common_dir, is_worktree } = storage;
        let (head, branch) = refs::head(storage);
        Some(Git {
            work_tree: self.work_tree.clone(),
            git_dir: git_dir.clone(),
            common_dir: common_dir.clone(),
            head,
            branch,
            is_worktree: *is_worktree,
            is_submodule: lies_in_modules(common_dir),
            alternates: Vec::new(),
        })
    }
}

/// The repository that contains `start` (canonical): the one of its work tree, else a bare one, whose storage then also
/// counts as the work tree.
pub(crate) fn repository_around(start: &Path) -> Option<Top> {
    top_of(start).or_else(|| {
        let bare = bare_around(start)?;
        Some(Top::new(bare, storage(bare)))
    })
}

/// The top of the bare repository that contains `start`, if `start` is not inside a work tree.
pub(crate) fn bare_around(start: &Path) -> Option<&Path> {
    let is_bare =
        |it: &&Path| is_git_dir(it) && it.join("objects").is_dir() && it.join("refs").is_dir();
    start.ancestors().find(is_bare)
}

fn is_git_dir(dir: &Path) -> bool {
    dir.join("HEAD").is_file()
}

/// The storage in a directory (canonical); `None` if there is none. `commondir` is followed only to the repository that made this
/// work tree, which keeps its data in `worktrees/`.
fn storage(git_dir: &Path) -> Result<Option<Storage>, GitProblem> {
    if !is_git_dir(git_dir) {
        return Ok(None);
    }
    let shared =
        DirectoryRoot::open_canonical(git_dir).ok().and_then(|it| small_text(&it, "commondir"));
    let git_dir = git_dir.to_path_buf();
    let Some(shared) = shared else {
        return Ok(Some(Storage { common_dir: git_dir.clone(), git_dir, is_worktree: false }));
    };
    let shared = git_dir.join(shared.trim_end_matches(['\n', '\r']));
    let Ok(target) = dunce::canonicalize(shared) else { return Ok(None) };
    let worktrees =
        git_dir.parent().filter(|it| it.file_name().is_some_and(|it| it == "worktrees"));
    if worktrees.and_then(Path::parent) != Some(&target) {
        let file = git_dir.join("commondir");
        return Err(GitProblem::NotItsRepository { file, target });
    }
    Ok(Some(Storage { common_dir: target, git_dir, is_worktree: true }))
}

/// Submodules are stored in `modules/` of the enclosing storage, under their name, which may contain slashes.
fn lies_in_modules(common_dir: &Path) -> bool {
    common_dir.ancestors().skip(1).any(|dir| {
        dir.file_name().is_some_and(|name| name == "modules")
            && dir.parent().is_some_and(is_git_dir)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn make_storage(dir: &Path) {
        fs::create_dir_all(dir).unwrap();
        fs::write(dir.join("HEAD"), "ref: refs/heads/main\n").unwrap();
    }

    #[test]
    fn an_empty_dot_git_is_no_repository() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join(".git")).unwrap();
        assert!(top_at(dir.path()).is_none());
    }

    #[test]
    fn an_unrelated_file_called_dot_git_is_no_repository() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join(".git"), "hello").unwrap();
        assert!(top_at(dir.path()).is_none());
    }

    #[test]
    fn a_dangling_dot_git_file_still_begins_a_repository() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join(".git"), "gitdir: nowhere\n").unwrap();
        assert!(top_at(dir.path()).unwrap().git().is_none());
    }

    #[test]
    fn storage_in_modules_is_a_submodule() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        make_storage(&root.join(".git"));
        make_storage(&root.join(".git/modules/lib/inner"));
        fs::create_dir_all(root.join("lib/inner")).unwrap();
        fs::write(root.join("lib/inner/.git"), "gitdir: ../../.git/modules/lib/inner\n").unwrap();
        let top = top_at(&root.join("lib/inner")).unwrap();
        assert!(top.git().is_none() && top.problem.is_some(), "it does not name its work tree");
        let config = "[core]\n\tworktree = ../../../../lib/inner\n";
        fs::write(root.join(".git/modules/lib/inner/config"), config).unwrap();
        let git = top_at(&root.join("lib/inner")).unwrap().git().unwrap();
        assert!(git.is_submodule && !git.is_worktree);
        assert!(!top_at(&root).unwrap().git().unwrap().is_submodule);
    }
}
