//! What git knows about a directory, read from its files without running git.
//!
//! Running git costs milliseconds, it may be absent, and it obeys its own configuration. The few facts needed here have
//! had stable file formats for fifteen years. Supported are `.git` directories, `.git` files (worktrees,
//! submodules, `--separate-git-dir`), `commondir`, `HEAD`, loose and packed refs, the configuration's plain values, the
//! index, loose and packed objects. A library for the objects was tried twice (ARCHITECTURE.md).
//! Not supported are the reftable format (no branch and no commit are reported), `include` directives, `GIT_DIR`.

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

pub(crate) use self::committed::{Committed, Standing};
pub(crate) use self::config::origin_name;
use self::files::small_file;
pub(crate) use self::history::{Change, Known, Walker};
pub(crate) use self::objects::{ObjectId, Objects};
pub(crate) use self::revision::{CommitFile, commit_named, files_of};

/// A git repository as seen from one work tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Git {
    /// The top of the work tree: the directory that holds `.git`.
    pub work_tree: PathBuf,
    /// The directory with `HEAD` and the index of this work tree (canonical).
    pub git_dir: PathBuf,
    /// The directory that all work trees of the repository share (canonical).
    pub common_dir: PathBuf,
    /// The commit that is checked out, in hexadecimal; `None` before the first commit.
    pub head: Option<String>,
    /// The branch that is checked out; `None` if the head is detached.
    pub branch: Option<String>,
    /// Whether this is an additional work tree, made by `git worktree add`.
    pub is_worktree: bool,
    /// Whether this is a submodule whose storage lies in the enclosing repository.
    pub is_submodule: bool,
}

/// A directory in which a repository begins.
pub(crate) struct Top {
    pub(crate) work_tree: PathBuf,
    /// `None` if `.git` points to storage that does not exist (a moved worktree, a partly mounted container).
    pub(crate) storage: Option<Storage>,
}

/// Where a repository keeps its data.
pub(crate) struct Storage {
    pub(crate) git_dir: PathBuf,
    pub(crate) common_dir: PathBuf,
    is_worktree: bool,
}

/// The top of the repository that `start` (canonical) lies in.
pub(crate) fn top_of(start: &Path) -> Option<Top> {
    start.ancestors().find_map(top_at)
}

/// The repository that begins in `dir` itself.
pub(crate) fn top_at(dir: &Path) -> Option<Top> {
    let dot_git = dir.join(".git");
    let kind = fs::metadata(&dot_git).ok()?;
    let work_tree = dir.to_path_buf();
    if kind.is_dir() {
        // An empty `.git` directory is no repository, for git as well.
        return storage(&dot_git).map(|storage| Top { work_tree, storage: Some(storage) });
    }
    let text = kind.is_file().then(|| small_file(&dot_git)).flatten()?;
    let target = text.strip_prefix("gitdir:")?.trim();
    // Broken or not, the repository begins here: a search further up would find another one.
    Some(Top { work_tree, storage: storage(&dir.join(target)) })
}

impl Top {
    /// Whether there is no work tree.
    pub(crate) fn is_bare(&self) -> bool {
        self.storage.as_ref().is_some_and(|it| it.git_dir == self.work_tree)
    }

    /// The facts about the repository; reads the refs.
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

/// The repository that `start` (canonical) lies in: a work tree's, else a bare one, whose data stand for its work tree.
pub(crate) fn repository_around(start: &Path) -> Option<Top> {
    top_of(start).or_else(|| {
        let bare = bare_around(start)?;
        Some(Top { work_tree: bare.to_owned(), storage: storage(bare) })
    })
}

/// The bare repository that `start` lies in, which is not inside a work tree.
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
