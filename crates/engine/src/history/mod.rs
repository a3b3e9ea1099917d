//! The last commits as values, and which files change together.
//!
//! The caller reads the commits.

mod co_change;

pub use co_change::{CoChange, CoChangeConfig, Companion};

/// The last commits of a repository.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History {
    /// The latest first, without merges and commits that are not fully known.
    pub commits: Vec<PastCommit>,
    /// All paths in them, relative to the root, each once; they may no longer exist.
    pub paths: Vec<String>,
}

/// A commit and its changes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PastCommit {
    /// Its hash.
    pub id: [u8; 20],
    /// Commit time, in seconds since 1970.
    pub time: i64,
    /// Changed and added files, by number in [`History::paths`]; empty where there are too many.
    pub files: Vec<u32>,
    /// Number of changed, added and removed files.
    pub n_files: u32,
    /// Moved files: the old path, then the new one.
    pub moves: Vec<(u32, u32)>,
}
