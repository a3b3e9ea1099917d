//! Arguments that several subcommands share.

pub(crate) mod completion;
pub(crate) mod model;
pub(crate) mod past;
pub(crate) mod search;
