//! `foreword lsp`: the Language Server Protocol over stdin and stdout. Serves ghost text
//! (`textDocument/inlineCompletion`), or one completion menu item in editors without ghost text, and symbols.

mod documents;
mod interactions;
mod next_answer;
mod notebook;
mod pages;
mod position;
mod server;
mod settings;
mod suggestion;
mod transport;
mod worker;
mod workspaces;
mod written;

use std::sync::Arc;

use foreword_engine::preset::Preset;
use foreword_session::answer::complete::Completer;
use foreword_session::answer::next::EditModel;
use foreword_session::backend::BackendSettings;
use foreword_session::host::Host;
use foreword_session::setup::Setup;

/// Serves until the editor sends `exit` or stdin ends; returns false if it ended without `shutdown`. Suggestions use
/// the model of `backend` with prompts by `preset`, requests of next edits the next-edit model; suggestions with a confidence below `least_confidence` are shown only on
/// request, unless the editor's settings differ.
pub fn serve(
    setup: Setup,
    (backend, edit_model): (BackendSettings, Option<EditModel>),
    preset: Preset,
    least_confidence: Option<f64>,
) -> anyhow::Result<bool> {
    let (version, pid) = (env!("CARGO_PKG_VERSION"), std::process::id());
    tracing::info!(version, pid, "the language server starts");
    let completer = Arc::new(Completer::open(backend, preset, least_confidence)?);
    let (incoming, outbox, writer) = transport::open()?;
    let host = Host::new(setup);
    let server =
        server::Server::open(host, (Arc::clone(&completer), edit_model), incoming, outbox.clone());
    let is_orderly = server.map(server::Server::run);
    tracing::info!(?is_orderly, "the language server ends");
    completer.close();
    // Writes the last responses before the process ends.
    outbox.close();
    writer.finish();
    is_orderly
}
