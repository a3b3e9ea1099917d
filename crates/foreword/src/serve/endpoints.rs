//! The HTTP endpoints, one file a protocol: completions, and the other requests of its clients.

mod chat;
mod deepseek;
mod edits;
mod journal;
mod llama_cpp;
mod mistral;
mod ollama;
mod openai;
mod tabby;

use std::sync::Arc;

use axum::Router;
use axum::body::to_bytes;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;

use foreword_session::usage::PAGES;

use super::app::App;
use super::backend::relay;
use super::http::error::ApiError;
use super::http::listen::MAX_BODY_BYTES;
use super::protocols::request::RequestHeaders;

/// The endpoints of all protocols, and of the journal.
pub(super) fn routes() -> Router<Arc<App>> {
    Router::new()
        .merge(llama_cpp::routes())
        .merge(openai::routes())
        .merge(mistral::routes())
        .merge(deepseek::routes())
        .merge(chat::routes())
        .merge(ollama::routes())
        .merge(tabby::routes())
        .merge(edits::routes())
        .merge(journal::routes())
}

/// Forwards a request to the upstream server, if there is one.
async fn forward(
    app: &Arc<App>,
    method: &str,
    path: &str,
    headers: &HeaderMap,
    body: Option<Bytes>,
) -> Option<Response> {
    let upstream = match app.backend.server().await {
        Ok(upstream) => upstream?,
        Err(error) => return Some(ApiError::from(&error).into_response()),
    };
    let key = app.upstream_key(&RequestHeaders::of(headers));
    let body = body.map(|it| it.to_vec());
    let response = upstream.server.relay(method, path, body, key.as_deref()).await;
    Some(relay::forward(&app.backend, response, app.closing.clone()).await)
}

/// Paths of model servers other than completions. They are forwarded unchanged.
const FORWARDED_PATHS: [&str; 11] = [
    "/detokenize",
    "/apply-template",
    "/slots",
    "/embedding",
    "/embeddings",
    "/rerank",
    "/lora-adapters",
    "/v1/embeddings",
    "/api/chat",
    "/api/embed",
    "/api/embeddings",
];

/// Answers requests that match no route.
pub(super) async fn fallback(State(app): State<Arc<App>>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let (method, uri) = (parts.method, parts.uri);
    if FORWARDED_PATHS.contains(&uri.path()) {
        let Ok(bytes) = to_bytes(body, MAX_BODY_BYTES).await else {
            return ApiError::bad_request("the body cannot be read").into_response();
        };
        let body = (method == Method::POST).then_some(bytes);
        let path = uri.path_and_query().map_or(uri.path(), |it| it.as_str());
        if let Some(res) = forward(&app, method.as_str(), path, &parts.headers, body).await {
            return res;
        }
        return only_servers_answer(&uri).into_response();
    }
    not_found(&uri).into_response()
}

/// The model in this process completes code, and does nothing else.
fn only_servers_answer(uri: &Uri) -> ApiError {
    let message = format!(
        "{}: the model in this process completes code, and does not chat, embed or rank; name a server that does with --model-url",
        uri.path()
    );
    ApiError::new(StatusCode::NOT_IMPLEMENTED, message)
}

fn not_found(uri: &Uri) -> ApiError {
    let message =
        format!("there is nothing at {}; {PAGES}/serve.md lists what there is", uri.path());
    ApiError::new(StatusCode::NOT_FOUND, message)
}
