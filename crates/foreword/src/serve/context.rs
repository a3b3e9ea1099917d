//! The context of a request: the file of its text, the pieces added to it, the prompt, and the scheduling of that work.

pub(crate) mod admission;
mod cursor;
pub(crate) mod finder;
mod locate;
mod merge;
pub(crate) mod outcome;
pub(crate) mod prepare;
mod render;
pub(crate) mod settings;
mod snippets;
pub(crate) mod warm_up;
pub(crate) mod workspaces;
