//! `foreword serve`: a completion server for existing tools, on one HTTP port.
//!
//! A tool is pointed at foreword instead of its model server. Its requests are answered in its own protocol, with the
//! repository's context, by that server behind foreword, by a model file, or by the embedded model.
//!
//! A request passes the rooms in this order: `http` accepts and checks it, `endpoints` route it, `protocols` parse it into
//! one common request, `complete` answers it: `context` prepares what the model sees, `backend` asks the model and renders
//! the response, `observation` records it all. `inspector` shows the records.

mod app;
mod backend;
mod clock;
mod cluster;
mod complete;
mod context;
mod endpoints;
mod http;
mod inspector;
mod observation;
mod options;
mod probe;
mod protocols;
mod questions;
mod router;
mod watcher;

use std::io::Write as _;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use foreword_session::backend::Backend;
use foreword_session::setup::Setup;
use foreword_session::usage::usage;
use tokio::net::TcpListener;
use tokio::runtime::Handle;
use tokio::sync::watch;
use tokio::time::timeout;

use crate::limits::shell;
use app::App;
pub(crate) use cluster::MOST_KEPT;
pub use cluster::{ClusterOptions, PromptSettings, serve_cluster};
pub use options::{LogFormat, Options};

/// Threads that serve sockets; computations and large requests have threads of their own.
const SOCKET_THREADS: usize = 2;

/// Threads for contexts and the embedded model; a request that finds none free is answered without context.
const COMPUTING_THREADS: usize = 16;

/// How long the start waits for the model's server and for what the first request needs.
const PROBE_PATIENCE: Duration = Duration::from_secs(3);

/// How long responses in progress may take after the server was told to stop.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(5);

/// Serves until SIGINT or SIGTERM. The address is printed on stdout when the server is ready.
pub fn serve(setup: Setup, options: Options) -> anyhow::Result<()> {
    options.check()?;
    let (version, pid) = (env!("CARGO_PKG_VERSION"), std::process::id());
    tracing::info!(version, pid, workspaces = ?options.workspaces, "the HTTP server starts");
    let backend = Arc::new(Backend::open(options.backend.clone())?);
    shell::check_threads(SOCKET_THREADS + 1)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(SOCKET_THREADS)
        .max_blocking_threads(COMPUTING_THREADS)
        // Once there is a thread, computations wait for it where no more can be started.
        .thread_keep_alive(Duration::from_hours(10_000))
        .enable_all()
        .build()
        .context("cannot start the server")?;
    runtime.spawn_blocking(|| ());
    let handlers = http::handlers::runtime(COMPUTING_THREADS).context("cannot start the server")?;
    let handle = handlers.handle().clone();
    let res = runtime.block_on(run(setup, options, Arc::clone(&backend), handle));
    // No client waits for what is still being computed.
    runtime.shutdown_background();
    handlers.shutdown_background();
    backend.close();
    res
}

async fn run(
    setup: Setup,
    options: Options,
    backend: Arc<Backend>,
    handlers: Handle,
) -> anyhow::Result<()> {
    let (listener, bound) = bind((options.host, options.port)).await?;
    let (close, closing) = watch::channel(false);
    let app = Arc::new(App::new(setup, options, backend, closing.clone())?);
    watcher::start(&app);
    // A request that came before would be late for what is only read once.
    let upstream = timeout(PROBE_PATIENCE, probe::probe(&app)).await;
    announce(bound)?;
    probe::introduce(&app, bound, upstream.as_ref().ok());
    let serving =
        http::listen::serve(listener, router::router(Arc::clone(&app), handlers), closing);
    tokio::pin!(serving);
    tokio::select! {
        () = &mut serving => return Ok(()),
        () = stop_signal() => {}
    }
    tracing::info!("the HTTP server was told to stop");
    close.send_replace(true);
    // Streams that are still read after that were told to end.
    let _ = timeout(SHUTDOWN_GRACE, serving).await;
    app.context.workspaces.store_sessions();
    Ok(())
}

/// Listens, and says where.
async fn bind(address: (IpAddr, u16)) -> anyhow::Result<(TcpListener, SocketAddr)> {
    let listener = TcpListener::bind(address).await.map_err(|error| {
        usage(format!(
            "cannot listen on {}:{}: {error}; name another with --port (0: any free one), or end the program that listens there",
            address.0, address.1
        ))
    })?;
    let bound = listener.local_addr().context("a bound socket has an address")?;
    Ok((listener, bound))
}

/// Prints the address on stdout: with `--port 0` it is not known before.
fn announce(bound: SocketAddr) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "http://{bound}").and_then(|()| out.flush()).context("cannot write to stdout")
}

#[cfg(unix)]
async fn stop_signal() {
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
async fn stop_signal() {
    interrupted().await;
}

async fn interrupted() {
    if tokio::signal::ctrl_c().await.is_err() {
        // Without signals the process can only be killed.
        std::future::pending::<()>().await;
    }
}
