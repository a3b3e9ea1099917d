//! The numbers and names by which files, chunks and segments are referred to.

use bitcode::{Decode, Encode};

/// A file of a snapshot: its rank in the order of paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub u32);

/// A chunk of a snapshot. Chunks order as (path, start) does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChunkId {
    /// The file.
    pub file: FileId,
    /// The number of the chunk in the file.
    pub idx: u32,
}

/// Identifies a segment by its content: the checksum of its footer, which holds the checksum of every block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
pub struct SegmentId(pub(super) u64);

impl SegmentId {
    pub(super) fn file_name(self) -> String {
        format!("{:016x}.segment", self.0)
    }
}

/// Where a file is stored: the number of its segment in the manifest, and its number in that segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub struct FileLocation {
    /// Which of the manifest's segments.
    pub segment: u32,
    /// Which of the segment's files.
    pub ord: u32,
}
