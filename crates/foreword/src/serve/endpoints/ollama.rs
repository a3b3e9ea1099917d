//! Ollama's `/api/generate`, and what its clients ask about models.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use axum::routing::{get, post};
use bytes::Bytes;
use serde_json::{Map, Value, json};

use super::{object, openai, passed};
use crate::serve::app::App;
use crate::serve::complete::{answer, now};
use crate::serve::http::error::{Refusal, json_of};
use crate::serve::protocols::fim;
use crate::serve::protocols::request::{Ask, Door, Kind, Told, Wants};
use crate::serve::protocols::timestamp::time;

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
) -> Result<Response, Refusal> {
    let body = object(&body)?;
    let ask = read(body);
    Ok(answer(app, ask, Told::of(&headers)).await)
}

fn read(body: Map<String, Value>) -> Ask {
    let mut ask = Ask::new(Door::Ollama, body);
    ask.wants = wants(&ask.body);
    let prompt = ask.text("prompt");
    let is_raw = ask.body.get("raw").and_then(Value::as_bool).unwrap_or(false);
    let has_suffix =
        ask.body.get("suffix").is_some_and(|it| it.as_str().is_some_and(|it| !it.is_empty()));
    // Nothing to read: the model is to be loaded, or unloaded.
    let is_other = ["images", "format", "think"].iter().any(|it| ask.body.contains_key(*it));
    if prompt.is_empty() && !has_suffix || is_other {
        ask.kind = Kind::Opaque;
    } else if has_suffix {
        openai::with_suffix(&mut ask, &prompt);
    } else if let Some(parsed) = fim::parse(&prompt, None).filter(|_| is_raw) {
        ask.kind = Kind::Rendered(parsed.format);
        (ask.prefix, ask.suffix) = (parsed.prefix, parsed.suffix);
        (ask.file, ask.shown) = (parsed.path, parsed.shown);
    } else if is_raw {
        ask.kind = Kind::Plain;
        ask.prefix = prompt;
    } else {
        // Without `raw` and without a suffix it is a question to a chat model.
        ask.kind = Kind::Opaque;
    }
    ask
}

/// Ollama streams unless it is told not to.
fn wants(body: &Map<String, Value>) -> Wants {
    let empty = Map::new();
    let options = body.get("options").and_then(Value::as_object).unwrap_or(&empty);
    let stream = body.get("stream").and_then(Value::as_bool).unwrap_or(true);
    let window = options.get("num_ctx").and_then(Value::as_u64).filter(|it| *it > 0);
    let window = window.map(|it| it as usize);
    Wants { stream, window, ..Wants::of(options, "num_predict") }
}

/// The answer of a server that is Ollama; none where there is another, or none.
async fn own(
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
    passed(app, method, path, headers, body).await
}

/// The name under which the model is shown where the server is not Ollama.
async fn model(app: &App) -> String {
    let endpoint = app.backend.endpoint().await.ok();
    let named = endpoint.map(|it| it.name().to_owned()).filter(|it| !it.is_empty());
    named.unwrap_or_else(|| app.backend.local_name().to_owned())
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
) -> Result<Response, Refusal> {
    let asked = object(&body)?;
    if let Some(res) = own(&app, "POST", "/api/show", &headers, Some(body)).await {
        return Ok(res);
    }
    let known = model(&app).await;
    let name = asked.get("model").or_else(|| asked.get("name")).and_then(Value::as_str);
    let name = name.unwrap_or_default();
    if name.is_empty() {
        return Err(Refusal::new(StatusCode::BAD_REQUEST, "model is required"));
    }
    // Clients look for `.Suffix` to learn whether a model fills holes.
    Ok(json_of(&json!({
        "modelfile": "", "parameters": "", "template": "{{ .Prompt }}{{ .Suffix }}",
        "details": details(), "model_info": { "general.name": known },
        "capabilities": ["completion", "insert"], "modified_at": time(now()),
    })))
}

async fn tags(State(app): State<Arc<App>>, headers: HeaderMap) -> Response {
    match own(&app, "GET", "/api/tags", &headers, None).await {
        Some(res) => res,
        None => listed(&app, json!({ "modified_at": time(now()) })).await,
    }
}

async fn ps(State(app): State<Arc<App>>, headers: HeaderMap) -> Response {
    match own(&app, "GET", "/api/ps", &headers, None).await {
        Some(res) => res,
        None => listed(&app, json!({ "expires_at": time(now() + 3600), "size_vram": 0 })).await,
    }
}

async fn listed(app: &App, more: Value) -> Response {
    let name = model(app).await;
    let mut it =
        json!({ "name": name, "model": name, "size": 0, "digest": "", "details": details() });
    if let (Some(it), Value::Object(more)) = (it.as_object_mut(), more) {
        it.extend(more);
    }
    json_of(&json!({ "models": [it] }))
}

async fn version(State(app): State<Arc<App>>, headers: HeaderMap) -> Response {
    let own = own(&app, "GET", "/api/version", &headers, None).await;
    own.unwrap_or_else(|| json_of(&json!({ "version": env!("CARGO_PKG_VERSION") })))
}
