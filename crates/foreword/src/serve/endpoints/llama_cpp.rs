//! llama.cpp's server: `/infill` and `/completion`, and what its clients ask about it.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use bytes::Bytes;
use foreword_model::request::ContextPiece;
use serde_json::{Map, Value, json};

use super::openai;
use super::{object, passed, required};
use crate::serve::app::App;
use crate::serve::complete::answer;
use crate::serve::context::prepare::snippet;
use crate::serve::http::error::{Refusal, json_of};
use crate::serve::protocols::request::{Ask, Door, Kind, Told, Wants};

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
) -> Result<Response, Refusal> {
    let ask = read_infill(object(&body)?)?;
    Ok(answer(app, ask, Told::of(&headers)).await)
}

/// The text on the cursor's line stands in `prompt`, after `input_prefix`.
pub(crate) fn read_infill(body: Map<String, Value>) -> Result<Ask, Refusal> {
    let (prefix, suffix) = (required(&body, "input_prefix")?, required(&body, "input_suffix")?);
    let mut ask = Ask::new(Door::Infill, body);
    ask.prefix = prefix + &ask.text("prompt");
    ask.suffix = suffix;
    ask.wants = wants(&ask.body);
    ask.shown = extra(&ask.body)?;
    if ask.wants.max_tokens == Some(0) {
        ask.kind = Kind::WarmUp;
    }
    Ok(ask)
}

fn wants(body: &Map<String, Value>) -> Wants {
    let n = body.get("n_cmpl").and_then(Value::as_u64).unwrap_or(1).max(1) as usize;
    // A negative number is no limit.
    Wants { n, ..Wants::of(body, "n_predict") }
}

fn extra(body: &Map<String, Value>) -> Result<Vec<ContextPiece>, Refusal> {
    let all = body.get("input_extra").and_then(Value::as_array);
    let mut res = Vec::new();
    for it in all.into_iter().flatten() {
        let Some(text) = it["text"].as_str() else {
            let message = "extra_context chunk must contain a \"text\" field with a string value";
            return Err(Refusal::wrong(message));
        };
        res.extend(snippet(it["filename"].as_str().unwrap_or_default(), text));
    }
    Ok(res)
}

async fn completion(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Refusal> {
    let body = object(&body)?;
    let upstream = app.backend.server().await.ok().flatten();
    let likely = upstream.and_then(|it| it.format.as_ref().ok().copied());
    let mut ask = openai::read(Door::Completion, body, likely)?;
    ask.wants = wants(&ask.body);
    if ask.wants.max_tokens == Some(0) {
        ask.kind = Kind::WarmUp;
    }
    Ok(answer(app, ask, Told::of(&headers)).await)
}

async fn tokenize(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Refusal> {
    let asked = object(&body)?;
    if let Some(local) = app.backend.file() {
        let text = required(&asked, "content")?;
        return Ok(json_of(&json!({ "tokens": (local.tokenise)(&text) })));
    }
    let res = passed(&app, "POST", "/tokenize", &headers, Some(body)).await;
    res.ok_or_else(|| {
        let message = "the embedded model has no tokens; name a server with --model-url, or a model file with --gguf";
        Refusal::new(StatusCode::NOT_IMPLEMENTED, message)
    })
}

async fn props(State(app): State<Arc<App>>, headers: HeaderMap) -> Response {
    let upstream = app.backend.server().await;
    let (model, window) = match &upstream {
        Ok(Some(it)) if !it.server.api().is_llama_cpp() => {
            (it.server.model().to_owned(), app.options.budget)
        }
        Ok(None) => {
            let window = app.backend.file().map_or(app.options.budget, |it| it.window);
            (app.backend.local_name().to_owned(), window)
        }
        _ => {
            let res = passed(&app, "GET", "/props", &headers, None).await;
            return res.unwrap_or_else(|| StatusCode::BAD_GATEWAY.into_response());
        }
    };
    json_of(&json!({
        "default_generation_settings": { "n_ctx": window }, "total_slots": 1, "model_alias": model,
        "model_path": "", "chat_template": "", "bos_token": "", "eos_token": "", "is_sleeping": false,
        "build_info": concat!("foreword ", env!("CARGO_PKG_VERSION")),
    }))
}
