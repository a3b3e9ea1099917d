//! The doors of foreword: the command line, editors (LSP), agents (MCP) and HTTP servers. Each translates its protocol into
//! calls of the engine, and the answers back.
#![warn(missing_docs)]

pub mod cli;
mod inspector_page;
mod limits;
mod logging;
pub mod lsp;
mod many;
pub mod mcp;
mod parser;
pub mod serve;
