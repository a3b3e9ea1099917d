//! Keeps messages on disk while they wait.

use std::path::PathBuf;

/// What is kept and for how long.
#[derive(Clone, Debug)]
pub struct Policy {
    pub dir: PathBuf,
    pub max_bytes: u64,
    pub keep_days: u32,
}

impl Policy {
    /// Keeps everything for ten days below `dir`.
    pub fn below(dir: PathBuf, max_bytes: u64) -> Self {
        Self { dir, max_bytes, keep_days: 10 }
    }
}
