//! Location of an embedding model: a server, or a file loaded into this process.

use std::path::PathBuf;
use std::time::Instant;

use super::EmbedRequest;
use crate::error::ModelError;
use crate::http::{Api, Server};

/// Location of an embedding model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EmbedderSource {
    /// Behind a server.
    Server {
        /// Its address.
        url: String,
        /// Protocol; detected if `None`.
        api: Option<Api>,
        /// Name of the model; the server's default if `None`.
        model: Option<String>,
        /// API key of the server.
        key: Option<String>,
    },
    /// In a file (GGUF); needs the feature `gguf`.
    File {
        /// The file.
        path: PathBuf,
        /// Threads; 0 for half of the cores.
        threads: usize,
    },
}

impl EmbedderSource {
    /// Name of the model in the settings; else the server's address or the file's name.
    pub fn name(&self) -> String {
        match self {
            Self::Server { url, model, .. } => model.clone().unwrap_or_else(|| url.clone()),
            Self::File { path, .. } => {
                let stem = path.file_stem().unwrap_or(path.as_os_str());
                stem.to_string_lossy().into_owned()
            }
        }
    }

    /// Location, for messages.
    pub fn place(&self) -> String {
        match self {
            Self::Server { url, .. } => url.clone(),
            Self::File { path, .. } => path.display().to_string(),
        }
    }

    /// Identity of the model: its name, and for a file a hash of its contents.
    pub(super) fn identity(&self) -> String {
        match self {
            Self::Server { .. } => self.name(),
            Self::File { path, .. } => match content_hash(path) {
                Ok(hash) => format!("{} {hash:016x}", self.name()),
                // The error is reported when the model is opened.
                Err(_) => format!("{} {}", self.name(), path.display()),
            },
        }
    }
}

/// Number of parts of a file to hash, and bytes of each. All weights of two models of the same shape differ, so parts
/// suffice; 4 MB are read with every search.
const PARTS: u64 = 256;
const PART: u64 = 16 << 10;

/// Hash of a file's length and of evenly spaced parts.
fn content_hash(path: &std::path::Path) -> std::io::Result<u64> {
    use std::io::{Read as _, Seek as _, SeekFrom};

    let mut file = std::fs::File::open(path)?;
    let len = file.metadata()?.len();
    let step = (len / PARTS).max(PART);
    let mut bytes = len.to_le_bytes().to_vec();
    for at in (0..len).step_by(step as usize).chain([len.saturating_sub(PART)]) {
        file.seek(SeekFrom::Start(at))?;
        (&mut file).take(PART).read_to_end(&mut bytes)?;
    }
    Ok(twox_hash::XxHash3_64::oneshot(&bytes))
}

/// A connected model.
#[derive(Clone, Debug)]
pub(super) enum Endpoint {
    Server(Server),
    #[cfg(feature = "gguf")]
    File(std::sync::Arc<crate::gguf::embedder::GgufEmbedder>),
}

impl Endpoint {
    /// Connects to the server, or loads the file. Sends no text. `window` is the number of tokens of a text that a
    /// model file reads.
    pub(super) async fn open(
        source: &EmbedderSource,
        window: Option<usize>,
    ) -> Result<Self, ModelError> {
        match source {
            EmbedderSource::Server { url, api, model, key } => {
                let server = Server::connect(url, *api, model.as_deref(), key.clone()).await?;
                Ok(Self::Server(server))
            }
            EmbedderSource::File { path, threads } => Self::load(path, *threads, window),
        }
    }

    #[cfg(feature = "gguf")]
    fn load(
        path: &std::path::Path,
        threads: usize,
        window: Option<usize>,
    ) -> Result<Self, ModelError> {
        use crate::gguf::embedder::{EmbedderSettings, GgufEmbedder};

        let settings = EmbedderSettings { window: window.unwrap_or(0), threads };
        Ok(Self::File(std::sync::Arc::new(GgufEmbedder::open(path, settings)?)))
    }

    #[cfg(not(feature = "gguf"))]
    fn load(path: &std::path::Path, _: usize, _: Option<usize>) -> Result<Self, ModelError> {
        Err(ModelError::NoModelFiles { path: path.to_owned() })
    }

    /// Name of the model, or its location if it has no name.
    pub(super) fn name(&self) -> &str {
        match self {
            Self::Server(it) if it.model().is_empty() => it.base(),
            Self::Server(it) => it.model(),
            #[cfg(feature = "gguf")]
            Self::File(it) => it.name(),
        }
    }

    /// The vectors of texts, in order. Fails if a server's have other than the expected `dimensions`.
    pub(super) async fn embed(
        &self,
        texts: &[String],
        dimensions: Option<usize>,
        deadline: Instant,
    ) -> Result<Vec<Vec<f32>>, ModelError> {
        let deadline = Some(deadline);
        match self {
            Self::Server(it) => {
                let (texts, batch) = (texts.to_vec(), texts.len());
                let request = EmbedRequest { texts, dimensions, batch, deadline };
                Ok(it.embed(&request).await?.vectors)
            }
            #[cfg(feature = "gguf")]
            Self::File(it) => it.embed(texts, deadline).await,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_told_apart_by_what_they_hold_wherever_they_are() {
        let dir = tempfile::tempdir().unwrap();
        let file = |folder: &str, bytes: &[u8]| {
            let path = dir.path().join(folder).join("m.gguf");
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, bytes).unwrap();
            EmbedderSource::File { path, threads: 0 }.identity()
        };
        let one = vec![1_u8; 9 << 20];
        let mut other = one.clone();
        *other.last_mut().unwrap() = 2;
        assert_eq!(file("a", &one), file("b", &one));
        assert_ne!(file("a", &one), file("c", &other));
        assert_ne!(file("a", &one), file("d", &one[1..]));
        assert!(file("e", b"").starts_with("m "));
    }
}
