//! Texts of chunks for embedders, and the keys of vectors.

use crate::index::config::IndexConfig;
use crate::index::ids::FileId;
use crate::index::snapshot::Snapshot;
use crate::source::ContentHash;

/// Identifies an embedded text: equal for equal texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TextKey(pub(super) u128);

impl TextKey {
    /// The key of a text.
    pub fn of(text: &str) -> Self {
        Self(hash_of(text.as_bytes()))
    }
}

/// Version of the texts of [`chunk_texts`].
const FORM_VERSION: u32 = 1;

/// Key of a file by its path, content and chunker settings.
pub(super) fn file_key(path: &str, hash: ContentHash, config: &IndexConfig) -> u128 {
    let mut bytes = path.as_bytes().to_vec();
    bytes.push(0);
    bytes.extend(hash.0);
    bytes.extend(config.fingerprint().to_le_bytes());
    bytes.extend(FORM_VERSION.to_le_bytes());
    hash_of(&bytes)
}

pub(super) fn hash_of(bytes: &[u8]) -> u128 {
    u128::from_le_bytes(ContentHash::of(bytes).0)
}

/// Texts of a file's chunks for an embedder, in order: path, titles, and code, with secrets masked. Without the path,
/// recall fell by 2.5 of 100, without the titles by 3.3, in published measurements.
pub fn chunk_texts(snapshot: &Snapshot, file: FileId) -> Vec<String> {
    let (text, record) = snapshot.contents(file);
    let path = snapshot.path(file);
    let of = |(idx, chunk): (u32, &foreword_chunk::Chunk)| {
        let code = text.get(chunk.span.range()).unwrap_or_default();
        let title = record.title_of(idx).map(|it| record.dotted_name(&text, it));
        let title = title.filter(|it| !it.is_empty()).map_or(String::new(), |it| it + "\n");
        format!("{path}\n{title}{}", code.trim())
    };
    (0..).zip(&record.chunks).map(of).collect()
}
