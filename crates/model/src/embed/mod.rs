//! Embeddings: texts go in, vectors come out.
//!
//! [`EmbedRequest`] is what a server is asked ([`crate::http::Server::embed`]); an [`Embedder`] is a server, or a model file in
//! this process, with what its model wants to be told, and with patience; [`fill`] embeds what a repository's index has and its vectors have not;
//! [`learn`] learns how questions about a repository are turned towards its code.

mod embedder;
mod endpoint;
mod fill;
mod learn;
mod prefix;

use std::time::Instant;

pub use embedder::{Embedder, EmbedderSettings};
pub use endpoint::EmbedderSource;
pub use fill::{FillError, Progress, fill};
pub use learn::{LearnFrom, Lessons, MOST_OF_KIND, learn};
pub use prefix::Prefixes;

/// Texts to be embedded.
#[derive(Clone, Debug)]
pub struct EmbedRequest {
    /// The texts.
    pub texts: Vec<String>,
    /// The length that the vectors must have; that of the first one without it.
    pub dimensions: Option<usize>,
    /// Texts that are sent at a time.
    pub batch: usize,
    /// When the vectors are of no use any more.
    pub deadline: Option<Instant>,
}

/// The vectors of texts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EmbedResponse {
    /// In the order of the texts, all of the same length.
    pub vectors: Vec<Vec<f32>>,
    /// Tokens of the texts, where the server reports them.
    pub prompt_tokens: Option<u64>,
}
