//! Answers to questions about a repository: what was gathered for one, as values and as a reading list.
//!
//! The evidence is [`foreword_engine::ask`]'s. `output` is what `--json` and HTTP print of it, `reading` the answer that
//! needs no model: definitions, callers, tests and documents, cited and in the order in which one reads them. `model` connects
//! the chat model that answers from the same evidence ([`foreword_model::ask`]); `sources` is the list of what was cited.

pub mod model;
pub mod output;
pub mod reading;
pub mod sources;
