//! The vectors of chunks by the user's embedder: a file for each embedder beside the segments, which no segment knows of.
//!
//! ```text
//! vectors/MODEL-HASH.vectors   records, one after another (`format`)
//! vectors/MODEL-HASH.lock      locked by the kernel while a process writes
//! ```
//!
//! A vector is kept by its text, so what an edit, a merge of segments, another branch or worktree leaves as it was is not
//! embedded again; which vectors the chunks of a file have is kept by the file's path, its content and the settings of the
//! chunker, so no text is read to search. Records are only appended: a process that dies loses the batch that it was at.
//! Another embedder has another file, and none of this touches the index. Versions of foreword share the file: what is cut
//! otherwise by one of them is another file to it, and the texts that stay the same have their vectors.

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
}

impl VectorStore {
    /// The vectors of an embedder in the directory of the workspace of `store`. Nothing is read or created yet.
    pub fn new(store: &Store, embedder: &str) -> Self {
        Self::in_directory(&store.workspace_dir().join("vectors"), embedder)
    }

    /// The same in any directory.
    pub fn in_directory(dir: &Path, embedder: &str) -> Self {
        let plain = |it: char| if it.is_ascii_alphanumeric() { it } else { '-' };
        let title: String = embedder.chars().map(plain).take(40).collect();
        let hash = checksum(embedder.as_bytes());
        Self { path: dir.join(format!("{title}-{hash:016x}.vectors")) }
    }

    /// The file, which need not exist.
    pub fn path(&self) -> &Path {
        &self.path
    }
}
