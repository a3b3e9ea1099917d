//! Embeddings: texts go in, vectors come out.
//!
//! [`EmbedRequest`] goes to a server ([`crate::http::Server::embed`]); an [`Embedder`] is a server or a model file in
//! this process, with prefixes and retries; [`fill`] embeds the chunks of an index that have no vector yet.

mod embedder;
mod endpoint;
mod fill;
mod prefix;

use std::time::Instant;

pub use embedder::{Embedder, EmbedderSettings};
pub use endpoint::EmbedderSource;
pub use fill::{FillError, Progress, fill};
pub use prefix::Prefixes;

/// Texts to embed.
#[derive(Clone, Debug)]
pub struct EmbedRequest {
    /// The texts.
    pub texts: Vec<String>,
    /// Required length of the vectors; `None` for the length of the first one.
    pub dimensions: Option<usize>,
    /// Texts per request.
    pub batch: usize,
    /// Time after which the vectors are useless.
    pub deadline: Option<Instant>,
}

/// The vectors of texts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EmbedResponse {
    /// In the order of the texts, all of the same length.
    pub vectors: Vec<Vec<f32>>,
    /// Tokens of the texts, if the server reports them.
    pub prompt_tokens: Option<u64>,
}
