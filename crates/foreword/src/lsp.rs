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

use std::sync::Arc;

use crate::answer::complete::Prompted;
use crate::host::{Host, Setup};
use crate::local::{Local, ModelFile};

/// Serves until the editor says `exit` or stdin ends. False when it ended without `shutdown`. What is suggested is
/// written by the model of `file`, with a prompt of so many tokens, or by the embedded model without one.
pub fn serve(setup: Setup, file: Option<ModelFile>, budget: usize) -> anyhow::Result<bool> {
    let local = file.map(|it| Local::open(&it, None).map(Arc::new)).transpose()?;
    let model = local.clone().map(|local| Prompted { local, budget });
    let (connection, writer) = wire::open()?;
    let is_orderly = server::Server::new(Host::new(setup), model, connection)?.run();
    if let Some(it) = local {
        it.model.close();
    }
    // The last answers are written before the process ends.
    drop(writer.join());
    Ok(is_orderly)
}
