//! What can go wrong, with what to do about it.

use std::path::PathBuf;

/// A tokenizer or a model could not be opened or reached, or could not answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// The file could not be read.
    #[error("cannot read the tokenizer {}: {source}; give the path of the model's tokenizer (tokenizer.json, or Mistral's tekken.json), or none to count without it", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The file is no tokenizer.
    #[error("{} is not a tokenizer: {reason}; it should be the tokenizer.json (or Mistral's tekken.json) that is published with the model", path.display())]
    NotATokenizer {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// The tokenizer belongs to a model of another format.
    #[error(
        "the tokenizer {} has no token {token}, which the format {format} writes: it belongs to another model; \
         change the tokenizer or the format",
        path.display()
    )]
    OtherModel {
        /// The file.
        path: PathBuf,
        /// The format in use.
        format: &'static str,
        /// The first of its special tokens that is missing.
        token: &'static str,
    },
    /// This build cannot read tokenizer files.
    #[error("this build cannot read the tokenizer {}: it was made without the feature `tokenizers`; leave the setting out", path.display())]
    Unsupported {
        /// The file.
        path: PathBuf,
    },
    /// This build cannot run model files.
    #[error("this build cannot run the model {}: it was made without the feature `gguf`", path.display())]
    NoModelFiles {
        /// The file.
        path: PathBuf,
    },
    /// The request has no rendered prompt.
    #[error("a prompt in the model's own format is needed, and none was rendered")]
    NoPrompt,
    /// The server cannot be reached.
    #[error("no model answers at {url}: {reason}; start the server, or mend --model-url")]
    Unreachable {
        /// The server.
        url: String,
        /// Why.
        reason: String,
    },
    /// The deadline passed before any text arrived.
    #[error("{url} did not answer in time; raise --timeout, or ask for less with --budget")]
    Timeout {
        /// The server.
        url: String,
    },
    /// The server limits its rate.
    #[error("{url} has too much to do (429); try again after {after}")]
    Busy {
        /// The server.
        url: String,
        /// Seconds or a date, as the server says.
        after: String,
    },
    /// The server rejected the request.
    #[error("{url} refused ({status}): {message}")]
    Refused {
        /// The server and path.
        url: String,
        /// Of HTTP.
        status: u16,
        /// Its message.
        message: String,
    },
    /// The response has no known shape.
    #[error(
        "{url} answered what no model server says: {text:?}; is it the right address, and the right --model-api?"
    )]
    InvalidResponse {
        /// The server and path.
        url: String,
        /// How it begins.
        text: String,
    },
    /// The suffix that was sent had no effect.
    #[error(
        "{url} ignored the text after the cursor; use --model-api openai, which sends the whole prompt"
    )]
    SuffixIgnored {
        /// The server and path.
        url: String,
    },
    /// It is not known how this model fills a hole.
    #[error(
        "it is not known how the model {model:?} fills a hole, and a guess would give garbage: name its format with \
         --model (`foreword doctor` lists them), or ask it as a chat model with --model-api chat"
    )]
    UnknownFormat {
        /// The model.
        model: String,
    },
    /// The model has not the tokens that its format writes.
    #[error(
        "the model at {url} has no token {token}, which the format {format} writes: it is another model, or not one \
         that fills holes; name its format with --model, or use --model-api chat"
    )]
    NoSuchToken {
        /// The server.
        url: String,
        /// The format.
        format: &'static str,
        /// The first token that is missing.
        token: &'static str,
    },
    /// The template of a model of Ollama takes no suffix.
    #[error(
        "the template of {model} has no place for the text after the cursor; use --model-api ollama"
    )]
    NoSuffix {
        /// The model.
        model: String,
    },
    /// The vectors of an embedding model have another length.
    #[error(
        "{url} answered with a vector of {found} numbers where {expected} were expected: another embedding model answers \
         there; name the right one, or embed all texts anew"
    )]
    WrongDimensions {
        /// The server and path.
        url: String,
        /// The length that the vectors should have.
        expected: usize,
        /// The length that one has.
        found: usize,
    },
    /// An embedding model gave a vector of zeros, or of what is no number.
    #[error(
        "{url} answered with a vector that has no direction (NaN, or zeros only): its model is broken; load it again, or name another"
    )]
    NoDirection {
        /// The server.
        url: String,
    },
    /// An embedding model gave more or fewer vectors than texts were sent.
    #[error(
        "{url} answered with {found} vectors for {expected} texts; it is not an embeddings endpoint that foreword knows"
    )]
    WrongVectorCount {
        /// The server and path.
        url: String,
        /// The number of texts.
        expected: usize,
        /// The number of vectors.
        found: usize,
    },
    /// A model file.
    #[cfg(feature = "gguf")]
    #[error(transparent)]
    Gguf(#[from] crate::gguf::error::GgufError),
}
