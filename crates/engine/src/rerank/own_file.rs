//! The cursor's own file among the candidates.

use crate::evidence::Feature;
use crate::fuse::Candidate;
use crate::index::{ChunkId, FileId, FileRole, Snapshot};
use crate::scope::Cursor;

/// How the cursor's own file differs from others; nothing differs for questions.
#[derive(Default)]
pub(super) struct OwnFile {
    file: Option<FileId>,
    /// The chunk at the cursor. It matches its own words best and is never shown, so it is no hit of the file.
    at_cursor: Option<ChunkId>,
    is_test: bool,
}

impl OwnFile {
    pub(super) fn of(snapshot: &Snapshot, cursor: &Cursor) -> Self {
        let Some(file) = snapshot.file(cursor.path()) else { return Self::default() };
        let at = cursor.offset();
        let mut chunks = (0..snapshot.chunks(file).len() as u32).map(|idx| ChunkId { file, idx });
        let holds = |it: &ChunkId| {
            let info = snapshot.chunk(*it);
            (info.start as usize..=info.end as usize).contains(&at)
        };
        let is_test = snapshot.role(file) == FileRole::Test;
        Self { file: Some(file), at_cursor: chunks.find(holds), is_test }
    }

    /// Marks the file's other chunks.
    pub(super) fn mark(&self, candidates: &mut [Candidate]) {
        for it in candidates.iter_mut().filter(|it| self.counts(it.chunk)) {
            let is_own = Some(it.chunk.file) == self.file;
            it.features.set(Feature::OwnFile, f32::from(u8::from(is_own)));
        }
    }

    /// Whether the chunk counts as a hit of its file.
    pub(super) fn counts(&self, chunk: ChunkId) -> bool {
        Some(chunk) != self.at_cursor
    }

    /// Whether later hits of the chunk's file are demoted. Several parts of the own file are often needed at once, but a
    /// test file mostly repeats itself. `benchmarks/results/cursor.md`, "The cursor's own file".
    pub(super) fn is_demoted(&self, chunk: ChunkId) -> bool {
        self.counts(chunk) && (self.is_test || Some(chunk.file) != self.file)
    }
}
