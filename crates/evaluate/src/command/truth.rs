//! The subcommands over the truth folders.

pub(crate) mod check;
pub(crate) mod show_one;
