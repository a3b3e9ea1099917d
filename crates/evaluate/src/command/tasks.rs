//! The subcommands that make tasks or check them.

pub(crate) mod check;
pub(crate) mod mine;
pub(crate) mod remove;
