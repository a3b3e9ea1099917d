//! Which path is answered by what.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, Uri};
use axum::middleware;
use axum::response::Response;
use axum::routing::get;
use serde_json::json;
use tower_http::catch_panic::CatchPanicLayer;

use super::app::App;
use super::error::{Refusal, json_of};
use super::{api, inspector, security};

/// Bytes of a request. The largest that is known, a ring of chunks and a long window, is a twentieth of it.
pub(super) const MOST_BYTES: usize = 8 << 20;

/// All routes behind the checks.
pub(super) fn router(app: Arc<App>) -> Router {
    let routes = Router::new()
        .route("/health", get(health))
        .merge(api::routes())
        .merge(inspector::routes())
        // Here belongs `.nest_service("/mcp", …)` for agents.
        .fallback(unknown);
    routes
        .layer(axum::extract::DefaultBodyLimit::max(MOST_BYTES))
        .layer(middleware::from_fn_with_state(Arc::clone(&app), security::check))
        .layer(CatchPanicLayer::new())
        .with_state(app)
}

/// `GET /health`, as llama.cpp answers.
async fn health(State(app): State<Arc<App>>) -> Response {
    json_of(&json!({ "status": "ok", "uptime_s": app.started.elapsed().as_secs() }))
}

async fn unknown(uri: Uri) -> Refusal {
    let message = format!("there is nothing at {}; docs/serve.md lists what there is", uri.path());
    Refusal::new(StatusCode::NOT_FOUND, message)
}
