//! The values that a snapshot takes and returns.

use foreword_chunk::Kind;

use crate::index::ids::{ChunkId, FileId};
use crate::source::Source;

/// A change to a snapshot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// The file has this text now.
    Write(Source),
    /// The file no longer exists.
    Remove(String),
}

/// What is known of a chunk without reading its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChunkInfo {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// First line, 1-based.
    pub start_line: u32,
    /// Last line, 1-based, inclusive.
    pub end_line: u32,
    /// The kind of the definition that names the chunk.
    pub kind: Option<Kind>,
}

/// Where a name is defined. Sites order as (path, place) does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DefinitionSite {
    /// The file.
    pub file: FileId,
    /// The number of the definition in the file.
    pub definition: u32,
    /// The number of the chunk that holds its name.
    pub chunk: u32,
    /// Its kind.
    pub kind: Kind,
}

impl DefinitionSite {
    /// The chunk that holds its name.
    pub fn chunk_id(&self) -> ChunkId {
        ChunkId { file: self.file, idx: self.chunk }
    }
}

/// Sums over all chunks of a snapshot.
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
