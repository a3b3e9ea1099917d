//! Arguments that several subcommands share.

pub mod commits;
pub mod completion;
pub mod corpora;
pub mod model;
pub mod search;
