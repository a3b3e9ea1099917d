//! The doors of foreword: the command line, editors (LSP), agents (MCP) and HTTP servers. Each translates its protocol into
//! calls of the engine, and the answers back.
#![warn(missing_docs)]

mod answer;
mod ask;
pub mod backend;
pub mod cli;
mod custom;
mod embedding;
pub mod feedback;
pub mod host;
mod limits;
mod logging;
pub mod lsp;
pub mod mcp;
mod parser;
pub mod serve;
mod speculation;
pub mod tools;
mod uri;
mod usage;
