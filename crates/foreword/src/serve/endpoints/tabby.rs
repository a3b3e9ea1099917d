//! Tabby's API, as its plugins use it: completions by segments, events, health.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use bytes::Bytes;
use foreword_session::feedback::{self, About, Event, Source};
use foreword_session::host::Repository;
use serde_json::{Map, Value, json};

use crate::serve::app::App;
use crate::serve::complete::complete;
use crate::serve::http::error::{ApiError, json_response};
use crate::serve::observation::record::{Record, Verdict};
use crate::serve::protocols::request::{RequestHeaders, object};
use crate::serve::protocols::tabby::{self, DebugOptions};

/// Bytes of a response that is read to be changed.
const MAX_RESPONSE_BYTES: usize = 1 << 24;

pub(super) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/v1/events", post(events))
        .route("/v1/health", get(health).post(health))
        .route("/v1beta/server_setting", get(settings))
        .route("/v1beta/models", get(models))
}

/// `/v1/completions` with segments.
pub(super) async fn completions(
    app: Arc<App>,
    headers: &HeaderMap,
    body: Map<String, Value>,
) -> Result<Response, ApiError> {
    let request = tabby::parse(body)?;
    let mut headers = RequestHeaders::of(headers);
    // The bearer is a token of this server, and no key of the model's.
    headers.key = None;
    let debug = DebugOptions::of(&request);
    if debug.disables_retrieval {
        headers.bypass = Some(true);
    }
    let has_crlf = request.prefix.contains("\r\n") || request.suffix.contains("\r\n");
    let newlines = if has_crlf { Newlines::CrLf } else { Newlines::AsWritten };
    let res = complete(Arc::clone(&app), request, headers).await;
    if !debug.returns_snippets && !debug.returns_prompt && !has_crlf {
        return Ok(res);
    }
    adjust(&app, res, &debug, newlines).await
}

/// The line ends of a completion.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Newlines {
    AsWritten,
    CrLf,
}

/// Adds what was requested for debugging, and makes line ends those of the client's file.
async fn adjust(
    app: &App,
    res: Response,
    debug: &DebugOptions,
    newlines: Newlines,
) -> Result<Response, ApiError> {
    let (parts, body) = res.into_parts();
    let bytes = axum::body::to_bytes(body, MAX_RESPONSE_BYTES).await;
    let bytes = bytes.map_err(|it| ApiError::new(StatusCode::BAD_GATEWAY, it.to_string()))?;
    let Ok(mut value) = serde_json::from_slice::<Value>(&bytes) else {
        return Ok((parts, bytes).into_response());
    };
    let text = value.pointer("/choices/0/text").and_then(Value::as_str).map(str::to_owned);
    if let Some(text) = text.filter(|_| newlines == Newlines::CrLf) {
        value["choices"][0]["text"] = text.replace("\r\n", "\n").replace('\n', "\r\n").into();
    }
    let id = parts.headers.get("x-foreword-request").and_then(|it| it.to_str().ok());
    let record = id.and_then(|it| app.observation.journal.get(it));
    if let Some(record) = record.filter(|_| parts.status.is_success()) {
        add_debug_data(&mut value, &record, debug);
    }
    let mut res = json_response(&value);
    *res.status_mut() = parts.status;
    let own = parts.headers.iter().filter(|it| it.0.as_str().starts_with("x-foreword"));
    res.headers_mut().extend(own.map(|(name, value)| (name.clone(), value.clone())));
    Ok(res)
}

fn add_debug_data(value: &mut Value, record: &Record, debug: &DebugOptions) {
    let mut data = Map::new();
    if debug.returns_snippets {
        data.insert("snippets".to_owned(), json!(record.snippets.as_ref()));
    }
    if debug.returns_prompt {
        data.insert("prompt".to_owned(), json!(record.prompt.as_deref()));
    }
    if !data.is_empty() {
        value["debug_data"] = Value::Object(data);
    }
}

