//! From a repository and a cursor to the right prompt.
//!
//! The stages, in the order in which data flows; a module names only modules before it:
//! `source → index → scope → retrieve → fuse → rerank → order → trim → compose`.
#![deny(missing_docs)]
#![warn(clippy::disallowed_methods, reason = "the engine does no IO; see ARCHITECTURE.md")]

pub mod compose;
pub mod index;
pub mod source;

