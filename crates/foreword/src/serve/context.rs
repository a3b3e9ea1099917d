//! The context of a request: the file of its text, the pieces added to it, the prompt, and the scheduling of that work.

pub(crate) mod admission;
pub(crate) mod finder;
mod locate;
mod merge;
pub(crate) mod outcome;
pub(crate) mod prepare;
pub(crate) mod prompt;
mod snippets;
pub(crate) mod workspaces;
