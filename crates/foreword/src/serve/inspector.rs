//! The inspector: its page, and the endpoints that only the page uses (docs/inspector.md).

mod ask;
mod feedback;
mod index;
mod lines;
mod map;
mod next;
mod plans;
mod replay;
mod settings;
mod traces;
pub(crate) mod workspace;

use std::sync::{Arc, LazyLock};

use axum::Router;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use foreword_engine::source::ContentHash;

use crate::inspector_page::PAGE;
use crate::serve::app::App;

/// `/`, and the inspector's part of `/api`.
pub(crate) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/", get(page))
        .route("/api/settings", get(settings::settings))
        .route("/api/context", get(traces::context))
        .route("/api/replay", post(traces::replay))
        .route("/api/feedback", get(feedback::list).post(feedback::add).delete(feedback::clear))
        .route("/api/index", get(index::index))
        .route("/api/files", get(index::files))
        .route("/api/ignored", get(index::ignored))
        .route("/api/map", get(map::map))
        .route("/api/ask", post(ask::ask))
        .route("/api/lines", get(lines::lines))
        .route("/api/next", get(next::next))
        .route("/api/plans", get(plans::plans))
        .route("/api/plan", get(plans::plan))
}

/// The entity tag of the page.
static TAG: LazyLock<String> =
    LazyLock::new(|| format!("\"{}\"", &ContentHash::of(PAGE.as_bytes()).to_string()[..16]));

/// `GET /`. The page has its own content security policy, but only a header can forbid frames.
async fn page(headers: HeaderMap) -> Response {
    let headers_sent = [
        (header::ETAG, TAG.as_str()),
        (header::CACHE_CONTROL, "no-cache"),
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CONTENT_SECURITY_POLICY, "frame-ancestors 'none'"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
    ];
    let known = headers.get(header::IF_NONE_MATCH).and_then(|it| it.to_str().ok());
    let is_known = known.is_some_and(|it| it.split(',').any(|it| it.trim() == TAG.as_str()));
    if is_known {
        return (StatusCode::NOT_MODIFIED, headers_sent).into_response();
    }
    (headers_sent, PAGE).into_response()
}
