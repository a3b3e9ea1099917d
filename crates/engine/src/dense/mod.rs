//! Embeddings by the user's model: the vector of a question ([`QuestionVector`]), and packed vectors with their
//! similarity. The vectors of chunks are stored by `index::vectors`.

mod question;
mod vector;

pub use question::QuestionVector;
pub(crate) use question::{packed, padded};
pub(crate) use vector::{BLOCK, PackedVector, PackedView};
