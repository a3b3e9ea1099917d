//! The inspector: its page, and what the page asks for beside the journal of requests (docs/inspector.md).

mod again;
mod ask;
mod context;
mod index;
mod map;
mod settings;

use std::sync::{Arc, LazyLock};

use axum::Router;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use foreword_engine::source::ContentHash;

use crate::answer::inspector_page::PAGE;
use crate::serve::app::App;

/// `/`, and the inspector's part of `/api`.
pub(crate) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/", get(page))
        .route("/api/settings", get(settings::settings))
        .route("/api/context", get(context::context))
        .route("/api/replay", post(context::replay))
        .route("/api/index", get(index::index))
        .route("/api/files", get(index::files))
        .route("/api/ignored", get(index::ignored))
        .route("/api/map", get(map::map))
}

/// A name for the bytes of the page.
static TAG: LazyLock<String> =
    LazyLock::new(|| format!("\"{}\"", &ContentHash::of(PAGE.as_bytes()).to_string()[..16]));

/// `GET /`. The page brings its own policy; that nobody may put it into a frame can only be said here.
async fn page(headers: HeaderMap) -> Response {
    let own = [
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
        return (StatusCode::NOT_MODIFIED, own).into_response();
    }
    (own, PAGE).into_response()
}
