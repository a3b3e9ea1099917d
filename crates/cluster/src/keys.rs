//! Identifiers of documents, terms as names of features, and contents as text: in the clear, or with a key of the user's.

use std::fmt;

use base64::Engine as _;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{
    GeneralPurpose, GeneralPurposeConfig, STANDARD, URL_SAFE_NO_PAD,
};
use foreword_engine::source::ContentHash;
use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};

use crate::error::ClusterError;

/// Bytes of a hashed term. With 9, two of 10^8 different terms are alike with a probability of 1 in 10^6.
const TERM_BYTES: usize = 9;

/// Fewest bytes of a secret: those of `openssl rand -hex 16`.
const LEAST_SECRET: usize = 32;

/// Base64 of contents: a document has it with padding, as it was sent, a value beside one without.
const CONTENTS: GeneralPurpose = GeneralPurpose::new(
    &base64::alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// A key with which terms and identifiers are hashed, and contents encrypted, before they are sent to a cluster.
///
/// Contents are sealed with ChaCha20-Poly1305. Each document has its own key, which its identifier and the user's secret
/// give, so no document can take another's place. Its nonce is a hash of the contents with that secret: a repeated push
/// sends the same bytes, and different contents never share a nonce.
#[derive(Clone)]
pub struct ClusterKey {
    hashing: [u8; 32],
    sealing: [u8; 32],
    id: String,
}

impl ClusterKey {
    /// The key of a secret of at least 32 bytes, without white space around it.
    ///
    /// # Errors
    /// [`ClusterError::ShortKey`] for a shorter one.
    pub fn of_secret(secret: &[u8]) -> Result<Self, ClusterError> {
        let secret = secret.trim_ascii();
        if secret.len() < LEAST_SECRET {
            return Err(ClusterError::ShortKey { bytes: secret.len(), least: LEAST_SECRET });
        }
        let derive = |purpose: &str| {
            blake3::derive_key(&format!("foreword 2026-11 cluster, {purpose}"), secret)
        };
        Ok(Self {
            hashing: derive("identifiers and terms"),
            sealing: derive("contents"),
            id: URL_SAFE_NO_PAD.encode(&derive("name of the key")[..6]),
        })
    }

    /// Tells the key from others, and nothing about the secret: eight characters.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The key of one document.
    fn of_document(&self, id: &str) -> LessSafeKey {
        let key = blake3::keyed_hash(&self.sealing, id.as_bytes());
        let key = UnboundKey::new(&CHACHA20_POLY1305, key.as_bytes());
        LessSafeKey::new(key.expect("a hash has the length of a key"))
    }

    /// The nonce, and the contents sealed with it.
    fn seal(&self, id: &str, contents: &[u8]) -> Vec<u8> {
        let mut hasher = blake3::Hasher::new_keyed(&self.sealing);
        hasher.update(id.as_bytes()).update(b"\0").update(contents);
        let mut nonce = [0; NONCE_LEN];
        hasher.finalize_xof().fill(&mut nonce);
        let mut sealed = contents.to_vec();
        let nonce_used = Nonce::assume_unique_for_key(nonce);
        self.of_document(id)
            .seal_in_place_append_tag(nonce_used, Aad::empty(), &mut sealed)
            .expect("a file has less than 256 GB");
        [&nonce[..], &sealed].concat()
    }

    /// The contents; `None` if they were changed, or sealed with another key or for another document.
    fn open(&self, id: &str, sealed: &[u8]) -> Option<Vec<u8>> {
        let (nonce, sealed) = sealed.split_first_chunk::<NONCE_LEN>()?;
        let mut contents = sealed.to_vec();
        let nonce = Nonce::assume_unique_for_key(*nonce);
        let key = self.of_document(id);
        let length = key.open_in_place(nonce, Aad::empty(), &mut contents).ok()?.len();
        contents.truncate(length);
        Some(contents)
    }
}

impl fmt::Debug for ClusterKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClusterKey").field("id", &self.id).finish_non_exhaustive()
    }
}

/// The form of what is on the cluster: in the clear, or with a key.
#[derive(Clone, Debug, Default)]
pub(crate) struct Storage {
    pub(crate) key: Option<ClusterKey>,
}

impl Storage {
    /// Tells the key from others; `None` without one.
    pub(crate) fn key_id(&self) -> Option<&str> {
        self.key.as_ref().map(ClusterKey::id)
    }

    fn hasher(&self) -> blake3::Hasher {
        match &self.key {
            Some(it) => blake3::Hasher::new_keyed(&it.hashing),
            None => blake3::Hasher::new(),
        }
    }

    /// The name of the feature of a term or name. Names of features may not contain dots, and the text of a term need not
    /// be on the cluster.
    pub(crate) fn feature(&self, term: &str) -> String {
        let hash = self.hasher().update(term.as_bytes()).finalize();
        URL_SAFE_NO_PAD.encode(&hash.as_bytes()[..TERM_BYTES])
    }

