//! Mistral's `/v1/fim/completions`.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use axum::routing::post;
use bytes::Bytes;

use crate::serve::app::App;
use crate::serve::complete::complete;
use crate::serve::http::error::ApiError;
use crate::serve::protocols::mistral;
use crate::serve::protocols::request::{Endpoint, RequestHeaders, object};

pub(super) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/v1/fim/completions", post(completions))
        // For tools that were given an address without `/v1`.
        .route("/fim/completions", post(completions))
}

async fn completions(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, ApiError> {
    let request = mistral::parse(Endpoint::Mistral, object(&body)?)?;
    Ok(complete(app, request, RequestHeaders::of(&headers)).await)
}
