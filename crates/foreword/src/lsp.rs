//! `foreword lsp`: the Language Server Protocol over stdin and stdout, for editors: ghost text
//! (`textDocument/inlineCompletion`), or one item in the menu where an editor has no ghost text, and symbols.

mod documents;
mod ghost;
mod memory;
mod pages;
mod places;
mod position;
mod server;
mod settings;
mod signals;
mod wire;
mod worker;

use crate::host::{Host, Setup};

/// Serves until the editor says `exit` or stdin ends. False when it ended without `shutdown`.
pub fn serve(setup: Setup) -> anyhow::Result<bool> {
    let (connection, writer) = wire::open()?;
    let is_orderly = server::Server::new(Host::new(setup), connection)?.run();
    // The last answers are written before the process ends.
    drop(writer.join());
    Ok(is_orderly)
}
