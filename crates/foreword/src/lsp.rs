//! `foreword lsp`: the Language Server Protocol over stdin and stdout, for editors: ghost text
//! (`textDocument/inlineCompletion`), or one item in the completion menu where an editor has no ghost text, and symbols.

mod documents;
mod history;
mod interactions;
mod pages;
mod position;
mod server;
mod settings;
mod suggestion;
mod transport;
mod worker;
mod workspaces;

use std::sync::Arc;

use crate::answer::complete::Prompted;
use crate::host::{Host, Setup};
use crate::local::{Local, ModelFile};

/// Serves until the editor sends `exit` or stdin ends; false when that happened without `shutdown`. Suggestions come
/// from the model of `file`, prompted with at most `budget` tokens, or from the embedded model without a file.
pub fn serve(setup: Setup, file: Option<ModelFile>, budget: usize) -> anyhow::Result<bool> {
    let (version, pid) = (env!("CARGO_PKG_VERSION"), std::process::id());
    tracing::info!(version, pid, "the language server starts");
    let local = file.map(|it| Local::open(&it, None).map(Arc::new)).transpose()?;
    let model = local.clone().map(|local| Prompted { local, budget });
    let (connection, writer) = transport::open()?;
    let is_orderly = server::Server::new(Host::new(setup), model, connection)?.run();
    tracing::info!(is_orderly, "the language server ends");
    if let Some(it) = local {
        it.model.close();
    }
    // The last responses are written before the process ends.
    drop(writer.join());
    Ok(is_orderly)
}
