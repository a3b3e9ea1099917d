//! Precise facts: what a compiler or type checker said of the names in a file, from SCIP indexes, kept beside the index.
//!
//! A SCIP index (`scip.proto` of <https://github.com/scip-code/scip>) names the symbol at each range of a file. It has no
//! content hash and no commit, so each of its documents is checked against the present text of its file (`check`): the
//! symbol's name must stand at the range of every definition. What passes is stored for that path and that text, and holds
//! exactly as long as the file has that text; another file's edits change nothing.
//!
//! * `error`: the errors; `wire`: protocol buffers, read as a stream with bounded lengths; `symbol`: names of symbols.
//! * `document`: documents and their occurrences; `check`: documents against texts.
//! * `directed`: which of two members overrides the other. `moved`: facts about an earlier text of a file.
//! * `facts`: what is known of all files; `file`: its file in the index directory, and imports into it; `exported`: a file's
//!   facts for a home elsewhere.
//!
//! The crate `scip` has no reader of streams, allocates the lengths that a file claims, and brings ten packages; what is
//! needed of the format are five fields.

mod check;
mod directed;
mod document;
mod error;
mod exported;
mod facts;
mod file;
mod moved;
mod symbol;
#[cfg(test)]
mod tests;
mod wire;

pub use error::ScipError;
pub use exported::ExportedFacts;
pub use facts::{Facts, FileFacts, Occurrence, Provenance};
pub use file::{FactsFile, IndexedText, Refusal, ScipImport, ScipSource};
