//! The context of a request: which file it comes from, what the model sees, and when that is computed.

pub(crate) mod admission;
pub(crate) mod finder;
pub(crate) mod locate;
pub(crate) mod merge;
pub(crate) mod prepare;
