//! How a tree is walked, and what a walk returns.

use std::path::PathBuf;

use crate::root::EntryType;
use crate::skip::SkippedPath;
use crate::stamp::Stamp;

/// How a tree is walked. [`WalkConfig::default`] reads nothing outside of the tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WalkConfig {
    /// Threads; 0 takes the process-wide pool.
    pub threads: usize,
    /// Whether [`Walk::skipped`] lists paths that an ignore file excludes, hidden directories and storage of version
    /// control; it always lists all others.
    pub record_ignored: bool,
    /// The user's global git excludes: [`Environment::global_excludes`](crate::Environment::global_excludes).
    pub global_excludes: Option<PathBuf>,
    /// Rules of the user's configuration in the syntax of `.gitignore`, relative to the root; they override all files.
    pub rules: Vec<String>,
    /// Patterns of files that are not secrets although their names or their contents match the rules. Never taken from the tree itself: a
    /// repository must not be able to expose what its users keep in it.
    pub not_secret: Vec<String>,
}

/// Whether a path is included by default or explicitly.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Inclusion {
    /// No rule excludes it.
    #[default]
    Default,
    /// `.forewordignore` or the caller includes it, which overrides the built-in rules: it is read even if it is minified
    /// or generated.
    Explicit,
}

/// A file that a walk found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileEntry {
    /// Relative to the root, `/`-separated.
    pub path: String,
    /// Its metadata in the file system.
    pub stamp: Stamp,
    /// Whether it is in by default or by an explicit rule.
    pub inclusion: Inclusion,
    /// Whether secrets in it are masked.
    pub masking: Masking,
}

/// Whether secrets in a file are masked when it is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Masking {
    /// They are.
    #[default]
    On,
    /// The user's configuration says that the file holds none: [`WalkConfig::not_secret`].
    Off,
}

/// The result of a walk.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Walk {
    /// The files, sorted by the bytes of the path.
    pub files: Vec<FileEntry>,
    /// What was skipped, sorted by the bytes of the path.
    pub skipped: Vec<SkippedPath>,
    /// The directories that were read, sorted; the root is the empty string. A watcher needs to watch only these.
    pub directories: Vec<String>,
}

/// Whether a path is a directory: some rules are only for directories, others only for files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EntryKind {
    Directory,
    /// A file, a link or something special.
    Other,
}

impl EntryKind {
    pub(super) fn of(entry: EntryType) -> Self {
        if entry == EntryType::Directory { Self::Directory } else { Self::Other }
    }

    pub(super) fn is_dir(self) -> bool {
        self == Self::Directory
    }
}
