//! Tabby's API, as its plugins speak it: completions by segments, events, health.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use bytes::Bytes;
use foreword_model::request::ContextPiece;
use serde_json::{Map, Value, json};

use super::object;
use crate::serve::app::App;
use crate::serve::complete::answer;
use crate::serve::context::prepare::snippet;
use crate::serve::http::error::{Refusal, json_of};
use crate::serve::observation::record::Verdict;
use crate::serve::protocols::request::{Ask, Door, Kind, Told, Wants};
use crate::uri;

/// Tokens of an answer at the most; clients name no limit.
const TOKENS: usize = 64;

pub(super) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/v1/events", post(events))
        .route("/v1/health", get(health).post(health))
        .route("/v1beta/server_setting", get(setting))
        .route("/v1beta/models", get(models))
}

/// Whether a request to `/v1/completions` is Tabby's.
pub(super) fn is_tabby(body: &Map<String, Value>) -> bool {
    let debug = body.get("debug_options").and_then(|it| it.get("raw_prompt"));
    body.contains_key("segments") || debug.is_some_and(Value::is_string)
}

/// `/v1/completions` with segments.
pub(super) async fn completions(
    app: Arc<App>,
    headers: &HeaderMap,
    body: Map<String, Value>,
) -> Result<Response, Refusal> {
    let ask = read(body)?;
    let mut told = Told::of(headers);
    // The bearer is the token of this server, and none of the model's.
    told.key = None;
    let option = |name: &str| ask.body.get("debug_options").and_then(|it| it[name].as_bool());
    if option("disable_retrieval_augmented_code_completion") == Some(true) {
        told.bypass = Some(true);
    }
    let wanted = Debug {
        snippets: option("return_snippets") == Some(true),
        prompt: option("return_prompt") == Some(true),
    };
    let has_returns = ask.prefix.contains("\r\n") || ask.suffix.contains("\r\n");
    let res = answer(Arc::clone(&app), ask, told).await;
    if !wanted.snippets && !wanted.prompt && !has_returns {
        return Ok(res);
    }
    finished(&app, res, &wanted, has_returns).await
}

struct Debug {
    snippets: bool,
    prompt: bool,
}

/// Adds what was asked for debugging, and line feeds as the client has them.
async fn finished(
    app: &App,
    res: Response,
    wanted: &Debug,
    has_returns: bool,
) -> Result<Response, Refusal> {
    let (parts, body) = res.into_parts();
    let bytes = axum::body::to_bytes(body, 1 << 24).await;
    let bytes = bytes.map_err(|it| Refusal::new(StatusCode::BAD_GATEWAY, it.to_string()))?;
    let Ok(mut value) = serde_json::from_slice::<Value>(&bytes) else {
        return Ok((parts, bytes).into_response());
    };
    let text = value.pointer("/choices/0/text").and_then(Value::as_str).map(str::to_owned);
    if let Some(text) = text.filter(|_| has_returns) {
        value["choices"][0]["text"] = text.replace("\r\n", "\n").replace('\n', "\r\n").into();
    }
    let id = parts.headers.get("x-foreword-request").and_then(|it| it.to_str().ok());
    if let Some(record) =
        id.and_then(|it| app.journal.get(it)).filter(|_| parts.status.is_success())
    {
        let mut debug = Map::new();
        if wanted.snippets {
            debug.insert("snippets".to_owned(), json!(record.snippets.as_ref()));
        }
        if wanted.prompt {
            debug.insert("prompt".to_owned(), json!(record.prompt.as_deref()));
        }
        if !debug.is_empty() {
            value["debug_data"] = Value::Object(debug);
        }
    }
    let mut res = json_of(&value);
    *res.status_mut() = parts.status;
    let own = parts.headers.iter().filter(|it| it.0.as_str().starts_with("x-foreword"));
    res.headers_mut().extend(own.map(|(name, value)| (name.clone(), value.clone())));
    Ok(res)
}

