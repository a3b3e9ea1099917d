//! Identifiers of files, chunks and segments.

use bitcode::{Decode, Encode};

/// A file of a snapshot: its rank by path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub u32);

/// A chunk of a snapshot, ordered by path and start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChunkId {
    /// The file.
    pub file: FileId,
    /// Index of the chunk in the file.
    pub idx: u32,
}

/// Identifies a segment by its content: the checksum of its footer, which contains the checksums of all blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode)]
pub struct SegmentId(pub(super) u64);

impl SegmentId {
    pub(super) fn file_name(self) -> String {
        format!("{:016x}.segment", self.0)
    }
}

/// The location of a file: the index of its segment in the manifest, and its index in that segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Encode, Decode)]
pub struct FileLocation {
    /// Index of the segment in the manifest.
    pub segment: u32,
    /// Index of the file in the segment.
    pub ord: u32,
}
