//! Arguments and results of a snapshot's methods.

use foreword_chunk::Kind;

use crate::index::ids::{ChunkId, FileId};
use crate::source::Source;

/// A change to a snapshot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// Writes this text to the file.
    Write(Source),
    /// Removes the file.
    Remove(String),
}

/// Data of a chunk that does not need its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChunkInfo {
    /// First byte.
    pub start: u32,
    /// End byte, exclusive.
    pub end: u32,
    /// First line, 1-based.
    pub start_line: u32,
    /// Last line, 1-based, inclusive.
    pub end_line: u32,
    /// Kind of the definition that titles the chunk.
    pub kind: Option<Kind>,
}

/// Where a name is defined; ordered by path and position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DefinitionSite {
    /// The file.
    pub file: FileId,
    /// Index of the definition in the file.
    pub definition: u32,
    /// Index of the chunk that contains its name.
    pub chunk: u32,
    /// Its kind.
    pub kind: Kind,
}

impl DefinitionSite {
    /// The chunk that contains its name.
    pub fn chunk_id(&self) -> ChunkId {
        ChunkId { file: self.file, idx: self.chunk }
    }
}

/// Totals over all chunks of a snapshot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Files.
    pub files: u32,
    /// Chunks.
    pub chunks: u32,
    /// Bytes of text.
    pub bytes: u64,
    /// Lines of text.
    pub lines: u64,
    /// Terms by field.
    pub lengths: [u64; 4],
}

impl Totals {
    pub(super) fn add(&mut self, other: &Self) {
        self.files += other.files;
        self.chunks += other.chunks;
        self.bytes += other.bytes;
        self.lines += other.lines;
        self.lengths.iter_mut().zip(other.lengths).for_each(|(sum, length)| *sum += length);
    }

    /// Undoes [`Self::add`].
    pub(super) fn subtract(&mut self, other: &Self) {
        self.files -= other.files;
        self.chunks -= other.chunks;
        self.bytes -= other.bytes;
        self.lines -= other.lines;
        self.lengths.iter_mut().zip(other.lengths).for_each(|(sum, length)| *sum -= length);
    }
}
