//! Settings and results of a walk.

use std::path::PathBuf;

use foreword_engine::secret::masked;

use crate::root::EntryType;
use crate::skip::SkippedPath;
use crate::stamp::Stamp;

/// Settings of a walk. [`WalkConfig::default`] reads nothing outside of the tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WalkConfig {
    /// Number of threads; 0 for the process-wide pool.
    pub threads: usize,
    /// Whether [`Walk::skipped`] includes ignored paths, hidden directories and version control storage. All others are
    /// always included.
    pub record_ignored: bool,
    /// The user's global git excludes: [`Environment::global_excludes`](crate::Environment::global_excludes).
    pub global_excludes: Option<PathBuf>,
    /// Rules of the user's configuration in `.gitignore` syntax, relative to the root. They override all files.
    pub rules: Vec<String>,
    /// Patterns of files that are not secrets although their names or contents look like it. Never taken from the tree:
    /// a repository must not be able to expose its users' secrets.
    pub not_secret: Vec<String>,
}

/// Whether a path is included by default or explicitly.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Inclusion {
    /// No rule excludes it.
    #[default]
    Default,
    /// `.forewordignore` or the caller includes it. This overrides the built-in rules: even minified or generated files
    /// are read.
    Explicit,
}

/// A file found by a walk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileEntry {
    /// Relative to the root, separated by `/`.
    pub path: String,
    /// Its metadata in the file system.
    pub stamp: Stamp,
    /// Whether it is included by default or explicitly.
    pub inclusion: Inclusion,
    /// Whether its secrets are masked.
    pub masking: Masking,
}

/// Whether secrets in a file are masked when it is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Masking {
    /// Secrets are masked.
    #[default]
    On,
    /// The user's configuration declares the file free of secrets: [`WalkConfig::not_secret`].
    Off,
}

impl Masking {
    /// The text, with its secrets masked if they are.
    pub fn apply(self, text: String) -> String {
        match self {
            Self::On => masked(text),
            Self::Off => text,
        }
    }
}

/// The result of a walk.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Walk {
    /// Files, sorted by the bytes of the path.
    pub files: Vec<FileEntry>,
    /// Skipped paths, sorted by the bytes of the path.
    pub skipped: Vec<SkippedPath>,
    /// The directories read, sorted; the root is the empty string. A watcher needs to watch only these.
    pub directories: Vec<String>,
}

/// The type of a path for rules that apply only to directories or only to files.
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
