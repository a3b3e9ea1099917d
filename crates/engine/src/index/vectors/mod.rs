//! Vectors of chunks by the user's embedder: one file per embedder beside the segments, which do not refer to it.
//!
//! ```text
//! vectors/MODEL-HASH.vectors   records, one after another (`format`)
//! vectors/MODEL-HASH.lock      locked by the kernel while a process writes
//! ```
//!
//! Vectors are keyed by their text, so text that an edit, a merge of segments or another branch leaves unchanged is not
//! embedded again. The vectors of a file's chunks are keyed by its path, content and chunker settings, so searching
//! reads no text. Records are only appended: a killed process loses its current batch. Another embedder has another
//! file, and the index is never touched. Versions of foreword share the file: differently chunked files have other
//! keys, and equal texts share vectors.

mod format;
mod reader;
mod rows;
mod text;
mod writer;

#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

pub use reader::Vectors;
pub use rows::Coverage;
pub use text::{TextKey, chunk_texts};
pub use writer::{PROBE, VectorWriter};

use super::checksum::checksum;
use super::store::Store;

/// Location of the vectors of an embedder.
#[derive(Clone, Debug)]
pub struct VectorStore {
    path: PathBuf,
    /// The index, whose views share the vectors.
    index: Option<Store>,
}

impl VectorStore {
    /// The vectors of an embedder in the directory of the workspace of `store`. Nothing is read or created yet.
    pub fn new(store: &Store, embedder: &str) -> Self {
        let vectors = Self::in_directory(&store.workspace_dir().join("vectors"), embedder);
        Self { index: Some(store.clone()), ..vectors }
    }

    /// The same in any directory.
    pub fn in_directory(dir: &Path, embedder: &str) -> Self {
        let plain = |it: char| if it.is_ascii_alphanumeric() { it } else { '-' };
        let title: String = embedder.chars().map(plain).take(40).collect();
        let hash = checksum(embedder.as_bytes());
        Self { path: dir.join(format!("{title}-{hash:016x}.vectors")), index: None }
    }

    /// The file, which need not exist.
    pub fn path(&self) -> &Path {
        &self.path
    }
}
