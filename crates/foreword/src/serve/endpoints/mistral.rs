//! Mistral's `/v1/fim/completions`: prefix and suffix as they are, an answer in the shape of a chat.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use axum::routing::post;
use bytes::Bytes;
use serde_json::{Map, Value};

use super::{object, openai, required};
use crate::serve::app::App;
use crate::serve::complete::answer;
use crate::serve::http::error::Refusal;
use crate::serve::protocols::request::{Ask, Door, Told, Wants};

pub(super) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/v1/fim/completions", post(fim))
        // Tools to which an address without `/v1` was given.
        .route("/fim/completions", post(fim))
}

async fn fim(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Refusal> {
    let ask = read(Door::Mistral, object(&body)?)?;
    Ok(answer(app, ask, Told::of(&headers)).await)
}

/// Reads a request with `prompt` and perhaps `suffix`.
pub(super) fn read(door: Door, body: Map<String, Value>) -> Result<Ask, Refusal> {
    let prompt = required(&body, "prompt")?;
    let mut ask = Ask::new(door, body);
    openai::with_suffix(&mut ask, &prompt);
    ask.wants = Wants::of(&ask.body, "max_tokens");
    let seed = ask.body.get("random_seed").and_then(Value::as_u64);
    ask.wants.seed = seed.or(ask.wants.seed);
    Ok(ask)
}