    /// The document of a file: by repository, path, content, and the version of the analysis.
    pub(crate) fn file_id(
        &self,
        repository: &str,
        path: &str,
        hash: ContentHash,
        fingerprint: u32,
    ) -> String {
        let parts =
            [b"file", repository.as_bytes(), path.as_bytes(), &hash.0, &fingerprint.to_le_bytes()];
        id(self.hasher(), &parts)
    }

    /// The document of a file's precise facts: by repository and content.
    pub(crate) fn facts_id(&self, repository: &str, bytes: &[u8]) -> String {
        id(self.hasher(), &[b"facts", repository.as_bytes(), bytes])
    }

    /// The name of the feature of files that define a name, by their precise facts.
    pub(crate) fn feature_of_defined(&self, name: &str) -> String {
        self.feature(&format!("\0defines {name}"))
    }

    /// The document of a page: by repository and content.
    pub(crate) fn page_id(&self, repository: &str, bytes: &[u8]) -> String {
        id(self.hasher(), &[b"page", repository.as_bytes(), bytes])
    }

    /// Contents as the binary field of a document has them.
    pub(crate) fn encode(&self, id: &str, contents: &[u8]) -> String {
        match &self.key {
            Some(it) => STANDARD.encode(it.seal(id, contents)),
            None => STANDARD.encode(contents),
        }
    }

    /// The contents of the binary field of a document.
    pub(crate) fn decode(&self, id: &str, text: &str) -> Option<Vec<u8>> {
        let bytes = CONTENTS.decode(text).ok()?;
        match &self.key {
            Some(it) => it.open(id, &bytes),
            None => Some(bytes),
        }
    }
}

/// The document of a repository. Its name is on the cluster, since rights are rules about names.
pub(crate) fn repository_id(repository: &str) -> String {
    id(blake3::Hasher::new(), &[b"repository", repository.as_bytes()])
}

fn id(mut hasher: blake3::Hasher, parts: &[&[u8]]) -> String {
    for part in parts {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    URL_SAFE_NO_PAD.encode(&hasher.finalize().as_bytes()[..16])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keyed(secret: &str) -> Storage {
        Storage { key: Some(ClusterKey::of_secret(secret.as_bytes()).unwrap()) }
    }

    #[test]
    fn parts_of_identifiers_do_not_run_together() {
        let (hash, clear) = (ContentHash::of(b"text"), Storage::default());
        assert_ne!(clear.file_id("a", "b/c", hash, 1), clear.file_id("ab", "/c", hash, 1));
        assert_ne!(clear.file_id("a", "b", hash, 1), clear.file_id("a", "b", hash, 2));
        assert_ne!(clear.page_id("a", b"b"), clear.page_id("b", b"b"));
    }

    #[test]
    fn a_feature_has_no_dot_and_no_text() {
        let feature = Storage::default().feature("a.secret.name");
        assert!(!feature.contains('.') && !feature.contains("secret"), "{feature}");
        assert_eq!(feature.len(), 12);
    }

    #[test]
    fn keys_give_other_names_and_contents() {
        let [one, other] = ["1", "2"].map(|it| keyed(&it.repeat(64)));
        let clear = Storage::default();
        let all = [&clear, &one, &other];
        let names: Vec<[String; 3]> = all
            .map(|it| [it.feature("order"), it.page_id("a", b"b"), it.encode("id", b"text")])
            .into();
        for n in 0..3 {
            assert!(names[0][n] != names[1][n] && names[1][n] != names[2][n], "{names:?}");
        }
        assert_ne!(one.key_id(), other.key_id());
        assert_eq!(format!("{one:?}").matches("11").count(), 0);
    }

    #[test]
    fn contents_open_with_their_key_for_their_document_alone() {
        let one = keyed(&"1".repeat(64));
        let sealed = one.encode("id", b"fn cancel_order()");
        assert_eq!(one.encode("id", b"fn cancel_order()"), sealed, "a repeated push is the same");
        assert_eq!(one.decode("id", &sealed).unwrap(), b"fn cancel_order()");
        assert_eq!(one.decode("id", sealed.trim_end_matches('=')).unwrap(), b"fn cancel_order()");
        assert_eq!(one.decode("other", &sealed), None);
        assert_eq!(keyed(&"2".repeat(64)).decode("id", &sealed), None);
        let mut bytes = STANDARD.decode(&sealed).unwrap();
        for at in 0..bytes.len() {
            bytes[at] ^= 1;
            assert_eq!(one.decode("id", &STANDARD.encode(&bytes)), None, "byte {at}");
            bytes[at] ^= 1;
        }
        assert_eq!(one.decode("id", ""), None);
        assert_ne!(&sealed[..16], &one.encode("id", b"fn cancel_orders()")[..16], "nonces");
    }

    #[test]
    fn a_secret_has_32_bytes() {
        let secret = "0123456789abcdef0123456789abcdef";
        let id = |it: &str| ClusterKey::of_secret(it.as_bytes()).map(|it| it.id().to_owned());
        assert_eq!(id(secret).unwrap(), id(&format!("{secret}\n")).unwrap());
        let error = id(&secret[1..]).unwrap_err().to_string();
        assert!(error.contains("31 bytes") && error.contains("openssl rand"), "{error}");
    }
}
