//! The last answer about next edits, which is repeated while nothing has changed.

use std::sync::Arc;

use foreword_engine::index::Snapshot;
use foreword_session::answer::next::LikelyPlace;
use foreword_session::host::Repository;

/// The places, likeliest first, and what they were found in.
pub(super) struct NextEdits {
    pub(super) repository: Arc<Repository>,
    pub(super) snapshot: Arc<Snapshot>,
    pub(super) places: Vec<LikelyPlace>,
    /// Number of changes before, and the cursor if it counted.
    pub(super) time: (u64, Option<(String, u32)>),
}