/// Records the user's verdict on a completion. The response is empty.
async fn events(State(app): State<Arc<App>>, body: Bytes) -> Result<StatusCode, ApiError> {
    let body = object(&body)?;
    let text = |name: &str| body.get(name).and_then(Value::as_str).unwrap_or_default();
    let verdict = match text("type") {
        "view" => Verdict::Viewed,
        "select" => Verdict::Accepted,
        "dismiss" => Verdict::Dismissed,
        other => return Err(ApiError::bad_request(format!("type: {other:?} is no event"))),
    };
    let id = text("completion_id");
    let id = id.strip_prefix("cmpl-").unwrap_or(id);
    app.observation.metrics.verdict(verdict);
    // A request that is not kept any more is at least counted.
    app.observation.journal.update(id, |it| it.verdict = Some(verdict));
    observe(&app, id, verdict);
    Ok(StatusCode::OK)
}

/// Keeps what the user did with a completion as feedback on the pieces that it took something from, if that is wanted.
fn observe(app: &App, id: &str, verdict: Verdict) {
    let Some(record) = app.observation.journal.get(id) else { return };
    let verdict = match verdict {
        Verdict::Viewed => return,
        Verdict::Accepted => feedback::Verdict::Good,
        Verdict::Dismissed => feedback::Verdict::Bad,
    };
    let all = &app.context.workspaces.repositories;
    let root = record.location.workspace.as_deref();
    let named = |it: &&Arc<Repository>| root == Some(&*it.workspace().root.display().to_string());
    let Some(repository) = all.iter().find(named).map(Arc::clone) else { return };
    let event = |place| Event {
        at: foreword_session::clock::unix_seconds(),
        verdict,
        source: Source::Editor,
        about: About::Completion,
        question: String::new(),
        place,
    };
    let events: Vec<Event> = record.places_used().into_iter().map(event).collect();
    // A file is written, which takes too long for a thread that serves sockets.
    tokio::task::spawn_blocking(move || repository.observe(&events));
}

/// For Tabby's clients and for llama.cpp's at once.
async fn health(State(app): State<Arc<App>>) -> Response {
    let backend = &app.backend;
    let upstream = backend.server().await;
    let (model, kind, url) = match &upstream {
        Ok(Some(it)) => (it.server.model(), it.server.api().name(), it.server.base()),
        // A server that is not reachable now may be for the next completion.
        Err(_) => ("", "unreachable", app.options.backend.url.as_deref().unwrap_or_default()),
        Ok(None) if backend.file().is_some() => (backend.local_name(), "gguf", ""),
        Ok(None) => (backend.local_name(), "embedded", ""),
    };
    let model = if model.is_empty() { "model" } else { model };
    let trouble = upstream.as_ref().err().map(|it| it.message.as_str());
    let status = if trouble.is_none() { "ok" } else { "degraded" };
    let cpus = std::thread::available_parallelism().map_or(1, usize::from);
    let version = concat!("v", env!("CARGO_PKG_VERSION"));
    json_response(&json!({
        "status": status, "trouble": trouble, "model": model, "chat_model": null, "device": "cpu", "cuda_devices": [],
        "models": {
            "completion": { "remote": { "kind": kind, "model_name": model, "api_endpoint": url } },
            "embedding": { "local": { "model_id": "none", "device": "cpu" } },
        },
        "arch": std::env::consts::ARCH, "cpu_info": "", "cpu_count": cpus,
        // Clients compare this with versions of Tabby.
        "version": {
            "build_date": "2026-06-30", "build_timestamp": "2026-06-30T00:00:00Z",
            "git_sha": format!("foreword {version}"), "git_describe": "v0.32.0",
        },
        "webserver": false,
    }))
}

/// Switches Tabby's own telemetry off.
async fn settings() -> Response {
    json_response(&json!({ "disable_client_side_telemetry": true }))
}

async fn models(State(app): State<Arc<App>>) -> Response {
    let model = app.model_name().await;
    json_response(&json!({ "completion": [model], "chat": null }))
}
