//! The context of a request: the file that its text is from, the pieces that the model sees beside it, the prompt, and
//! when all that is computed.

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
