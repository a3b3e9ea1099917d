//! What can be wrong with a model file, with what to do about it.

use std::path::PathBuf;

/// A model file could not be had, or its model could not answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GgufError {
    /// The file could not be read.
    #[error("cannot read the model {}: {source}; --gguf wants the path of a model file (*.gguf)", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The file is none that a model can be loaded from.
    #[error("{} cannot be used: {reason}; --gguf wants a whole GGUF file of a model that writes code", path.display())]
    NotAModel {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// The file is none that a model can be loaded from which embeds texts.
    #[error("{} cannot be used: {reason}; models.embed.gguf wants a whole GGUF file of an embedding model", path.display())]
    NotAnEmbedder {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// It is not known how the model fills a hole.
    #[error(
        "{}: it is not known how this model ({names}) fills a hole, and a guess would give garbage: name its format \
         with --model; its vocabulary has the tokens of {could}",
        path.display()
    )]
    UnknownFormat {
        /// The file.
        path: PathBuf,
        /// What the file says of the model.
        names: String,
        /// The formats whose tokens it has.
        could: String,
    },
    /// The model has not the tokens that its format writes.
    #[error(
        "{} has no token {token}, which the format {format} writes: it is another model, or not one that fills holes; \
         its vocabulary has the tokens of {could} (--model)",
        path.display()
    )]
    NoSuchToken {
        /// The file.
        path: PathBuf,
        /// The format.
        format: &'static str,
        /// The first token that is missing.
        token: &'static str,
        /// The formats whose tokens it has.
        could: String,
    },
    /// The prompt is longer than the model can read.
    #[error(
        "the prompt has {tokens} tokens, and {} reads {window} at a time with its answer; lower --budget, or raise \
         --gguf-context if the model was trained for more ({trained})",
        path.display()
    )]
    TooLong {
        /// The file.
        path: PathBuf,
        /// Tokens of the prompt.
        tokens: usize,
        /// Tokens of a prompt and its answer.
        window: usize,
        /// What the model was trained for.
        trained: usize,
    },
    /// llama.cpp could not go on.
    #[error("{} cannot go on: {reason}; is there memory enough? a smaller --gguf-context needs less", path.display())]
    Failed {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
}
