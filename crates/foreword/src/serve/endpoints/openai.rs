//! OpenAI's `/v1/completions` and `/v1/models`. Tabby's requests come to the same path, and differ by their fields.

use std::sync::Arc;

use axum::Router;
use axum::body::to_bytes;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use axum::routing::{get, post};
use bytes::Bytes;
use foreword_session::backend::Backend;
use foreword_session::clock::unix_seconds;
use serde_json::{Map, Value, json};

use super::{forward, tabby};
use crate::serve::app::App;
use crate::serve::complete::complete;
use crate::serve::http::error::{ApiError, json_response};
use crate::serve::http::listen::MAX_BODY_BYTES;
use crate::serve::protocols::openai;
use crate::serve::protocols::request::{Endpoint, RequestHeaders, object};
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
    let headers = RequestHeaders::of(&headers);
    // A server answers such requests by itself.
    if !matches!(*app.backend, Backend::Server(_)) {
        check_logprobs(&body)?;
        if let Some(prompts) = several_prompts(&body) {
            return answer_each(&app, &body, &prompts, &headers).await;
        }
    }
    let likely = app.upstream_format().await;
    let request = openai::parse(Endpoint::OpenAi, body, likely)?;
    Ok(complete(app, request, headers).await)
}

/// The embedded model copies and counts: it has no probability for each token.
fn check_logprobs(body: &Map<String, Value>) -> Result<(), ApiError> {
    let wanted = body.get("logprobs").is_some_and(|it| {
        !matches!(it, Value::Null | Value::Bool(false)) && it.as_u64() != Some(0)
    });
    match wanted {
        true => Err(ApiError::bad_request(
            "logprobs: the model in this process has no probabilities of tokens; leave the field out, or name a server with --model-url",
        )),
        false => Ok(()),
    }
}

/// The prompts of a request that has more than one.
fn several_prompts(body: &Map<String, Value>) -> Option<Vec<String>> {
    let all = body.get("prompt")?.as_array()?;
    let texts: Option<Vec<String>> = all.iter().map(|it| it.as_str().map(str::to_owned)).collect();
    texts.filter(|it| it.len() > 1)
}

/// Answers each prompt as a request of its own; the choices come in the order of the prompts.
async fn answer_each(
    app: &Arc<App>,
    body: &Map<String, Value>,
    prompts: &[String],
    headers: &RequestHeaders,
) -> Result<Response, ApiError> {
    if prompts.len() > MAX_PROMPTS {
        let message = format!("prompt: {} prompts, and {MAX_PROMPTS} are answered", prompts.len());
        return Err(ApiError::bad_request(message));
    }
    if body.get("stream").is_some_and(|it| *it == true) {
        let message = "stream: several prompts are answered without a stream; send one, or leave `stream` out";
        return Err(ApiError::bad_request(message));
    }
    let mut whole: Option<Value> = None;
    for prompt in prompts {
        let mut one = body.clone();
        one.insert("prompt".to_owned(), prompt.as_str().into());
        let request = openai::parse(Endpoint::OpenAi, one, None)?;
        let response = complete(Arc::clone(app), request, headers.clone()).await;
        if !response.status().is_success() {
            return Ok(response);
        }
        let bytes = to_bytes(response.into_body(), MAX_BODY_BYTES).await;
        let bytes = bytes.map_err(|it| ApiError::internal(&it.into()))?;
        let answer = serde_json::from_slice(&bytes).map_err(|it| ApiError::internal(&it.into()))?;
        whole = Some(openai::joined(whole, answer));
    }
    Ok(json_response(&whole))
}

/// Prompts of one request at the most.
const MAX_PROMPTS: usize = 64;

async fn models(State(app): State<Arc<App>>, headers: HeaderMap) -> Response {
    let own = || {
        let model = json!({
            "id": app.backend.local_name(), "object": "model", "created": unix_seconds(), "owned_by": "foreword",
        });
        json_response(&json!({ "object": "list", "data": [model] }))
    };
    forward(&app, "GET", "/v1/models", &headers, None).await.unwrap_or_else(own)
}
