//! `foreword serve`: one HTTP port for the tools that people have already.
//!
//! A tool is pointed at foreword instead of its model server; what it asks is answered in its own protocol, by the same
//! server behind foreword, by a model file or by the embedded model, and with the repository's context. The doors are thin: each
//! translates a request into one common question, and the answer back.

mod app;
mod backend;
mod complete;
mod context;
mod endpoints;
mod http;
mod inspector;
mod observation;
mod options;
mod protocols;
mod router;
mod watcher;

use std::io::Write as _;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use tokio::net::TcpListener;
use tokio::sync::watch;

use crate::backend::Backend;
use crate::host::Setup;
use app::App;
pub use options::Options;

/// Threads that wait for sockets; what computes has threads of its own.
const WORKERS: usize = 2;

/// Threads for contexts and the embedded model; requests that find none free go on without.
const COMPUTING: usize = 16;

/// How long answers that are being given may take after the server was told to stop.
const GRACE: Duration = Duration::from_secs(5);

/// Serves until the process is told to stop (SIGINT, SIGTERM). The address is printed on stdout when it is ready.
pub fn serve(setup: Setup, options: Options) -> anyhow::Result<()> {
    options.check()?;
    let (version, pid) = (env!("CARGO_PKG_VERSION"), std::process::id());
    tracing::info!(version, pid, workspaces = ?options.workspaces, "the HTTP server starts");
    let backend = Arc::new(Backend::open(options.backend.clone())?);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(WORKERS)
        .max_blocking_threads(COMPUTING)
        .enable_all()
        .build()
        .context("cannot start the server")?;
    let res = runtime.block_on(run(setup, options, Arc::clone(&backend)));
    // What still computes is nobody's any more.
    runtime.shutdown_background();
    backend.close();
    res
}

async fn run(setup: Setup, options: Options, backend: Arc<Backend>) -> anyhow::Result<()> {
    let address = (options.host, options.port);
    let listener = TcpListener::bind(address).await.with_context(|| {
        format!(
            "cannot listen on {}:{}; is it taken? name another with --port",
            address.0, address.1
        )
    })?;
    let bound = listener.local_addr().context("a bound socket has an address")?;
    let (close, closing) = watch::channel(false);
    let app = Arc::new(App::new(setup, options, backend, closing.clone())?);
    watcher::start(&app);
    announce(bound)?;
    let serving = http::listen::serve(listener, router::router(Arc::clone(&app)), closing);
    tokio::pin!(serving);
    tokio::select! {
        () = &mut serving => return Ok(()),
        () = told_to_stop() => {}
    }
    tracing::info!("the HTTP server was told to stop");
    close.send_replace(true);
    // Whoever still reads an endless answer after that has had time to hear of the end.
    let _ = tokio::time::timeout(GRACE, serving).await;
    Ok(())
}

/// The address on stdout, for whoever started the server with `--port 0`.
fn announce(bound: std::net::SocketAddr) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "http://{bound}").and_then(|()| out.flush()).context("cannot write to stdout")
}

#[cfg(unix)]
async fn told_to_stop() {
    use tokio::signal::unix::{SignalKind, signal};
    let Ok(mut terminate) = signal(SignalKind::terminate()) else {
        return interrupted().await;
    };
    tokio::select! {
        () = interrupted() => {}
        _ = terminate.recv() => {}
    }
}

#[cfg(not(unix))]
async fn told_to_stop() {
    interrupted().await;
}

async fn interrupted() {
    if tokio::signal::ctrl_c().await.is_err() {
        // Without signals the process is stopped from outside.
        std::future::pending::<()>().await;
    }
}
