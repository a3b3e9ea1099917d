//! Which chunk of a snapshot has which vector.

use super::format::NONE;
use super::reader::Vectors;
use crate::index::ids::ChunkId;
use crate::index::snapshot::Snapshot;

/// How much of a snapshot has vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coverage {
    /// Chunks of the snapshot.
    pub chunks: usize,
    /// Those that were embedded, or that the embedder gives no vector for.
    pub known: usize,
}

impl Coverage {
    /// Whether nothing is missing.
    pub fn is_whole(self) -> bool {
        self.known >= self.chunks
    }

    /// The part that is known, 0 to 1.
    pub fn share(self) -> f32 {
        if self.is_whole() { 1.0 } else { self.known as f32 / self.chunks as f32 }
    }
}

/// The chunks with vectors, in the order of chunks.
pub(crate) struct ChunkRows {
    /// A chunk, and the number of its vector.
    pub(crate) rows: Vec<(ChunkId, u32)>,
    /// Chunks of files that were embedded, with a vector or without.
    pub(super) known: usize,
}

impl ChunkRows {
    pub(super) fn new(vectors: &Vectors, snapshot: &Snapshot) -> Self {
        let mut res = Self { rows: Vec::new(), known: 0 };
        for file in snapshot.files() {
            let rows = vectors.rows_of_file(snapshot, file).unwrap_or_default();
            res.known += rows.len();
            let chunks = (0..).zip(rows).filter(|it| *it.1 != NONE);
            res.rows.extend(chunks.map(|(idx, row)| (ChunkId { file, idx }, *row)));
        }
        res
    }
}
