//! Model clients, the models in the binary, and token counting.
//!
//! * [`request`]: the interface of completion models. [`embedded`]: the n-gram model in the binary, over [`ngram`].
//!   `http`: model servers. `gguf`: model files. [`clean`]: post-processing of completions.
//! * `chat` and `embed`: conversations and embeddings, by servers only. `ask`: a chat model's help with questions about
//!   a repository.
//! * `tool_loop`: a bounded conversation with tools; `agents`: plans of next edits, made by such conversations.
//! * [`TokenCounter`]: counts tokens.
//!
//! Token budgets need reliable counts, so a [`TokenCounter`] states its accuracy: [`Counting::Exact`] by the model's
//! own vocabulary, or [`Counting::Estimate`], which errs on the high side. The first available is used: the tokenizer
//! that the user names, a vocabulary in the binary, the estimate ([calibrated](calibration) where a server has a
//! tokenizer). A counter never sends a request: its counts never change.
//!
//! Texts are counted as a server reads a raw prompt: the spelling of a special token is one token. Only the finished
//! prompt has to fit, because [`foreword_engine::compose`] neutralises such spellings in repository text, which makes
//! them longer.
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
