//! Errors of model files, each with a remedy.

use std::path::PathBuf;

/// A model file could not be loaded, or its model failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GgufError {
    /// The file could not be read.
    #[error("cannot read the model {}: {source}; --gguf wants the path of a model file (*.gguf)", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
    /// No model can be loaded from the file.
    #[error("{} cannot be used: {reason}; --gguf wants a complete GGUF file of a code completion model", path.display())]
    NotAModel {
        /// The file.
        path: PathBuf,
        /// The cause.
        reason: String,
    },
    /// No embedding model can be loaded from the file.
    #[error("{} cannot be used: {reason}; models.embed.gguf wants a complete GGUF file of an embedding model", path.display())]
    NotAnEmbedder {
        /// The file.
        path: PathBuf,
        /// The cause.
        reason: String,
    },
    /// The model's prompt format is unknown.
    #[error(
        "{}: the fill-in-the-middle format of this model ({names}) is unknown, and a wrong one would give garbage: name it \
         with --model; its vocabulary has the tokens of {could}",
        path.display()
    )]
    UnknownFormat {
        /// The file.
        path: PathBuf,
        /// Names of the model in the file.
        names: String,
        /// Formats whose tokens the vocabulary has.
        could: String,
    },
    /// The model lacks a token of its format.
    #[error(
        "{} has no token {token}, which the format {format} needs: it is another model, or cannot fill in the middle; \
         its vocabulary has the tokens of {could} (--model)",
        path.display()
    )]
    NoSuchToken {
        /// The file.
        path: PathBuf,
        /// The format.
        format: &'static str,
        /// First missing token.
        token: &'static str,
        /// Formats whose tokens the vocabulary has.
        could: String,
    },
    /// The prompt exceeds the model's context.
    #[error(
        "the prompt has {tokens} tokens, and {} reads {window} at a time including the answer; lower --budget, or raise \
         --gguf-context if the model was trained for more ({trained})",
        path.display()
    )]
    TooLong {
        /// The file.
        path: PathBuf,
        /// Tokens of the prompt.
        tokens: usize,
        /// Context window in tokens.
        window: usize,
        /// Context that the model was trained for.
        trained: usize,
    },
    /// llama.cpp failed.
    #[error("{} cannot go on: {reason}; if memory is short, lower --gguf-context", path.display())]
    Failed {
        /// The file.
        path: PathBuf,
        /// The cause.
        reason: String,
    },
}
