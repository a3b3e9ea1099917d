//! Errors of reading a SCIP index.

use std::io;

use crate::index::store::StoreError;

/// A SCIP index cannot be used. Nothing of it was taken, and what was known before is kept.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ScipError {
    /// It cannot be read.
    #[error("it cannot be read: {0}")]
    Io(#[from] io::Error),
    /// It ends too early.
    #[error(
        "it ends inside {field} at byte {at}, so it was not written to its end; run the indexer again"
    )]
    Truncated {
        /// The field.
        field: &'static str,
        /// Where the field begins.
        at: u64,
    },
    /// A field is longer than what is read.
    #[error(
        "{field} at byte {at} claims {bytes} bytes, and at most {most} are read; run the indexer again, or on a part of the repository"
    )]
    TooLong {
        /// The field.
        field: &'static str,
        /// Where the field begins.
        at: u64,
        /// Its length as written.
        bytes: u64,
        /// The most that is read.
        most: u64,
    },
    /// It is no SCIP.
    #[error(
        "{field} at byte {at} is not SCIP; give the file that a SCIP indexer wrote (not LSIF, nothing compressed)"
    )]
    Invalid {
        /// The field.
        field: &'static str,
        /// Where the field begins.
        at: u64,
    },
    /// No file is described.
    #[error("it has no document; run the indexer again, and look at its messages")]
    Empty,
    /// It is too large as a whole.
    #[error("it has more than {0} occurrences; run the indexer on parts of the repository")]
    TooMany(usize),
    /// Another process imports.
    #[error("another process imports a SCIP index into this one; try again")]
    Busy,
    /// The facts cannot be written.
    #[error(transparent)]
    Store(#[from] StoreError),
}
