//! `foreword mcp`: the Model Context Protocol over stdin and stdout, for coding agents; and `/mcp` on `foreword serve`.
//!
//! Both eras are served: the stateless revision 2026-07-28 (`server/discover`, `_meta` in every request) and those that
//! open with `initialize`. The protocol is rmcp's; the tools are those of [`foreword_session::tools`], which this module translates.

mod http;
mod pushed;
mod resources;
mod server;
mod tools;
mod transport;

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context as _;
use foreword_session::host::Host;
use foreword_session::setup::Setup;
use foreword_session::tools::{Access, BudgetScope, Repositories, StartDirectory};

use crate::limits::shell;
pub(crate) use http::{route, route_to_cluster};
pub(crate) use pushed::{CallCounts, PushedRepositories};
use server::Source;

/// The content of a tool's answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AnswerContent {
    /// Text only. Some agents show structured content to their models instead of the text, and code escaped into one
    /// line of JSON is hard to read.
    #[default]
    Text,
    /// Text, and the same values as `structuredContent` for programs.
    TextAndStructured,
}

impl AnswerContent {
    /// The part of an answer that the token budget counts.
    fn counted(self) -> BudgetScope {
        match self {
            Self::Text => BudgetScope::Text,
            Self::TextAndStructured => BudgetScope::TextAndStructured,
        }
    }
}

/// Serves until stdin ends. Calls that name no repository use `root`, else the working directory; `access` limits the
/// repositories that calls may name.
pub fn serve(
    setup: Setup,
    root: Option<PathBuf>,
    access: Access,
    content: AnswerContent,
) -> anyhow::Result<()> {
    let (version, pid) = (env!("CARGO_PKG_VERSION"), std::process::id());
    tracing::info!(version, pid, ?root, "the MCP server starts");
    let start = StartDirectory::new(root, access)?;
    serve_from(Source::Disk(Repositories::Local { host: Host::new(setup), start }), content)
}

/// Serves the repositories of a cluster until stdin ends.
pub(crate) fn serve_cluster(
    pushed: PushedRepositories,
    content: AnswerContent,
) -> anyhow::Result<()> {
    serve_from(Source::Cluster(pushed), content)
}

fn serve_from(source: Source, content: AnswerContent) -> anyhow::Result<()> {
    let (stdio, writer) = transport::Stdio::open()?;
    let server = server::Server::new(source, content, stdio.unread());
    shell::check_threads(1)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        // Once there is a thread, calls wait for it where no more can be started.
        .thread_keep_alive(Duration::from_hours(10_000))
        .max_blocking_threads(server::MAX_CONCURRENT)
        .build()
        .context("cannot start the server")?;
    runtime.spawn_blocking(|| ());
    runtime.block_on(async {
        // Bypasses the SDK's handshake: each request states its protocol version.
        let running = rmcp::service::serve_directly(server, stdio, None);
        running.waiting().await
    })?;
    tracing::info!("the MCP server ends");
    // A call that still waits for indexing has no reader any more.
    runtime.shutdown_background();
    writer.finish();
    Ok(())
}
