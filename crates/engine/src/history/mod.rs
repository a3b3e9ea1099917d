//! What the last commits changed, and which files change together.
//!
//! The values come from the caller, who reads the commits; here they are counted.

mod co_change;

pub use co_change::{CoChange, CoChangeConfig, Companion};

/// The last commits of a repository.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History {
    /// The latest first. Merges, and commits of which not all is known, are not among them.
    pub commits: Vec<PastCommit>,
    /// All paths in them, relative to the root, each once; they may not exist any more.
    pub paths: Vec<String>,
}

/// What a commit changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PastCommit {
    /// Its hash.
    pub id: [u8; 20],
    /// When it was committed, in seconds since 1970.
    pub time: i64,
    /// The files that it changed or added, by their numbers in [`History::paths`]; none where they are too many.
    pub files: Vec<u32>,
    /// How many files it changed, added and removed.
    pub n_files: u32,
    /// Files that it moved: the old path, then the new one.
    pub moves: Vec<(u32, u32)>,
}
