//! `/mcp` on `foreword serve`: the Model Context Protocol over HTTP, for agents that are configured with a URL.
//!
//! Each POST is answered independently: there are no sessions that a restart could lose, and no idle streams. rmcp
//! handles the protocol and its headers; the server has authorised the request before.

use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::http::{Method, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{MethodRouter, any_service};
use foreword_session::host::Repository;
use foreword_session::tools::Repositories;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};

use super::AnswerContent;
use super::pushed::PushedRepositories;
use super::server::{Server, Source};
use super::transport::{MAX_MESSAGE, error_for, too_long};
use crate::limits::gate::Gate;

/// The route that answers for the repositories of a server.
pub(crate) fn route<S: Clone + Send + Sync + 'static>(
    served: Vec<Arc<Repository>>,
    content: AnswerContent,
) -> MethodRouter<S> {
    route_to(Source::Disk(Repositories::Served(served)), content)
}

/// The route that answers for the repositories of a cluster, by the [`Access`](foreword_cluster::Access) of each request.
pub(crate) fn route_to_cluster<S: Clone + Send + Sync + 'static>(
    pushed: PushedRepositories,
    content: AnswerContent,
) -> MethodRouter<S> {
    route_to(Source::Cluster(pushed), content)
}

fn route_to<S: Clone + Send + Sync + 'static>(
    source: Source,
    content: AnswerContent,
) -> MethodRouter<S> {
    // A slow reader blocks only its own connection; no answer is queued.
    let server = Server::new(source, content, Gate::new(1));
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_max_request_body_bytes(MAX_MESSAGE)
        // The server checks Host and Origin itself, according to its settings.
        .disable_allowed_hosts();
    let sessions = Arc::new(NeverSessionManager::default());
    let service = StreamableHttpService::new(move || Ok(server.clone()), sessions, config);
    any_service(service).layer(middleware::from_fn(reject_malformed))
}

/// Answers a malformed body with JSON-RPC's error for it.
async fn reject_malformed(request: Request, next: Next) -> Response {
    if request.method() != Method::POST {
        return next.run(request).await;
    }
    let (head, body) = request.into_parts();
    let Ok(body) = axum::body::to_bytes(body, MAX_MESSAGE).await else {
        return error(StatusCode::PAYLOAD_TOO_LARGE, too_long());
    };
    match error_for(&body) {
        Some(answer) => error(StatusCode::BAD_REQUEST, answer),
        None => next.run(Request::from_parts(head, Body::from(body))).await,
    }
}

fn error(status: StatusCode, answer: Vec<u8>) -> Response {
    (status, [(header::CONTENT_TYPE, "application/json")], Bytes::from(answer)).into_response()
}
