//! Arguments that several subcommands share.

pub(crate) mod commits;
pub(crate) mod completion;
pub(crate) mod corpora;
pub(crate) mod model;
pub(crate) mod search;
