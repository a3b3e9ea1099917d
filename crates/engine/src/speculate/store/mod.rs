//! Plans on disk, beside the index: one file for each view and planner, to which frames of plans are appended.
//!
//! ```text
//! plans/VIEW.PLANNER.plans   frames, one after another: a header (`frame`), then zstd of bitcode of the plans
//! plans/VIEW.PLANNER.lock    locked by the kernel while a process writes
//! ```
//!
//! Of two plans for the same text of a file the later one counts. Reading ends at the first frame that is damaged, or was cut
//! off by a crash or a full disk; the next writer overwrites it. Plans are a cache: lost plans are made again.

mod frame;
mod reader;
#[cfg(test)]
mod tests;
mod writer;

use std::path::{Path, PathBuf};

pub use reader::Plans;
pub use writer::PlanWriter;

use super::plan::PlannerKey;
use crate::index::Store;

/// Location of the plans of one view.
#[derive(Clone, Debug)]
pub struct PlanStore {
    path: PathBuf,
    key: PlannerKey,
}

impl PlanStore {
    /// Names the plans that the planner with this key made of a view, in the directory of `store`. Touches no file.
    pub fn new(store: &Store, view: &str, key: PlannerKey) -> Self {
        let plain = |it: char| if it.is_ascii_alphanumeric() { it } else { '-' };
        let planner: String = key.name.chars().map(plain).collect();
        Self { path: store.dir().join("plans").join(format!("{view}.{planner}.plans")), key }
    }

    /// Path of the file, which need not exist.
    pub fn path(&self) -> &Path {
        &self.path
    }
}
