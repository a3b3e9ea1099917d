//! Identifiers of documents, and terms as names of features.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use foreword_engine::source::ContentHash;

/// Bytes of a hashed term. With 9, two of 10^8 different terms are alike with a probability of 1 in 10^6.
const TERM_BYTES: usize = 9;

/// The name of the feature of a term or name. Names of features may not contain dots, and the text of a term need not
/// be on the cluster.
pub(crate) fn feature(term: &str) -> String {
    URL_SAFE_NO_PAD.encode(&blake3::hash(term.as_bytes()).as_bytes()[..TERM_BYTES])
}

/// The document of a file: by repository, path, content, and the version of the analysis.
pub(crate) fn file_id(repository: &str, path: &str, hash: ContentHash, fingerprint: u32) -> String {
    id(&[b"file", repository.as_bytes(), path.as_bytes(), &hash.0, &fingerprint.to_le_bytes()])
}

/// The document of a page: by repository and content.
pub(crate) fn page_id(repository: &str, bytes: &[u8]) -> String {
    id(&[b"page", repository.as_bytes(), bytes])
}

/// The document of a repository.
pub(crate) fn repository_id(repository: &str) -> String {
    id(&[b"repository", repository.as_bytes()])
}

fn id(parts: &[&[u8]]) -> String {
    let mut hasher = blake3::Hasher::new();
    for part in parts {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    URL_SAFE_NO_PAD.encode(&hasher.finalize().as_bytes()[..16])
}

/// Bytes as a binary field has them.
pub(crate) fn encode(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

/// The bytes of a binary field.
pub(crate) fn decode(text: &str) -> Option<Vec<u8>> {
    STANDARD.decode(text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_identifiers_do_not_run_together() {
        let hash = ContentHash::of(b"text");
        assert_ne!(file_id("a", "b/c", hash, 1), file_id("ab", "/c", hash, 1));
        assert_ne!(file_id("a", "b", hash, 1), file_id("a", "b", hash, 2));
        assert_ne!(page_id("a", b"b"), page_id("b", b"b"));
    }

    #[test]
    fn a_feature_has_no_dot_and_no_text() {
        let feature = feature("a.secret.name");
        assert!(!feature.contains('.') && !feature.contains("secret"), "{feature}");
        assert_eq!(feature.len(), 12);
    }
}
