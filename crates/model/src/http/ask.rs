//! Sends requests to a server and reads responses, for all kinds of requests.

use reqwest::header::{CONTENT_TYPE, RETRY_AFTER};
use reqwest::{Response, StatusCode};
use serde_json::Value;

use super::Server;
use super::read::{Line, Lines, MAX_BYTES, error_message};
use super::system::check_poller;
use crate::error::ModelError;

/// A field of vLLM that some servers reject.
pub(super) const SKIP_SPECIAL_TOKENS: &str = "skip_special_tokens";

/// Whether to continue reading a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Control {
    Continue,
    /// Closes the connection, which stops the server.
    Finish,
}

/// Posts a body and passes the JSON objects of the response on as they arrive.
pub(super) async fn stream(
    server: &Server,
    path: &str,
    body: &Value,
    mut on_object: impl FnMut(&Value) -> Result<Control, ModelError> + Send,
) -> Result<(), ModelError> {
    let mut response = post(server, path, body).await?;
    let mut lines = Lines::default();
    loop {
        match response.chunk().await {
            Ok(Some(bytes)) => {
                for line in lines.push(&bytes) {
                    if take(server, path, line, &mut on_object)? == Control::Finish {
                        return Ok(());
                    }
                }
            }
            Ok(None) => break,
            Err(error) => return Err(server.unreachable(&error)),
        }
    }
    if let Some(line) = lines.finish() {
        take(server, path, line, &mut on_object)?;
    }
    Ok(())
}

fn take(
    server: &Server,
    path: &str,
    line: Line,
    on_object: &mut impl FnMut(&Value) -> Result<Control, ModelError>,
) -> Result<Control, ModelError> {
    match line {
        Line::Done => Ok(Control::Finish),
        Line::Invalid(text) => Err(ModelError::InvalidResponse { url: server.url(path), text }),
        Line::Object(value) => match error_message(&value) {
            Some(message) => Err(reported(server, path, message)),
            None => on_object(&value),
        },
    }
}

/// Posts a body and reads the response as one JSON value.
pub(super) async fn whole(server: &Server, path: &str, body: &Value) -> Result<Value, ModelError> {
    let text = text(server, post(server, path, body).await?).await?;
    let value: Value = serde_json::from_str(&text).map_err(|_| ModelError::InvalidResponse {
        url: server.url(path),
        text: text.chars().take(80).collect(),
    })?;
    match error_message(&value) {
        Some(message) => Err(reported(server, path, message)),
        None => Ok(value),
    }
}

/// The text of a response, limited to [`MAX_BYTES`].
pub(super) async fn text(server: &Server, response: Response) -> Result<String, ModelError> {
    let bytes = bytes(server, response, MAX_BYTES).await?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The bytes of a response; fails if there are more than `most`.
pub(super) async fn bytes(
    server: &Server,
    mut response: Response,
    most: usize,
) -> Result<Vec<u8>, ModelError> {
    let mut bytes = Vec::new();
    while let Some(more) = response.chunk().await.map_err(|error| server.unreachable(&error))? {
        bytes.extend_from_slice(&more);
        if bytes.len() > most {
            let url = response.url().to_string();
            let text = format!("more than {} MiB without an end", most >> 20);
            return Err(ModelError::InvalidResponse { url, text });
        }
    }
    Ok(bytes)
}

/// Posts a request; retries without `skip_special_tokens` if the server rejects it.
pub(super) async fn post(
    server: &Server,
    path: &str,
    body: &Value,
) -> Result<Response, ModelError> {
    let response = send(server, path, body).await?;
    if response.status().is_success() {
        return Ok(response);
    }
    let failed = failure(server, response).await;
    let rejects_field = matches!(&failed, ModelError::Refused { status, message, .. }
        if matches!(status, 400 | 422) && message.contains(SKIP_SPECIAL_TOKENS));
    if !rejects_field {
        return Err(failed);
    }
    let mut body = body.clone();
    if let Some(fields) = body.as_object_mut() {
        fields.remove(SKIP_SPECIAL_TOKENS);
    }
    let response = send(server, path, &body).await?;
    if response.status().is_success() { Ok(response) } else { Err(failure(server, response).await) }
}

async fn send(server: &Server, path: &str, body: &Value) -> Result<Response, ModelError> {
    check_poller(&server.base)?;
    let request = server.client.post(server.url(path));
    let request = request.header(CONTENT_TYPE, "application/json").body(body.to_string());
    let request = match &server.key {
        Some(key) => request.bearer_auth(key),
        None => request,
    };
    request.send().await.map_err(|error| server.unreachable(&error))
}

/// The error of an unsuccessful response.
pub(super) async fn failure(server: &Server, response: Response) -> ModelError {
    let (status, url) = (response.status(), response.url().to_string());
    if status == StatusCode::TOO_MANY_REQUESTS {
        let header = response.headers().get(RETRY_AFTER);
        let after = header.and_then(|it| it.to_str().ok()).unwrap_or("a while").to_owned();
        return ModelError::Busy { url: server.base.clone(), after };
    }
    let text = text(server, response).await.unwrap_or_default();
    let message = serde_json::from_str::<Value>(&text).ok().and_then(|it| error_message(&it));
    let message = message.unwrap_or_else(|| text.chars().take(200).collect());
    ModelError::Refused { url, status: status.as_u16(), message }
}

/// An error reported in a successful response.
fn reported(server: &Server, path: &str, message: String) -> ModelError {
    ModelError::Refused { url: server.url(path), status: StatusCode::OK.as_u16(), message }
}
