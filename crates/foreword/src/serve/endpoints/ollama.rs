//! Ollama's `/api/generate`, and its clients' requests about models.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use axum::routing::{get, post};
use bytes::Bytes;
use foreword_session::clock::unix_seconds;
use serde_json::{Value, json};

use super::forward;
use crate::serve::app::App;
use crate::serve::clock::rfc3339;
use crate::serve::complete::complete;
use crate::serve::http::error::{ApiError, json_response};
use crate::serve::protocols::ollama::{self, Template};
use crate::serve::protocols::request::{RequestHeaders, object};

pub(super) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/api/generate", post(generate))
        .route("/api/show", post(show))
        .route("/api/tags", get(tags))
        .route("/api/version", get(version))
        .route("/api/ps", get(ps))
}

async fn generate(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, ApiError> {
    let body = object(&body)?;
    let template = match app.backend.server().await {
        Ok(Some(it)) if !it.server.api().is_ollama() => Template::None,
        Ok(None) => Template::None,
        _ => Template::OfServer,
    };
    let request = ollama::parse(body, template);
    Ok(complete(app, request, RequestHeaders::of(&headers)).await)
}

/// The response of the upstream server if it is Ollama.
async fn forward_to_ollama(
    app: &Arc<App>,
    method: &str,
    path: &str,
    headers: &HeaderMap,
    body: Option<Bytes>,
) -> Option<Response> {
    if let Ok(Some(it)) = app.backend.server().await
        && !it.server.api().is_ollama()
    {
        return None;
    }
    forward(app, method, path, headers, body).await
}

fn details() -> Value {
    json!({
        "parent_model": "", "format": "", "family": "foreword", "families": ["foreword"],
        "parameter_size": "", "quantization_level": "",
    })
}

async fn show(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, ApiError> {
    let request = object(&body)?;
    if let Some(res) = forward_to_ollama(&app, "POST", "/api/show", &headers, Some(body)).await {
        return Ok(res);
    }
    let model = app.model_name().await;
    let name = request.get("model").or_else(|| request.get("name")).and_then(Value::as_str);
    if name.unwrap_or_default().is_empty() {
        return Err(ApiError::bad_request("model is required"));
    }
    // Clients look for `.Suffix` to learn whether a model fills in the middle.
    Ok(json_response(&json!({
        "modelfile": "", "parameters": "", "template": "{{ .Prompt }}{{ .Suffix }}",
        "details": details(), "model_info": { "general.name": model },
        "capabilities": ["completion", "insert"], "modified_at": rfc3339(unix_seconds()),
    })))
}

async fn tags(State(app): State<Arc<App>>, headers: HeaderMap) -> Response {
    match forward_to_ollama(&app, "GET", "/api/tags", &headers, None).await {
        Some(res) => res,
        None => list(&app, json!({ "modified_at": rfc3339(unix_seconds()) })).await,
    }
}

async fn ps(State(app): State<Arc<App>>, headers: HeaderMap) -> Response {
    match forward_to_ollama(&app, "GET", "/api/ps", &headers, None).await {
        Some(res) => res,
        None => {
            let expires_at = rfc3339(unix_seconds() + 3600);
            list(&app, json!({ "expires_at": expires_at, "size_vram": 0 })).await
        }
    }
}

/// A list of the only model, with these further fields.
async fn list(app: &App, more: Value) -> Response {
    let name = app.model_name().await;
    let mut it =
        json!({ "name": name, "model": name, "size": 0, "digest": "", "details": details() });
    if let (Some(it), Value::Object(more)) = (it.as_object_mut(), more) {
        it.extend(more);
    }
    json_response(&json!({ "models": [it] }))
}

async fn version(State(app): State<Arc<App>>, headers: HeaderMap) -> Response {
    let res = forward_to_ollama(&app, "GET", "/api/version", &headers, None).await;
    res.unwrap_or_else(|| json_response(&json!({ "version": env!("CARGO_PKG_VERSION") })))
}
