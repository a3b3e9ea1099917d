//! The index directory: segments, one manifest for each view, one writer.
//!
//! Every file is written under another name, flushed to the disk, then renamed: a crash at any instant leaves the old
//! manifest with its segments. What cannot be read back counts as absent, and is rebuilt (`recovery`).

mod compaction;
mod directory;
mod durable;
mod error;
mod known_files;
mod reader;
mod recovery;
#[cfg(test)]
mod tests;
mod writer;

pub use directory::{INDEX_TAG, OtherStore};
pub(crate) use durable::{try_lock, write_file};
pub use error::StoreError;
pub use known_files::KnownFiles;
pub use reader::Store;
pub use recovery::{Check, UsableView};
pub use writer::Writer;
