//! `/v1/completions` as OpenAI has it, with a suffix, with a rendered prompt, or with text to go on with. Tabby's
//! requests come to the same path and are told by their fields.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use axum::routing::{get, post};
use bytes::Bytes;
use foreword_engine::compose::Format;
use serde_json::{Map, Value, json};

use super::{object, passed, tabby};
use crate::serve::app::App;
use crate::serve::complete::{answer, now};
use crate::serve::http::error::{Refusal, json_of};
use crate::serve::protocols::fim;
use crate::serve::protocols::request::{Ask, Door, Kind, Told, Wants};

pub(super) fn routes() -> Router<Arc<App>> {
    Router::new().route("/v1/completions", post(completions)).route("/v1/models", get(models))
}

async fn completions(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Refusal> {
    let body = object(&body)?;
    if tabby::is_tabby(&body) {
        return tabby::completions(app, &headers, body).await;
    }
    let upstream = app.backend.server().await.ok().flatten();
    let likely = upstream.and_then(|it| it.format.as_ref().ok().copied());
    let ask = read(Door::OpenAi, body, likely)?;
    Ok(answer(app, ask, Told::of(&headers)).await)
}

/// Reads a prompt that may have a suffix beside it, or be rendered already.
pub(crate) fn read(
    door: Door,
    body: Map<String, Value>,
    likely: Option<&'static Format>,
) -> Result<Ask, Refusal> {
    let mut ask = Ask::new(door, body);
    ask.wants = Wants::of(&ask.body, "max_tokens");
    ask.wants.n = ask.body.get("n").and_then(Value::as_u64).unwrap_or(1).max(1) as usize;
    let prompt = match ask.body.get("prompt") {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(all)) => match all.as_slice() {
            [Value::String(text)] => text.clone(),
            _ => {
                ask.kind = Kind::Opaque;
                return Ok(ask);
            }
        },
        Some(_) => return Err(Refusal::wrong("prompt: a string or a list is expected")),
        None => return Err(Refusal::wrong("prompt is missing")),
    };
    if ask.body.get("suffix").is_some_and(|it| it.as_str().is_some_and(|it| !it.is_empty())) {
        with_suffix(&mut ask, &prompt);
    } else if let Some(parsed) = fim::parse(&prompt, likely) {
        ask.kind = Kind::Rendered(parsed.format);
        (ask.prefix, ask.suffix) = (parsed.prefix, parsed.suffix);
        (ask.file, ask.shown) = (parsed.path, parsed.shown);
    } else {
        ask.kind = Kind::Plain;
        ask.prefix = prompt;
    }
    Ok(ask)
}

/// The text before the cursor, perhaps below snippets in comments, and the text after it.
pub(super) fn with_suffix(ask: &mut Ask, prompt: &str) {
    let (shown, file, prefix) = fim::comments(prompt);
    ask.kind = Kind::Fill;
    prefix.clone_into(&mut ask.prefix);
    ask.suffix = ask.text("suffix");
    ask.shown = shown;
    ask.file = file;
}

async fn models(State(app): State<Arc<App>>, headers: HeaderMap) -> Response {
    let own = || {
        let model = json!({ "id": app.backend.local_name(), "object": "model", "created": now(), "owned_by": "foreword" });
        json_of(&json!({ "object": "list", "data": [model] }))
    };
    passed(&app, "GET", "/v1/models", &headers, None).await.unwrap_or_else(own)
}
