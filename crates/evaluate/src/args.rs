//! Arguments shared by several subcommands.

pub mod agents;
pub mod commits;
pub mod completion;
pub mod corpora;
pub mod model;
pub mod search;
pub mod tasks;
