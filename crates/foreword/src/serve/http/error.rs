//! A refusal, in a shape that clients of every protocol show to their users.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::json;

/// Why a request is not answered.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    status: StatusCode,
    message: String,
}

impl Refusal {
    pub(crate) fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Self { status, message: message.into() }
    }

    /// The request is wrong: 400.
    pub(crate) fn wrong(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, message)
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let kind = match self.status {
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => "authentication_error",
            it if it.is_client_error() => "invalid_request_error",
            _ => "server_error",
        };
        // OpenAI's and llama.cpp's shape; Ollama's clients show `error` whatever it is.
        let error = json!({ "code": self.status.as_u16(), "message": self.message, "type": kind });
        (self.status, json_of(&json!({ "error": error }))).into_response()
    }
}

/// A value as compact JSON: llama.vim throws away answers with a space after a colon.
pub(crate) fn json_of<T: Serialize>(value: &T) -> Response {
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
