//! llama.cpp's `/infill` and `/completion`, and its clients' other requests.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use bytes::Bytes;
use serde_json::json;

use super::forward;
use crate::serve::app::App;
use crate::serve::complete::complete;
use crate::serve::http::error::{ApiError, json_response};
use crate::serve::protocols::llama_cpp;
use crate::serve::protocols::request::{RequestHeaders, object, required_text};

pub(super) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/infill", post(infill))
        .route("/completion", post(completion))
        .route("/completions", post(completion))
        .route("/tokenize", post(tokenize))
        .route("/props", get(props))
}

async fn infill(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, ApiError> {
    let request = llama_cpp::parse_infill(object(&body)?)?;
    Ok(complete(app, request, RequestHeaders::of(&headers)).await)
}

async fn completion(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, ApiError> {
    let body = object(&body)?;
    let likely = app.upstream_format().await;
    let request = llama_cpp::parse_completion(body, likely)?;
    Ok(complete(app, request, RequestHeaders::of(&headers)).await)
}

async fn tokenize(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, ApiError> {
    let request = object(&body)?;
    if let Some(local) = app.backend.file() {
        let text = required_text(&request, "content")?;
        return Ok(json_response(&json!({ "tokens": (local.tokenise)(&text) })));
    }
    let res = forward(&app, "POST", "/tokenize", &headers, Some(body)).await;
    res.ok_or_else(|| {
        let message = "the embedded model has no tokens; name a server with --model-url, or a model file with --gguf";
        ApiError::new(StatusCode::NOT_IMPLEMENTED, message)
    })
}

async fn props(State(app): State<Arc<App>>, headers: HeaderMap) -> Response {
    let budget = app.options.budget;
    let (model, window) = match &app.backend.server().await {
        Ok(Some(it)) if !it.server.api().is_llama_cpp() => (it.server.model().to_owned(), budget),
        Ok(None) => {
            let window = app.backend.file().map_or(budget, |it| it.window);
            (app.backend.local_name().to_owned(), window)
        }
        _ => {
            let res = forward(&app, "GET", "/props", &headers, None).await;
            return res.unwrap_or_else(|| StatusCode::BAD_GATEWAY.into_response());
        }
    };
    json_response(&json!({
        "default_generation_settings": { "n_ctx": window }, "total_slots": 1, "model_alias": model,
        "model_path": "", "chat_template": "", "bos_token": "", "eos_token": "", "is_sleeping": false,
        "build_info": concat!("foreword ", env!("CARGO_PKG_VERSION")),
    }))
}
