//! DeepSeek's `/beta/completions`: prefix and suffix as they are, an answer as OpenAI's.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use axum::routing::post;
use bytes::Bytes;

use super::{mistral, object};
use crate::serve::app::App;
use crate::serve::complete::answer;
use crate::serve::http::error::Refusal;
use crate::serve::protocols::request::{Door, Told};

pub(super) fn routes() -> Router<Arc<App>> {
    Router::new().route("/beta/completions", post(completions))
}

async fn completions(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Refusal> {
    let ask = mistral::read(Door::DeepSeek, object(&body)?)?;
    Ok(answer(app, ask, Told::of(&headers)).await)
}
