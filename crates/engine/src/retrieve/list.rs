//! A ranked list of one signal.

use crate::evidence::{Reason, Signal};
use crate::index::ChunkId;

/// A chunk on a ranked list.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// The chunk.
    pub chunk: ChunkId,
    /// Index of the matched definition in its file; `None` if the chunk itself matched.
    pub definition: Option<u32>,
    /// Score of this signal; comparable only within its list.
    pub score: f32,
    /// Why the chunk matched.
    pub reason: Reason,
}

/// Hits of one signal, best first; ties are broken by path and start.
#[derive(Clone, Debug, PartialEq)]
pub struct RankedList {
    /// The signal.
    pub signal: Signal,
    /// Hits, best first.
    pub hits: Vec<Hit>,
}
