//! The last answer about next edits, which is repeated while nothing has changed.

use std::sync::{Arc, Mutex};

use foreword_engine::index::Snapshot;
use foreword_session::answer::next::LikelyPlace;
use foreword_session::host::Repository;

/// The places, likeliest first, and what they were found in.
pub(super) struct NextEdits {
    pub(super) repository: Arc<Repository>,
    pub(super) snapshot: Arc<Snapshot>,
    /// The snapshot with what was edited in this session, where git does not know.
    pub(super) edited: Arc<Snapshot>,
    /// The last answer of the next-edit model: where it was asked, and the place with its edit.
    pub(super) model: Mutex<Option<ModelAnswer>>,
    pub(super) places: Vec<LikelyPlace>,
    /// Number of changes before, and the cursor if it counted.
    pub(super) time: (u64, Option<(String, u32)>),
}

/// An answer of the next-edit model.
pub(super) struct ModelAnswer {
    pub(super) path: String,
    /// The place that it was asked for, with the edit; `None` where it would change nothing.
    pub(super) place: Option<Arc<LikelyPlace>>,
}
