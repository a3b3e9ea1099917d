//! The context of a request: the file of its text, the pieces added to it, the prompt, and the scheduling of that work.

mod admit;
mod anchor_table;
mod anchors;
pub(crate) mod locate;
pub(crate) mod outcome;
mod pace;
pub(crate) mod prepare;
pub(crate) mod prompt;
