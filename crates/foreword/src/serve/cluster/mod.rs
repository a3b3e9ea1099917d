//! `foreword serve --cluster`: the repositories of a cluster over HTTP, to those who may read them. Users reach this server
//! and not the cluster, so that what a token may read is decided here (docs/scale.md).
//!
//! * `rights`: the file of tokens.
//! * `door`: who asks, and what may be read.
//! * `questions`: the endpoints about many repositories. `ask`, `context`, `symbols`: those about one.

mod ask;
mod context;
mod door;
mod questions;
mod rights;
mod symbols;

use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware;
use axum::routing::{get, post};
use foreword_cluster::{Access, Cluster};
use foreword_session::backend::ChatSettings;
use foreword_session::config::Shape;
use foreword_session::setup::Setup;
use foreword_session::usage::usage;
use tokio::sync::{Semaphore, watch};
use tokio::time::timeout;
use tower_http::catch_panic::CatchPanicLayer;

use self::rights::RightsFile;
use super::http::{error, listen};
use super::{SHUTDOWN_GRACE, SOCKET_THREADS, announce, bind, stop_signal};
use crate::limits::shell;
use crate::mcp::{AnswerContent, CallCounts, PushedRepositories};

/// Questions that are answered at a time; others wait.
const AT_A_TIME: usize = 8;

/// Answers of the chat model that are written at a time: they take a thread each, and much longer than other answers.
const CONVERSATIONS: usize = AT_A_TIME / 2;

/// Bytes of branches that are kept for further questions, as they were read.
pub(crate) const MOST_KEPT: usize = 256 << 20;

/// How the server of a cluster listens, and who may ask.
pub struct ClusterOptions {
    /// The address that it listens on.
    pub host: IpAddr,
    /// 0 for any free port.
    pub port: u16,
    /// Host names of the server, beside those of the loopback interface.
    pub allowed_hosts: Vec<String>,
    /// A token that may read everything.
    pub token: Option<String>,
    /// The file of tokens.
    pub rights: Option<PathBuf>,
    /// The cluster.
    pub cluster: Cluster,
    /// How prompts are made, unless a request says so.
    pub prompts: PromptSettings,
    /// The chat model that answers where a question asks for an answer.
    pub chat: Option<ChatSettings>,
    /// The content of answers to agents.
    pub mcp_content: AnswerContent,
}

/// How prompts are made.
pub struct PromptSettings {
    /// Limits of texts, and their parser.
    pub setup: Setup,
    /// The model or prompt format.
    pub model: String,
    /// The file with the model's tokenizer.
    pub tokenizer: Option<PathBuf>,
    /// Tokens of a prompt.
    pub budget: usize,
    /// Its pieces.
    pub shape: Shape,
}

/// A running server.
struct ClusterApp {
    host: IpAddr,
    allowed_hosts: Vec<String>,
    token: Option<String>,
    rights: Option<RightsFile>,
    cluster: Arc<Cluster>,
    prompts: PromptSettings,
    chat: Option<ChatSettings>,
    /// One permit for each answer of the chat model that may be written at a time.
    conversations: Arc<Semaphore>,
    mcp_content: AnswerContent,
    started: Instant,
    answers: questions::Answers,
    agent_calls: Arc<CallCounts>,
}

impl ClusterOptions {
    /// Rejects settings that are unsafe or contradict each other.
    fn check(self) -> anyhow::Result<ClusterApp> {
        if self.token.is_some() && self.rights.is_some() {
            return Err(usage(
                "--token reads everything; with --rights, give it a line in that file",
            ));
        }
        if self.token.as_deref().is_some_and(|it| it.trim().is_empty()) {
            return Err(usage("--token is empty; name one, or leave it out"));
        }
        if !self.host.is_loopback() && self.token.is_none() && self.rights.is_none() {
            return Err(usage(format!(
                "--host {} lets other machines in, and anyone there could read all repositories: give --rights FILE, or a --token",
                self.host
            )));
        }
        Ok(ClusterApp {
            host: self.host,
            allowed_hosts: self.allowed_hosts,
            token: self.token,
            rights: self.rights.as_deref().map(RightsFile::open).transpose()?,
            cluster: Arc::new(self.cluster.keeping(MOST_KEPT)),
            prompts: self.prompts,
            chat: self.chat,
            conversations: Arc::new(Semaphore::new(CONVERSATIONS)),
            mcp_content: self.mcp_content,
            started: Instant::now(),
            answers: questions::Answers::default(),
            agent_calls: Arc::default(),
        })
    }
}

/// Serves until SIGINT or SIGTERM. The address is printed on stdout when the server is ready.
pub fn serve_cluster(options: ClusterOptions) -> anyhow::Result<()> {
    let address = (options.host, options.port);
    let app = Arc::new(options.check()?);
    shell::check_threads(SOCKET_THREADS + 1)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(SOCKET_THREADS)
        .max_blocking_threads(AT_A_TIME)
        .thread_keep_alive(Duration::from_hours(10_000))
        .enable_all()
        .build()
        .context("cannot start the server")?;
    let res = runtime.block_on(async {
        let (listener, bound) = bind(address).await?;
        let (close, closing) = watch::channel(false);
        announce(bound)?;
        let serving = listen::serve(listener, router(app), closing);
        tokio::pin!(serving);
        tokio::select! {
            () = &mut serving => return Ok(()),
            () = stop_signal() => {}
        }
        close.send_replace(true);
        let _ = timeout(SHUTDOWN_GRACE, serving).await;
        Ok(())
    });
    runtime.shutdown_background();
    res
}

fn router(app: Arc<ClusterApp>) -> Router {
    let pushed = PushedRepositories {
        cluster: Arc::clone(&app.cluster),
        // Each request has its own.
        access: Access::of(Vec::new()),
        branch: None,
        told: |error| questions::told(&error),
        calls: Arc::clone(&app.agent_calls),
    };
    Router::new()
        .route("/v1/search", post(questions::search))
        .route("/v1/symbols", post(symbols::symbols))
        .route("/v1/ask", post(ask::ask))
        .route("/v1/context", post(context::context))
        .route("/v1/map", post(symbols::map))
        .route("/mcp", crate::mcp::route_to_cluster(pushed, app.mcp_content))
        .route("/metrics", get(questions::metrics))
        .route("/health", get(questions::health))
        .fallback(questions::fallback)
        // `read_body` has its own limit.
        .layer(DefaultBodyLimit::disable())
        .layer(middleware::from_fn_with_state(listen::BodyRoom::new(), listen::read_body))
        .layer(middleware::from_fn_with_state(Arc::clone(&app), door::check))
        .layer(middleware::from_fn(error::reshape))
        .layer(CatchPanicLayer::new())
        .with_state(app)
}
