//! Errors as JSON, each in the shape of the protocol that it answers.

use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use foreword_session::backend::Unavailable;
use serde::Serialize;
use serde_json::{Value, json};

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

    /// The message for the client.
    pub(crate) fn message(&self) -> &str {
        &self.message
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

impl ApiError {
    /// The shape of OpenAI, DeepSeek and llama.cpp, which `reshape` changes for others.
    pub(crate) fn body(&self) -> Value {
        let kind = match self.status {
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => "authentication_error",
            it if it.is_client_error() => "invalid_request_error",
            _ => "server_error",
        };
        let error = json!({ "code": self.status.as_u16(), "message": self.message, "type": kind });
        json!({ "error": error })
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = (self.status, json_response(&self.body())).into_response();
        if self.status == StatusCode::NOT_IMPLEMENTED {
            // OpenAI's libraries retry after any server error unless this header forbids it.
            response.headers_mut().insert("x-should-retry", HeaderValue::from_static("false"));
        }
        response
    }
}

/// Maximum size in bytes of an error that is reshaped.
const MAX_ERROR_BYTES: usize = 1 << 20;

/// The shape of a protocol's errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    /// `{"error": {"message"}}`.
    OpenAi,
    /// `{"error": "message"}`.
    Ollama,
    /// `{"object": "error", "message"}`.
    Mistral,
}

impl Shape {
    fn of_path(path: &str) -> Self {
        const OLLAMA: [&str; 13] = [
            "generate",
            "show",
            "tags",
            "ps",
            "version",
            "chat",
            "embed",
            "embeddings",
            "pull",
            "push",
            "create",
            "copy",
            "delete",
        ];
        // The configured address may contain a path prefix; the message says so.
        match path.rsplit_once("/api/") {
            Some((_, name)) if OLLAMA.contains(&name) => Self::Ollama,
            _ if path.ends_with("/fim/completions") => Self::Mistral,
            _ => Self::OpenAi,
        }
    }

    /// Converts an OpenAI-shaped error into this shape; `None` for anything else.
    fn of(self, error: &Value) -> Option<Value> {
        let error = error.get("error")?;
        let message = error.get("message")?.as_str()?;
        let kind = error.get("type").and_then(Value::as_str).unwrap_or("server_error");
        match self {
            Self::OpenAi => None,
            Self::Ollama => Some(json!({ "error": message })),
            Self::Mistral => Some(json!({
                "object": "error", "message": message, "type": kind, "param": null, "code": error["code"],
            })),
        }
    }
}

/// Middleware: gives errors, ours and those of a server of another protocol, the shape that the client's library reads.
pub(crate) async fn reshape(request: Request, next: Next) -> Response {
    let shape = Shape::of_path(request.uri().path());
    let response = next.run(request).await;
    let status = response.status();
    if shape == Shape::OpenAi || !(status.is_client_error() || status.is_server_error()) {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let bytes = to_bytes(body, MAX_ERROR_BYTES).await.unwrap_or_default();
    let reshaped = serde_json::from_slice(&bytes).ok().and_then(|it| shape.of(&it));
    let Some(reshaped) = reshaped else { return Response::from_parts(parts, Body::from(bytes)) };
    parts.headers.remove(header::CONTENT_LENGTH);
    Response::from_parts(parts, Body::from(reshaped.to_string()))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_have_the_shape_of_the_protocol_and_other_bodies_stay() {
        let error =
            json!({ "error": { "code": 400, "message": "prompt is missing", "type": "t" } });
        let of = |path: &str| Shape::of_path(path).of(&error);
        for path in ["/api/generate", "/api/pull"] {
            assert_eq!(of(path), Some(json!({ "error": "prompt is missing" })), "{path}");
        }
        assert_eq!(of("/v1/fim/completions").unwrap()["message"], "prompt is missing");
        for path in ["/v1/completions", "/infill", "/api/requests", "/beta/completions"] {
            assert_eq!(of(path), None, "{path}");
        }
        assert_eq!(Shape::Ollama.of(&json!({ "error": "as Ollama says it" })), None);
    }
}
