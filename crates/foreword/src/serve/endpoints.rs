//! The protocols: each file reads the requests of one, and says what of it is answered without a model.

pub(crate) mod deepseek;
mod live;
pub(crate) mod llama_cpp;
pub(crate) mod mistral;
pub(crate) mod ollama;
pub(crate) mod openai;
pub(crate) mod requests;
pub(crate) mod tabby;

use std::sync::Arc;

use axum::Router;
use axum::body::to_bytes;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use serde_json::{Map, Value};

use crate::serve::app::App;
use crate::serve::backend::relay;
use crate::serve::http::error::Refusal;
use crate::serve::http::listen::MOST_BYTES;
use crate::serve::protocols::request::Told;

/// All of them.
pub(crate) fn routes() -> Router<Arc<App>> {
    Router::new()
        .merge(llama_cpp::routes())
        .merge(openai::routes())
        .merge(mistral::routes())
        .merge(deepseek::routes())
        .merge(ollama::routes())
        .merge(tabby::routes())
}

/// The object that a request is. What the content type says does not matter: some clients name none.
fn object(bytes: &[u8]) -> Result<Map<String, Value>, Refusal> {
    match serde_json::from_slice(bytes) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Err(Refusal::wrong("the body is JSON, but no object")),
        Err(error) => Err(Refusal::wrong(format!("the body is no JSON: {error}"))),
    }
}

/// The text of a field that must be there.
fn required(body: &Map<String, Value>, field: &str) -> Result<String, Refusal> {
    match body.get(field) {
        Some(Value::String(text)) => Ok(text.clone()),
        Some(_) => Err(Refusal::wrong(format!("{field}: a string is expected"))),
        None => Err(Refusal::wrong(format!("{field} is missing"))),
    }
}

/// What a client asks of its server and foreword has nothing to add to. None where there is no server, or one that
/// foreword has found does not know it.
async fn passed(
    app: &Arc<App>,
    method: &str,
    path: &str,
    headers: &HeaderMap,
    body: Option<Bytes>,
) -> Option<Response> {
    let upstream = match app.backend.server().await {
        Ok(upstream) => upstream?,
        Err(away) => return Some(away.refusal().into_response()),
    };
    let key = Told::of(headers).without_token(&app.options).key;
    let body = body.map(|it| it.to_vec());
    let relayed = upstream.server.relay(method, path, body, key.as_deref()).await;
    Some(relay::other(app, relayed).await)
}

/// Paths of model servers that are no completions; they are passed on as they are.
const OTHERS: [&str; 12] = [
    "/detokenize",
    "/apply-template",
    "/slots",
    "/embedding",
    "/embeddings",
    "/rerank",
    "/lora-adapters",
    "/v1/chat/completions",
    "/v1/embeddings",
    "/api/chat",
    "/api/embed",
    "/api/embeddings",
];

/// What no route takes.
pub(crate) async fn other(State(app): State<Arc<App>>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let (method, uri) = (parts.method, parts.uri);
    if OTHERS.contains(&uri.path()) {
        let Ok(bytes) = to_bytes(body, MOST_BYTES).await else {
            return Refusal::wrong("the body cannot be read").into_response();
        };
        let body = (method == Method::POST).then_some(bytes);
        let path = uri.path_and_query().map_or(uri.path(), |it| it.as_str());
        if let Some(res) = passed(&app, method.as_str(), path, &parts.headers, body).await {
            return res;
        }
    }
    unknown(&uri).into_response()
}

fn unknown(uri: &Uri) -> Refusal {
    let message = format!("there is nothing at {}; docs/serve.md lists what there is", uri.path());
    Refusal::new(StatusCode::NOT_FOUND, message)
}
