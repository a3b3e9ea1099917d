//! The index directory: segments, one manifest per view, one writer.
//!
//! Every file is written to another name, flushed to disk, then renamed: after a crash, the old manifest and its
//! segments are intact. Unreadable data counts as absent and is rebuilt (`recovery`).

mod compaction;
mod directory;
mod durable;
mod error;
mod known_files;
mod reader;
mod recovery;
mod stored_index;
#[cfg(test)]
mod tests;
mod usable_view;
mod writer;

pub use directory::{INDEX_TAG, OtherStore};
pub(crate) use durable::{try_lock, write_file};
pub use error::StoreError;
pub use known_files::KnownFiles;
pub use reader::Store;
pub use stored_index::StoredIndex;
pub use usable_view::{Check, UsableView};
pub use writer::Writer;
