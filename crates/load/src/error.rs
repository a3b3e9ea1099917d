//! Errors that end a whole request. Each message names the path and the remedy.
//!
//! An unusable file is not an error: it becomes a [`SkippedPath`](crate::SkippedPath) with a reason, and the run
//! continues.

use std::io;
use std::path::{Path, PathBuf};

use crate::git::GitProblem;
use crate::root::is_too_many_open;

/// Failure to resolve a workspace, a walk or a path.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The path does not exist (any more).
    #[error("{} does not exist; check the spelling and the working directory", path.display())]
    NotFound {
        /// The path as given.
        path: PathBuf,
    },
    /// A directory was expected.
    #[error("{} is not a directory; pass the directory with the source files", path.display())]
    NotADirectory {
        /// The path.
        path: PathBuf,
    },
    /// The path is not below the root of the workspace.
    #[error("{} is outside {}; index its directory, or pass a file inside", path.display(), root.display())]
    OutsideRoot {
        /// The canonical path.
        path: PathBuf,
        /// The root of the workspace.
        root: PathBuf,
    },
    /// The operating system denied access to the path.
    #[error("no permission to read {}; change its permissions or run as another user", path.display())]
    PermissionDenied {
        /// The path.
        path: PathBuf,
    },
    /// The path is not valid Unicode, so the index cannot name it.
    #[error("the name of {} is not valid Unicode; rename it to index it", path.display())]
    NotUnicode {
        /// The path, shown with replacement characters.
        path: PathBuf,
    },
    /// The directory is a repository without a work tree.
    #[error("{} is a bare repository: it has no source files; check out a work tree (`git -C {} worktree add DIRECTORY`) and work there", path.display(), path.display())]
    Bare {
        /// The repository.
        path: PathBuf,
    },
    /// A revision was requested outside of a repository.
    #[error("{} is not in a git repository, so it has no revisions; run in a repository, or omit the revision", path.display())]
    NoRepository {
        /// The path.
        path: PathBuf,
    },
    /// Git's data of a repository are there but not read.
    #[error(transparent)]
    Git(#[from] GitProblem),
    /// The repository has no such revision.
    #[error("{} has no branch, tag or commit `{name}`; `git -C {} branch --all` lists its branches; an abbreviated hash needs at least four digits and must be unique", path.display(), path.display())]
    NoRevision {
        /// The work tree, or the bare repository.
        path: PathBuf,
        /// The name as given.
        name: String,
    },
    /// A commit's directories or files are not in the repository's objects, or cannot be read.
    #[error("{} does not have all files of commit {commit} (is it a partial or shallow clone?); `git -C {} fetch --refetch` fetches them", path.display(), path.display())]
    MissingObjects {
        /// The path.
        path: PathBuf,
        /// The commit, in hexadecimal.
        commit: String,
    },
    /// A commit has far more files or bytes than its objects can hold in a real repository.
    #[error("commit {commit} of {} has too many {what} for the size of its objects, so it is not read; name another commit, or check it out and index the part that you need", path.display())]
    OversizeCommit {
        /// The repository.
        path: PathBuf,
        /// The commit, in hexadecimal.
        commit: String,
        /// What there are too many of.
        what: &'static str,
    },
    /// The ignore files below the root have too many patterns.
    #[error("the ignore files below {} have more than {most} patterns; name a directory below it, or shorten them", path.display())]
    TooManyPatterns {
        /// The root.
        path: PathBuf,
        /// The maximum.
        most: u64,
    },
    /// The root would be the whole file system or home directory, without being named explicitly.
    #[error("{} is too broad to index by default; pass the project's directory, or this one explicitly", path.display())]
    TooBroad {
        /// The path.
        path: PathBuf,
    },
    /// No thread can be started.
    #[error(
        "cannot start a thread: {source}; end other programs, or raise the limits of processes (`ulimit -u`) and memory (`ulimit -v`)"
    )]
    Threads {
        /// The error of the operating system.
        source: io::Error,
    },
    /// Neither an override nor the environment names a directory for indexes.
    #[error("there is no home or cache directory for the index; set FOREWORD_INDEX_DIR")]
    NoIndexDir,
    /// The caller cancelled the walk or the synchronisation. There is no partial result, because missing files would mean
    /// deletions.
    #[error("reading {} was cancelled; run it again", path.display())]
    Cancelled {
        /// The root of the walk.
        path: PathBuf,
    },
    /// The process or the system has too many open files.
    #[error("cannot read {}: too many open files; raise the limit (`ulimit -n 1024`) and try again", path.display())]
    TooManyOpenFiles {
        /// The path being read.
        path: PathBuf,
    },
    /// Any other error of the operating system.
    #[error("cannot read {}: {source}", path.display())]
    Io {
        /// The path being read.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
}

impl LoadError {
    /// Converts an error of the operating system about `path`.
    pub fn from_io(path: &Path, source: io::Error) -> Self {
        let path = path.to_path_buf();
        if is_too_many_open(&source) {
            return Self::TooManyOpenFiles { path };
        }
        match source.kind() {
            io::ErrorKind::NotFound => Self::NotFound { path },
            io::ErrorKind::PermissionDenied => Self::PermissionDenied { path },
            io::ErrorKind::NotADirectory => Self::NotADirectory { path },
            _ => Self::Io { path, source },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_names_the_path_and_the_remedy() {
        let error = LoadError::from_io(Path::new("/no/where"), io::ErrorKind::NotFound.into());
        let message = error.to_string();
        assert!(message.contains("/no/where") && message.contains("check"), "{message}");
    }

    #[test]
    fn an_unusual_error_keeps_its_cause() {
        let error = LoadError::from_io(Path::new("x"), io::Error::other("disk on fire"));
        assert!(error.to_string().contains("disk on fire"));
        assert!(std::error::Error::source(&error).is_some());
    }
}