fn read(body: Map<String, Value>) -> Result<Ask, Refusal> {
    let mut ask = Ask::new(Door::Tabby, body);
    let wants = Wants::of(&ask.body, "max_tokens");
    ask.wants = Wants { max_tokens: Some(TOKENS), stream: false, ..wants };
    ask.language = Some(ask.text("language"));
    let raw = ask.body.get("debug_options").and_then(|it| it["raw_prompt"].as_str());
    if let Some(raw) = raw {
        ask.prefix = raw.into();
        ask.kind = Kind::Plain;
        return Ok(ask);
    }
    let Some(segments) = ask.body.get("segments").and_then(Value::as_object).cloned() else {
        return Err(Refusal::wrong("segments: an object is expected"));
    };
    let text = |name: &str| segments.get(name).and_then(Value::as_str).map(str::to_owned);
    let Some(prefix) = text("prefix") else {
        return Err(Refusal::wrong("segments.prefix is missing"));
    };
    (ask.prefix, ask.suffix) = (prefix, text("suffix").unwrap_or_default());
    (ask.file, ask.repository) = (text("filepath"), text("git_url"));
    ask.shown = brought(&segments);
    Ok(ask)
}

/// What the client has gathered, the least valuable first: Tabby takes declarations before what changed, and that
/// before what was opened.
fn brought(segments: &Map<String, Value>) -> Vec<ContextPiece> {
    let lists = [
        "relevant_snippets_from_recently_opened_files",
        "relevant_snippets_from_changed_files",
        "declarations",
    ];
    let all =
        lists.iter().filter_map(|it| segments.get(*it)?.as_array()).flat_map(|it| it.iter().rev());
    let shown = |it: &Value| {
        let path = it["filepath"].as_str().unwrap_or_default();
        // Declarations of dependencies are named by URI.
        let path =
            uri::path_of(path).map_or_else(|| path.to_owned(), |it| it.display().to_string());
        snippet(&path, it["body"].as_str().unwrap_or_default())
    };
    all.filter_map(shown).collect()
}

/// What the user did with a completion. The answer is empty.
async fn events(State(app): State<Arc<App>>, body: Bytes) -> Result<StatusCode, Refusal> {
    let body = object(&body)?;
    let text = |name: &str| body.get(name).and_then(Value::as_str).unwrap_or_default();
    let verdict = match text("type") {
        "view" => Verdict::Viewed,
        "select" => Verdict::Accepted,
        "dismiss" => Verdict::Dismissed,
        other => return Err(Refusal::wrong(format!("type: {other:?} is no event"))),
    };
    let id = text("completion_id");
    app.metrics.judged(verdict);
    // One that is not kept any more was counted at least.
    app.journal.change(id.strip_prefix("cmpl-").unwrap_or(id), |it| it.verdict = Some(verdict));
    Ok(StatusCode::OK)
}

/// For Tabby's clients and for llama.cpp's at once.
async fn health(State(app): State<Arc<App>>) -> Response {
    let upstream = app.backend.server().await;
    let (model, kind, place) = match &upstream {
        Ok(Some(it)) => (it.server.model(), it.server.api().name(), it.server.base()),
        // A server that is not there now may be there for the next completion.
        Err(_) => ("", "unreachable", app.options.backend.url.as_deref().unwrap_or_default()),
        Ok(None) if app.backend.file().is_some() => (app.backend.local_name(), "gguf", ""),
        Ok(None) => (app.backend.local_name(), "embedded", ""),
    };
    let model = if model.is_empty() { "model" } else { model };
    let cpus = std::thread::available_parallelism().map_or(1, usize::from);
    let version = concat!("v", env!("CARGO_PKG_VERSION"));
    json_of(&json!({
        "status": "ok", "model": model, "chat_model": null, "device": "cpu", "cuda_devices": [],
        "models": {
            "completion": { "remote": { "kind": kind, "model_name": model, "api_endpoint": place } },
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

/// Tabby's own telemetry is switched off.
async fn setting() -> Response {
    json_of(&json!({ "disable_client_side_telemetry": true }))
}

async fn models(State(app): State<Arc<App>>) -> Response {
    let endpoint = app.backend.endpoint().await.ok();
    let named = endpoint.map(|it| it.name().to_owned()).filter(|it| !it.is_empty());
    json_of(
        &json!({ "completion": [named.unwrap_or_else(|| app.backend.local_name().to_owned())], "chat": null }),
    )
}
