//! Errors of models and tokenizers, each with a remedy.

use std::path::PathBuf;

/// A tokenizer or model failed to open, connect or answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// The file could not be read.
    #[error("cannot read the tokenizer {}: {source}; set it to the model's tokenizer (tokenizer.json, or Mistral's tekken.json), or remove the setting", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
    /// The file is not a tokenizer.
    #[error("{} is not a tokenizer: {reason}; it should be the tokenizer.json (or Mistral's tekken.json) that is published with the model", path.display())]
    NotATokenizer {
        /// The file.
        path: PathBuf,
        /// The cause.
        reason: String,
    },
    /// The tokenizer belongs to a model of another format.
    #[error(
        "the tokenizer {} has no token {token}, which the format {format} needs: it belongs to another model; \
         change the tokenizer or the format",
        path.display()
    )]
    OtherModel {
        /// The file.
        path: PathBuf,
        /// Format in use.
        format: &'static str,
        /// First special token that is missing.
        token: &'static str,
    },
    /// This build cannot read tokenizer files.
    #[error("this build cannot read the tokenizer {}: it lacks the feature `tokenizers`; remove the setting", path.display())]
    Unsupported {
        /// The file.
        path: PathBuf,
    },
    /// This build cannot run model files.
    #[error("this build cannot run the model {}: it lacks the feature `gguf`", path.display())]
    NoModelFiles {
        /// The file.
        path: PathBuf,
    },
    /// The request has no rendered prompt.
    #[error("this model needs a prompt in its own format, and none was rendered")]
    NoPrompt,
    /// The repository that an answer is about can no longer be read.
    #[error("the answer cannot be verified: {reason}")]
    NoRepository {
        /// The cause.
        reason: String,
    },
    /// The server cannot be reached.
    #[error(
        "no model answers at {url}: {reason}; start the server, or correct its address (`foreword config` shows where it is set)"
    )]
    Unreachable {
        /// The server.
        url: String,
        /// The cause.
        reason: String,
    },
    /// The deadline passed before any text.
    #[error("{url} did not answer in time; raise --timeout or lower --budget")]
    Timeout {
        /// The server.
        url: String,
    },
    /// The server limits its rate.
    #[error("{url} is busy (429); try again after {after}")]
    Busy {
        /// The server.
        url: String,
        /// Seconds or a date, from the server.
        after: String,
    },
    /// The server rejected the request.
    #[error("{url} refused ({status}): {message}")]
    Refused {
        /// Server and path.
        url: String,
        /// HTTP status.
        status: u16,
        /// The server's message.
        message: String,
    },
    /// The response has an unknown shape.
    #[error("{url} returned an unknown response: {text:?}; check the address and --model-api")]
    InvalidResponse {
        /// Server and path.
        url: String,
        /// Beginning of the response.
        text: String,
    },
    /// The server ignored the suffix.
    #[error(
        "{url} ignored the text after the cursor; use --model-api openai, which sends the whole prompt"
    )]
    SuffixIgnored {
        /// Server and path.
        url: String,
    },
    /// The prompt format of the model is unknown.
    #[error(
        "the fill-in-the-middle format of the model {model:?} is unknown, and a wrong one would give garbage: name the \
         format with --model (`foreword doctor` lists them), or use it as a chat model with --model-api chat"
    )]
    UnknownFormat {
        /// The model.
        model: String,
    },
    /// The model lacks a token of its format.
    #[error(
        "the model at {url} has no token {token}, which the format {format} needs: it is another model, or cannot \
         fill in the middle; name its format with --model, or use --model-api chat"
    )]
    NoSuchToken {
        /// The server.
        url: String,
        /// The format.
        format: &'static str,
        /// First missing token.
        token: &'static str,
    },
    /// The model's Ollama template has no place for a suffix.
    #[error(
        "the template of {model} has no place for the text after the cursor; use --model-api ollama"
    )]
    NoSuffix {
        /// The model.
        model: String,
    },
    /// An embedding has the wrong length.
    #[error(
        "{url} (model {model:?}) returned an embedding of {found} dimensions instead of {expected}: it runs another \
         embedding model; name the right one, or embed all texts again"
    )]
    WrongDimensions {
        /// Server and path.
        url: String,
        /// Name of the model; may be empty.
        model: String,
        /// Expected length.
        expected: usize,
        /// Actual length.
        found: usize,
    },
    /// An embedding is longer than that of any model.
    #[error(
        "{url} returned an embedding of more than {most} dimensions: it is no embedding model; name another"
    )]
    TooManyDimensions {
        /// Server and path.
        url: String,
        /// Maximum length.
        most: usize,
    },
    /// An embedding is all zeros or not numeric.
    #[error(
        "{url} returned an embedding of NaN or zeros: its model is broken; reload it, or name another"
    )]
    NoDirection {
        /// The server.
        url: String,
    },
    /// The number of embeddings differs from the number of texts.
    #[error(
        "{url} returned {found} vectors for {expected} texts; it is not an embeddings endpoint that foreword knows"
    )]
    WrongVectorCount {
        /// Server and path.
        url: String,
        /// Number of texts.
        expected: usize,
        /// Number of embeddings.
        found: usize,
    },
    /// An error of a model file.
    #[cfg(feature = "gguf")]
    #[error(transparent)]
    Gguf(#[from] crate::gguf::error::GgufError),
}
