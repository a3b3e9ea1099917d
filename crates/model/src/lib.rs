//! Everything that talks to a model, and the models that are in the binary.
//!
//! * [`request`]: one way to ask any model. [`embedded`]: the one that copies and counts, over [`ngram`]. `http`: those
//!   behind an address. `gguf`: those in a file. [`clean`]: makes their text fit.
//! * [`TokenCounter`]: how many tokens a text is.
//!
//! A budget is only as good as the count behind it, so a [`TokenCounter`] says what it is: [`Counting::Exact`] by the
//! model's own vocabulary, or [`Counting::Estimate`], which is made to err on the safe side. What is had, in this
//! order: the `tokenizer.json` that the user names, a vocabulary in the binary, the estimate.
//!
//! A text is counted as a server reads a raw prompt: the spelling of a special token is that one token. Text of the
//! repository that contains such a spelling is made harmless by [`foreword_engine::compose`] and counts more then; it
//! is the finished prompt that must fit.
#![deny(missing_docs)]

mod asked;
pub mod clean;
mod counter;
pub mod embedded;
mod error;
mod estimate;
#[cfg(feature = "tokenizers")]
mod file;
#[cfg(feature = "gguf")]
pub mod gguf;
#[cfg(feature = "http")]
pub mod http;
pub mod ngram;
mod remembered;
pub mod request;
mod wait;

pub use counter::{Counting, TokenCounter, Vocabulary};
pub use error::ModelError;
pub use wait::wait;
