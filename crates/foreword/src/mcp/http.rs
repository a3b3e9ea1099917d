//! `/mcp` on `foreword serve`: the Model Context Protocol over HTTP, for agents that are told a URL.
//!
//! Every POST is answered for itself, in both eras: there are no sessions to be lost when the server is started again,
//! and no streams that wait for nothing. rmcp reads the protocol and its headers; who may ask at all, the server has
//! checked before.

use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::http::{Method, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{MethodRouter, any_service};
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};

use super::home::Home;
use super::server::Server;
use super::transport::{MAX_MESSAGE, refusal_of, too_long};
use crate::host::Repository;

/// Answers for the repositories of a server.
pub(crate) fn route<S: Clone + Send + Sync + 'static>(
    served: Vec<Arc<Repository>>,
) -> MethodRouter<S> {
    let server = Server::new(Home::Served(served));
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_max_request_body_bytes(MAX_MESSAGE)
        // The server checks Host and Origin itself, by its own settings.
        .disable_allowed_hosts();
    let sessions = Arc::new(NeverSessionManager::default());
    let service = StreamableHttpService::new(move || Ok(server.clone()), sessions, config);
    any_service(service).layer(middleware::from_fn(check))
}

/// Answers what is no message with the error that JSON-RPC has for it.
async fn check(request: Request, next: Next) -> Response {
    if request.method() != Method::POST {
        return next.run(request).await;
    }
    let (head, body) = request.into_parts();
    let Ok(body) = axum::body::to_bytes(body, MAX_MESSAGE).await else {
        return refuse(StatusCode::PAYLOAD_TOO_LARGE, too_long());
    };
    match refusal_of(&body) {
        Some(answer) => refuse(StatusCode::BAD_REQUEST, answer),
        None => next.run(Request::from_parts(head, Body::from(body))).await,
    }
}

fn refuse(status: StatusCode, answer: Vec<u8>) -> Response {
    (status, [(header::CONTENT_TYPE, "application/json")], Bytes::from(answer)).into_response()
}
