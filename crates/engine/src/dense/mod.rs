//! Meaning as numbers: a table with a vector for each of the frequent terms of code, and the vectors of texts.
//!
//! The table was trained so that a text and the code that it is about lie near each other (`train/terms/README.md`). Its terms are
//! those of the index, so that the vector of a chunk follows from its postings, and no text is read again.
//!
//! An embedder of the user's gives vectors of whole texts instead: of chunks, which are kept (`index::vectors`), and of
//! questions ([`QuestionVector`]).

mod question;
mod table;
mod vector;

pub use question::QuestionVector;
pub(crate) use question::{packed, padded};
#[cfg(test)]
pub(crate) use table::tests::small as small_table;
pub use table::{TableError, TermTable};
pub(crate) use vector::{BLOCK, Packed, PackedView, pack};
