//! The doors of foreword: each translates a protocol or a command line into calls of the engine, and back.
#![warn(missing_docs)]

mod answer;
pub mod backend;
pub mod cli;
pub mod host;
mod logging;
pub mod lsp;
pub mod mcp;
pub mod serve;
pub mod tools;
mod uri;
mod usage;
