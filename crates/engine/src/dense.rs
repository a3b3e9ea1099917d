//! Meaning as numbers: a table with a vector for each of the frequent terms of code, and the vectors of texts.
//!
//! The table was trained so that a text and the code that it is about lie near each other (`train/terms/README.md`). Its terms are
//! those of the index, so that the vector of a chunk follows from its postings, and no text is read again.

mod table;
mod vector;

#[cfg(test)]
pub(crate) use table::tests::small as small_table;
pub use table::{TableError, TermTable};
pub(crate) use vector::{BLOCK, Packed, PackedView, pack};
