//! From a repository and a cursor to the right prompt.
//!
//! The stages, in the order in which data flows; a module names only modules before it:
//! `source → index → scope → retrieve → fuse → rerank → order → trim → compose`.
#![deny(missing_docs)]
#![warn(clippy::disallowed_methods, reason = "the engine does no IO; see ARCHITECTURE.md")]

pub mod compose;
pub mod context;
pub mod fuse;
pub mod fuzzy;
pub mod grep;
pub mod index;
pub mod map;
pub mod order;
pub mod preset;
pub mod prompt;
pub mod rerank;
pub mod retrieve;
pub mod scope;
pub mod search;
pub mod source;
pub mod trim;
