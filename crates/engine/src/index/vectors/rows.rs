//! The vectors of a snapshot's chunks.

use super::format::NONE;
use crate::index::ids::{ChunkId, FileId};
use crate::index::snapshot::Snapshot;

/// Share of a snapshot that has vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coverage {
    /// Chunks of the snapshot.
    pub chunks: usize,
    /// Embedded chunks, including those without a vector.
    pub known: usize,
}

impl Coverage {
    /// Whether all chunks were embedded.
    pub fn is_whole(self) -> bool {
        self.known >= self.chunks
    }

    /// Share of embedded chunks, 0 to 1.
    pub fn share(self) -> f32 {
        if self.is_whole() { 1.0 } else { self.known as f32 / self.chunks as f32 }
    }
}

/// Chunks with vectors, in order.
pub(crate) struct ChunkRows {
    /// Chunks with the numbers of their vectors.
    pub(crate) rows: Vec<(ChunkId, u32)>,
    /// Chunks of embedded files, with or without a vector.
    pub(super) known: usize,
}

impl ChunkRows {
    /// `rows_of` returns the numbers of the vectors of a file's chunks, if the file was embedded.
    pub(super) fn new<'v>(
        snapshot: &Snapshot,
        rows_of: impl Fn(FileId) -> Option<&'v [u32]>,
    ) -> Self {
        let mut res = Self { rows: Vec::new(), known: 0 };
        for file in snapshot.files() {
            let rows = rows_of(file).unwrap_or_default();
            res.known += rows.len();
            let chunks = (0..).zip(rows).filter(|it| *it.1 != NONE);
            res.rows.extend(chunks.map(|(idx, row)| (ChunkId { file, idx }, *row)));
        }
        res
    }
}
