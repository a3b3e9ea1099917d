//! Errors of the index directory.

use std::path::PathBuf;

use crate::index::segment::SegmentError;

/// An error of the index directory.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// It could not be read or written.
    #[error(
        "the index at {path} cannot be used: {source}; choose another place with --index-dir or FOREWORD_INDEX_DIR"
    )]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// A segment that was just written cannot be read.
    #[error("the index at {path} {source}")]
    Segment {
        /// The segment's file.
        path: PathBuf,
        /// The error of the segment.
        source: SegmentError,
    },
}
