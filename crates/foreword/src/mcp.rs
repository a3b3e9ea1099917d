//! `foreword mcp`: the Model Context Protocol over stdin and stdout, for coding agents; and `/mcp` on `foreword serve`.
//!
//! Both eras are served: the stateless revision 2026-07-28 (`server/discover`, `_meta` in every request) and those that
//! open with `initialize`. The protocol is rmcp's; the tools are calls of `answer` on a [`crate::host`].

mod arguments;
mod context;
mod home;
mod http;
mod page;
mod place;
mod resources;
mod search;
mod server;
mod symbols;
mod tools;
mod transport;

use std::path::PathBuf;

use anyhow::Context as _;

use crate::host::{Host, Setup};
use home::Home;
pub(crate) use http::route;

/// Serves until stdin ends. `root` is the directory that was named, if one was; the working directory otherwise counts.
pub fn serve(setup: Setup, root: Option<PathBuf>) -> anyhow::Result<()> {
    let place = place::Place::new(root)?;
    let server = server::Server::new(Home::Own { host: Host::new(setup), place });
    let (stdio, writer) = transport::Stdio::open()?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .max_blocking_threads(server::MOST_AT_ONCE)
        .build()
        .context("cannot start the server")?;
    runtime.block_on(async {
        // Without the SDK's state machine for the opening: every request says for itself which era it is of.
        let running = rmcp::service::serve_directly(server, stdio, None);
        running.waiting().await
    })?;
    // A call that still waits for indexing is nobody's any more.
    runtime.shutdown_background();
    drop(writer.join());
    Ok(())
}
