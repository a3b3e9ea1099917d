//! Why git's data are not read, or only in part.

use std::path::PathBuf;

/// Why git's data are not read, or only in part. Each message names the file and the remedy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GitProblem {
    /// `.git` leads out of the work tree, to a directory that does not name it as its work tree.
    #[error("{} leads to {}, which does not name it as its work tree, so it may belong to another repository; for a moved work tree run `git worktree repair`, else `git config core.worktree {}` in that directory", link.display(), target.display(), work_tree.display())]
    NotItsWorkTree {
        /// The file or link `.git`.
        link: PathBuf,
        /// The directory it leads to.
        target: PathBuf,
        /// The top of the work tree.
        work_tree: PathBuf,
    },
    /// `commondir` leads to a repository that did not make this work tree.
    #[error("{} leads to {}, which has no such work tree; remove the file, or make the work tree with `git worktree add`", file.display(), target.display())]
    NotItsRepository {
        /// The file `commondir`.
        file: PathBuf,
        /// The directory it names.
        target: PathBuf,
    },
    /// An alternate object directory outside of the repository.
    #[error("objects/info/alternates leads out of the repository, to {}; list that directory in `git_alternates` of config.toml to allow it, or copy its objects with `git repack -a -d` and remove the file", path.display())]
    Alternate {
        /// The directory.
        path: PathBuf,
    },
    /// A file or directory of git cannot be opened, or is a link.
    #[error("cannot read {}: {error}", path.display())]
    Unreadable {
        /// The path.
        path: PathBuf,
        /// The error of the operating system.
        error: String,
    },
    /// A file of git is larger than any that git writes for a repository of this kind.
    #[error("{} is larger than {most} bytes", path.display())]
    TooLarge {
        /// The path.
        path: PathBuf,
        /// Maximum number of bytes.
        most: u64,
    },
    /// Directories contain one another too deeply, or are too large.
    #[error("the directories of a commit are too large or too deep; `git fsck` checks them")]
    TooDeep,
    /// The objects take too much work.
    #[error(
        "git's objects take too much work to read, so older ones are left out; `git gc` packs them better"
    )]
    TooMuchWork,
    /// A commit with more parents than are followed.
    #[error("commit {commit} has {parents} parents, of which only the first hundred are followed")]
    TooManyParents {
        /// The commit, in hexadecimal.
        commit: String,
        /// Number of parents.
        parents: usize,
    },
    /// A repository with more packs than are read.
    #[error(
        "objects/pack has {count} packs, of which only the first 1024 are read; `git gc` joins them"
    )]
    TooManyPacks {
        /// Number of packs.
        count: usize,
    },
    /// The changed paths of the history take too much memory.
    #[error("the commits change too many files, so older commits are left out")]
    TooManyChanges,
}
