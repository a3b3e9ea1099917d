//! The routes, and the middleware that every request passes first.

use std::sync::Arc;

use axum::Router;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::header;
use axum::middleware;
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use serde_json::json;
use tokio::runtime::Handle;
use tower_http::catch_panic::CatchPanicLayer;

use super::app::App;
use super::http::error::{self, json_response};
use super::http::{handlers, listen, security};
use super::{endpoints, inspector};

/// All routes behind the access checks. Large requests are handled by the runtime `handlers`.
pub(super) fn router(app: Arc<App>, handlers: Handle) -> Router {
    let options = Arc::clone(&app.options);
    let served = app.context.workspaces.repositories.clone();
    let routes = Router::new()
        .route("/health", get(health))
        .route("/metrics", get(metrics))
        .merge(endpoints::routes())
        .merge(inspector::routes())
        .route("/mcp", crate::mcp::route(served, options.mcp_content))
        .fallback(endpoints::fallback);
    routes
        // `read_body` has its own limit.
        .layer(DefaultBodyLimit::disable())
        .layer(middleware::from_fn_with_state(handlers, handlers::dispatch))
        .layer(middleware::from_fn_with_state(listen::BodyRoom::new(), listen::read_body))
        .layer(middleware::from_fn_with_state(options, security::check))
        .layer(middleware::from_fn(error::reshape))
        .layer(CatchPanicLayer::new())
        .with_state(app)
}

/// `GET /health`, as llama.cpp answers; `degraded` with the reason while the model's server is away.
async fn health(State(app): State<Arc<App>>) -> Response {
    // Everyone may ask, so the address of the server is not told.
    let trouble = app.trouble().await.map(|_| "the model's server does not answer");
    let status = if trouble.is_none() { "ok" } else { "degraded" };
    let uptime = app.started.elapsed().as_secs();
    json_response(&json!({ "status": status, "trouble": trouble, "uptime_s": uptime }))
}

/// `GET /metrics`, for Prometheus.
async fn metrics(State(app): State<Arc<App>>) -> Response {
    let (records, bytes) = app.observation.journal.size();
    let repositories = &app.context.workspaces.repositories;
    // Without checking the disk: the snapshots that a request or the watcher saw last.
    let files = repositories.iter().filter_map(|it| it.latest()).map(|it| it.files().len());
    let checks = repositories.iter().map(|it| it.checks() as usize);
    let gauges = [
        ("foreword_files", "Files that are indexed.", files.sum()),
        ("foreword_disk_checks", "How often all files were looked at.", checks.sum()),
        ("foreword_journal_requests", "Requests that are kept.", records),
        ("foreword_journal_bytes", "About how many bytes they take.", bytes),
        ("foreword_workspaces", "Repositories that are served.", repositories.len()),
    ];
    let headers = [(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")];
    (headers, app.observation.metrics.render(&gauges)).into_response()
}
