//! Everything that talks to a model, and the models that are in the binary.
//!
//! * [`request`]: the interface of models that complete code. [`embedded`]: the model that copies and counts, over
//!   [`ngram`]. `http`: servers. `gguf`: model files. [`clean`]: makes completions fit their place.
//! * `chat` and `embed`: conversations and embeddings, which only servers answer. `ask`: what a chat model does for questions
//!   about a repository.
//! * `tool_loop`: a bounded conversation with tools; `agents`: over it, what the next edits of a file will need.
//! * [`TokenCounter`]: how many tokens a text has.
//!
//! A budget is only as good as the count behind it, so a [`TokenCounter`] says what it is worth: [`Counting::Exact`] by
//! the model's own vocabulary, or [`Counting::Estimate`], which errs on the safe side. The first of these that is there
//! is used: the tokenizer that the user names, a vocabulary in the binary, the estimate, [calibrated](calibration)
//! where a server has a tokenizer. A counter never asks anybody: it gives the same counts for as long as it lives.
//!
//! A text is counted as a server reads a raw prompt: the spelling of a special token is that one token. Text of the
//! repository that contains such a spelling is neutralised by [`foreword_engine::compose`] and counts more then; it is
//! the finished prompt that must fit.
#![deny(missing_docs)]

#[cfg(feature = "http")]
pub mod agents;
#[cfg(feature = "http")]
pub mod ask;
pub mod calibration;
#[cfg(feature = "http")]
pub mod chat;
pub mod clean;
mod count_cache;
mod counter;
#[cfg(feature = "http")]
pub mod embed;
pub mod embedded;
mod error;
mod estimate;
#[cfg(feature = "gguf")]
pub mod gguf;
#[cfg(feature = "http")]
pub mod http;
pub mod ngram;
pub mod request;
#[cfg(feature = "tokenizers")]
mod tokenizer_file;
#[cfg(feature = "http")]
pub mod tool_loop;
mod vocabulary;
mod wait;

pub use counter::{Counting, TokenCounter};
pub use error::ModelError;
pub use vocabulary::Vocabulary;
pub use wait::wait;
