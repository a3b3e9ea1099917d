//! Answers to questions about a repository, as values and as a reading list.
//!
//! The evidence comes from [`foreword_engine::ask`]. `output` is its form for `--json` and HTTP. `reading` is the answer
//! without a model: definitions, callers, tests and documents, cited in reading order. `model` connects the chat model that
//! answers from the same evidence ([`foreword_model::ask`]); `verdict` says what is not there or not sure; `sources` lists the cited places; `intent` tells messages that
//! need no evidence.

pub mod intent;
pub mod model;
pub mod output;
pub mod reading;
pub mod sources;
pub mod verdict;
