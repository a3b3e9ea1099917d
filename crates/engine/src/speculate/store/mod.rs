//! Plans on the disk, beside the index: one file for each view and planner, to which frames of plans are appended.
//!
//! ```text
//! plans/VIEW.PLANNER.plans   frames, one after another: a header (`frame`), then zstd of bitcode of the plans
//! plans/VIEW.PLANNER.lock    locked by the kernel while a process writes
//! ```
//!
//! Of two plans of one file with the same text the later one counts. A frame that was cut off by a crash or a full disk,
//! or damaged, ends what is read; the next writer goes on there. Plans are a cache: whatever is lost is planned again.

mod frame;
mod packed;
mod reader;
#[cfg(test)]
mod tests;
mod writer;

use std::path::{Path, PathBuf};

pub use reader::Plans;
pub use writer::PlanWriter;

use super::plan::PlannerKey;
use crate::index::Store;

/// Where the plans of one view are.
#[derive(Clone, Debug)]
pub struct PlanStore {
    path: PathBuf,
    key: PlannerKey,
}

impl PlanStore {
    /// The plans of a view that a planner with this key made, in the directory of `store`. Nothing is read or made yet.
    pub fn new(store: &Store, view: &str, key: PlannerKey) -> Self {
        let plain = |it: char| if it.is_ascii_alphanumeric() { it } else { '-' };
        let planner: String = key.name.chars().map(plain).collect();
        Self { path: store.dir().join("plans").join(format!("{view}.{planner}.plans")), key }
    }

    /// The file, which need not exist.
    pub fn path(&self) -> &Path {
        &self.path
    }
}
