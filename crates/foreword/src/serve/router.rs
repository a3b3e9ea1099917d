//! Which path is answered by what.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::header;
use axum::middleware;
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use serde_json::json;
use tower_http::catch_panic::CatchPanicLayer;

use crate::serve::app::App;
use crate::serve::http::error::json_of;
use crate::serve::http::{listen, security};
use crate::serve::{endpoints, inspector};

/// All routes behind the checks.
pub(crate) fn router(app: Arc<App>) -> Router {
    let routes = Router::new()
        .route("/health", get(health))
        .route("/metrics", get(metrics))
        .merge(endpoints::routes())
        .merge(endpoints::requests::routes())
        .merge(inspector::routes())
        .route("/mcp", crate::mcp::route(app.repositories.clone()))
        .fallback(endpoints::other);
    routes
        // It has been read, within its own limit.
        .layer(axum::extract::DefaultBodyLimit::disable())
        .layer(middleware::from_fn(listen::body))
        .layer(middleware::from_fn_with_state(Arc::clone(&app), security::check))
        .layer(CatchPanicLayer::new())
        .with_state(app)
}

/// `GET /health`, as llama.cpp answers.
async fn health(State(app): State<Arc<App>>) -> Response {
    json_of(&json!({ "status": "ok", "uptime_s": app.started.elapsed().as_secs() }))
}

/// `GET /metrics`, as Prometheus reads it.
async fn metrics(State(app): State<Arc<App>>) -> Response {
    let (records, bytes) = app.journal.size();
    // Without a look at the disk: what is here was seen by a request or by the watcher.
    let files = app.repositories.iter().filter_map(|it| it.latest()).map(|it| it.files().len());
    let gauges = [
        ("foreword_files", "Files that are indexed.", files.sum()),
        ("foreword_journal_requests", "Requests that are kept.", records),
        ("foreword_journal_bytes", "About how many bytes they take.", bytes),
        ("foreword_workspaces", "Repositories that are served.", app.repositories.len()),
    ];
    let headers = [(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")];
    (headers, app.metrics.show(&gauges)).into_response()
}
