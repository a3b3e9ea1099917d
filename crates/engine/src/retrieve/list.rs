//! The ranked list of a signal.

use crate::evidence::{Reason, Signal};
use crate::index::ChunkId;

/// A chunk on a list.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// The chunk.
    pub chunk: ChunkId,
    /// The definition that was found, by number in its file; `None` if the chunk itself was found.
    pub definition: Option<u32>,
    /// The signal's own score; comparable within its list only.
    pub score: f32,
    /// Why.
    pub reason: Reason,
}

/// The hits of one signal, best first; ties by (path, start).
#[derive(Clone, Debug, PartialEq)]
pub struct RankedList {
    /// The signal.
    pub signal: Signal,
    /// Best first.
    pub hits: Vec<Hit>,
}
