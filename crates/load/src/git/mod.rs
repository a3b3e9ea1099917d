//! Reads facts about a git repository from its files, without running git.
//!
//! Running git costs milliseconds, git may be absent, and it obeys its own configuration. The file formats needed here
//! have been stable for fifteen years. Supported: `.git` directories, `.git` files (worktrees, submodules,
//! `--separate-git-dir`), `commondir`, `HEAD`, loose and packed refs, plain values of the configuration, the index,
//! loose and packed objects. A library for the objects was tried twice (ARCHITECTURE.md). Unsupported: the reftable
//! format (branch and commit are then `None`), `include` directives, `GIT_DIR`.

mod committed;
mod config;
mod files;
mod history;
mod index;
mod objects;
mod refs;
mod revision;

use std::fs;
use std::path::{Path, PathBuf};

pub(crate) use self::committed::{CommitIndex, CommitState};
pub(crate) use self::config::origin_name;
use self::files::small_file;
pub(crate) use self::history::{Change, CommitRecord, Walker};
pub(crate) use self::objects::{ObjectId, Objects};
pub(crate) use self::revision::{CommitFile, commit_named, files_of};

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
}

/// The top directory of a repository.
pub(crate) struct Top {
    pub(crate) work_tree: PathBuf,
    /// `None` if `.git` points to missing storage (a moved worktree, a partly mounted container).
    pub(crate) storage: Option<Storage>,
}

/// The data directories of a repository.
pub(crate) struct Storage {
    pub(crate) git_dir: PathBuf,
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
    let kind = fs::metadata(&dot_git).ok()?;
    let work_tree = dir.to_path_buf();
    if kind.is_dir() {
        // An empty `.git` directory is not a repository, in git either.
        return storage(&dot_git).map(|storage| Top { work_tree, storage: Some(storage) });
    }
    let text = kind.is_file().then(|| small_file(&dot_git)).flatten()?;
    let target = text.strip_prefix("gitdir:")?.trim();
    // The top is here even if the storage is missing: a search further up would find another repository.
    Some(Top { work_tree, storage: storage(&dir.join(target)) })
}

impl Top {
    /// Whether it is a bare repository.
    pub(crate) fn is_bare(&self) -> bool {
        self.storage.as_ref().is_some_and(|it| it.git_dir == self.work_tree)
    }

    /// The facts about the repository, including refs.
    pub(crate) fn git(&self) -> Option<Git> {
        let Storage { git_dir, common_dir, is_worktree } = self.storage.as_ref()?;
        let (head, branch) = refs::head(git_dir, common_dir);
        Some(Git {
            work_tree: self.work_tree.clone(),
            git_dir: git_dir.clone(),
            common_dir: common_dir.clone(),
            head,
            branch,
            is_worktree: *is_worktree,
            is_submodule: lies_in_modules(common_dir),
        })
    }
}

/// The repository that contains `start` (canonical): the one of its work tree, else a bare one, whose storage then also
/// counts as the work tree.
pub(crate) fn repository_around(start: &Path) -> Option<Top> {
    top_of(start).or_else(|| {
        let bare = bare_around(start)?;
        Some(Top { work_tree: bare.to_owned(), storage: storage(bare) })
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

fn storage(git_dir: &Path) -> Option<Storage> {
    let git_dir = dunce::canonicalize(git_dir).ok().filter(|git_dir| is_git_dir(git_dir))?;
    let shared = small_file(&git_dir.join("commondir")).and_then(|text| {
        dunce::canonicalize(git_dir.join(text.trim_end_matches(['\n', '\r']))).ok()
    });
    let is_worktree = shared.is_some();
    Some(Storage { common_dir: shared.unwrap_or_else(|| git_dir.clone()), git_dir, is_worktree })
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
        let git = top_at(&root.join("lib/inner")).unwrap().git().unwrap();
        assert!(git.is_submodule && !git.is_worktree);
        assert!(!top_at(&root).unwrap().git().unwrap().is_submodule);
    }
}
