//! OpenAI's `/v1/completions` and `/v1/models`. Tabby's requests come to the same path, and differ by their fields.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use axum::routing::{get, post};
use bytes::Bytes;
use serde_json::json;

use super::{forward, tabby};
use crate::serve::app::App;
use crate::serve::clock::unix_seconds;
use crate::serve::complete::complete;
use crate::serve::http::error::{ApiError, json_response};
use crate::serve::http::headers::RequestHeaders;
use crate::serve::protocols::json::object;
use crate::serve::protocols::openai;
use crate::serve::protocols::request::Endpoint;
use crate::serve::protocols::tabby::is_tabby;

pub(super) fn routes() -> Router<Arc<App>> {
    Router::new().route("/v1/completions", post(completions)).route("/v1/models", get(models))
}

async fn completions(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, ApiError> {
    let body = object(&body)?;
    if is_tabby(&body) {
        return tabby::completions(app, &headers, body).await;
    }
    let likely = app.upstream_format().await;
    let request = openai::parse(Endpoint::OpenAi, body, likely)?;
    Ok(complete(app, request, RequestHeaders::of(&headers)).await)
}

async fn models(State(app): State<Arc<App>>, headers: HeaderMap) -> Response {
    let own = || {
        let model = json!({
            "id": app.backend.local_name(), "object": "model", "created": unix_seconds(), "owned_by": "foreword",
        });
        json_response(&json!({ "object": "list", "data": [model] }))
    };
    forward(&app, "GET", "/v1/models", &headers, None).await.unwrap_or_else(own)
}
