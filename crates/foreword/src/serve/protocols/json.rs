//! JSON bodies: reading fields of a request, and framing the chunks of a stream.

use axum::http::StatusCode;
use bytes::Bytes;
use serde_json::{Map, Value};

use crate::limits::json_size::{MAX_VALUES, has_too_many_values};
use crate::serve::http::error::ApiError;

/// The object of a request body. The content type is ignored: some clients send none.
pub(crate) fn object(bytes: &[u8]) -> Result<Map<String, Value>, ApiError> {
    if has_too_many_values(bytes) {
        let message = format!("the body has more than {MAX_VALUES} values");
        return Err(ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, message));
    }
    match serde_json::from_slice(bytes) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Err(ApiError::bad_request("the body is JSON but not an object")),
        Err(error) => Err(ApiError::bad_request(format!("the body is not JSON: {error}"))),
    }
}

/// A text field that must be present.
pub(crate) fn required_text(body: &Map<String, Value>, field: &str) -> Result<String, ApiError> {
    match body.get(field) {
        Some(Value::String(text)) => Ok(text.clone()),
        Some(_) => Err(ApiError::bad_request(format!("{field}: a string is expected"))),
        None => Err(ApiError::bad_request(format!("{field} is missing"))),
    }
}

/// A server-sent event.
pub(super) fn event(value: &Value) -> Bytes {
    Bytes::from(format!("data: {value}\n\n"))
}

/// The last event of a stream, and the marker that ends it.
pub(super) fn last_event(value: &Value) -> Bytes {
    Bytes::from(format!("data: {value}\n\ndata: [DONE]\n\n"))
}

/// A line of a stream of JSON lines.
pub(super) fn line(value: &Value) -> Bytes {
    Bytes::from(format!("{value}\n"))
}
