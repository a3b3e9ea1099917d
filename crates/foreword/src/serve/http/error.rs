//! Errors as JSON, in a shape that clients of every protocol show to their users.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::json;

use crate::backend::Unavailable;

/// An error response.
#[derive(Clone, Debug)]
pub(crate) struct ApiError {
    status: StatusCode,
    message: String,
}

impl ApiError {
    pub(crate) fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Self { status, message: message.into() }
    }

    /// 400: the request is invalid.
    pub(crate) fn bad_request(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, message)
    }

    /// 404: the request with this id is not in the journal.
    pub(crate) fn not_in_journal(id: &str) -> Self {
        let message = format!("there is no request {id}; only the last some hundred are kept");
        Self::new(StatusCode::NOT_FOUND, message)
    }

    /// 500: the request was valid, and the server failed.
    pub(crate) fn internal(error: &anyhow::Error) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, format!("{error:#}"))
    }
}

impl From<&Unavailable> for ApiError {
    fn from(it: &Unavailable) -> Self {
        let status = StatusCode::from_u16(it.status).unwrap_or(StatusCode::BAD_GATEWAY);
        Self::new(status, it.message.clone())
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let kind = match self.status {
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => "authentication_error",
            it if it.is_client_error() => "invalid_request_error",
            _ => "server_error",
        };
        // The shape of OpenAI and llama.cpp; clients of Ollama show `error` whatever its type.
        let error = json!({ "code": self.status.as_u16(), "message": self.message, "type": kind });
        (self.status, json_response(&json!({ "error": error }))).into_response()
    }
}

/// A response with compact JSON: llama.vim discards responses that have a space after a colon.
pub(crate) fn json_response<T: Serialize>(value: &T) -> Response {
    match serde_json::to_vec(value) {
        Ok(bytes) => {
            ([(header::CONTENT_TYPE, "application/json; charset=utf-8")], bytes).into_response()
        }
        Err(error) => {
            let message =
                format!("the answer has no JSON form, which is a bug in foreword: {error}");
            (StatusCode::INTERNAL_SERVER_ERROR, message).into_response()
        }
    }
}
