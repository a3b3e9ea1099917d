//! Vectors of texts by the user's embedding model: those of questions ([`QuestionVector`]), and how vectors are packed and
//! compared. Those of chunks are kept in `index::vectors`.

mod question;
mod vector;

pub use question::QuestionVector;
pub(crate) use question::{packed, padded};
pub(crate) use vector::{BLOCK, PackedVector, PackedView};
