//! What can go wrong, with what to do about it.

use std::path::PathBuf;

/// A tokenizer could not be had.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// The file could not be read.
    #[error("cannot read the tokenizer {}: {source}; give the path of the model's tokenizer.json, or none to count without it", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The file is no tokenizer.
    #[error("{} is not a tokenizer: {reason}; it should be the tokenizer.json that is published with the model", path.display())]
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
}
