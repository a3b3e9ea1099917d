//! Raw requests for a proxy, which relays requests and responses without parsing them.

use reqwest::header::{CONTENT_TYPE, HeaderName, RETRY_AFTER};
use reqwest::{Method, Response, StatusCode};
use serde_json::Value;

use super::Server;
use super::ask::SKIP_SPECIAL_TOKENS;
use super::read::error_message;
use crate::error::ModelError;

/// A response that is being read.
#[derive(Debug)]
pub struct RawResponse {
    /// HTTP status.
    pub status: u16,
    /// `content-type` of the response.
    pub content_type: Option<String>,
    /// `retry-after` of a busy server.
    pub retry_after: Option<String>,
    url: String,
    /// Bytes read from the response but not yet returned.
    buffered: Option<Vec<u8>>,
    response: Option<Response>,
}

impl RawResponse {
    fn new(url: String, response: Response) -> Self {
        let header = |name: HeaderName| {
            let value = response.headers().get(name)?;
            Some(value.to_str().ok()?.to_owned())
        };
        Self {
            status: response.status().as_u16(),
            content_type: header(CONTENT_TYPE),
            retry_after: header(RETRY_AFTER),
            url,
            buffered: None,
            response: Some(response),
        }
    }

    /// Whether the status is a success.
    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// The next bytes, or `None` at the end. Fails if the connection breaks.
    pub async fn chunk(&mut self) -> Result<Option<Vec<u8>>, ModelError> {
        if let Some(bytes) = self.buffered.take() {
            return Ok(Some(bytes));
        }
        let Some(response) = &mut self.response else { return Ok(None) };
        let chunk = response.chunk().await.map_err(|error| ModelError::Unreachable {
            url: self.url.clone(),
            reason: super::reason(&error),
        })?;
        Ok(chunk.map(|it| it.to_vec()))
    }

    /// The rest of the response, up to about `most` bytes.
    pub async fn rest(&mut self, most: usize) -> Result<Vec<u8>, ModelError> {
        let mut res = Vec::new();
        while res.len() < most
            && let Some(bytes) = self.chunk().await?
        {
            res.extend_from_slice(&bytes);
        }
        Ok(res)
    }
}

impl Server {
    /// Sends a request with this method and body. `key` is used if the server has no key.
    pub async fn relay(
        &self,
        method: &str,
        path: &str,
        body: Option<Vec<u8>>,
        key: Option<&str>,
    ) -> Result<RawResponse, ModelError> {
        let url = self.url(path);
        let method = Method::from_bytes(method.as_bytes()).unwrap_or(Method::POST);
        let mut request = self.client.request(method, &url);
        if let Some(body) = body {
            request = request.header(CONTENT_TYPE, "application/json").body(body);
        }
        if let Some(key) = self.key.as_deref().or(key) {
            request = request.bearer_auth(key);
        }
        let response = request.send().await.map_err(|error| self.unreachable(&error))?;
        Ok(RawResponse::new(url, response))
    }

    /// Posts a body; retries without `skip_special_tokens` if the server rejects it.
    pub async fn relay_json(
        &self,
        path: &str,
        body: &Value,
        key: Option<&str>,
    ) -> Result<RawResponse, ModelError> {
        let mut response =
            self.relay("POST", path, Some(body.to_string().into_bytes()), key).await?;
        let may_reject_field =
            matches!(response.status, 400 | 422) && body.get(SKIP_SPECIAL_TOKENS).is_some();
        if !may_reject_field {
            return Ok(response);
        }
        let text = response.rest(1 << 20).await?;
        let message = serde_json::from_slice::<Value>(&text).ok();
        let message = message.and_then(|it| error_message(&it));
        if !message.is_some_and(|it| it.contains(SKIP_SPECIAL_TOKENS)) {
            response.buffered = Some(text);
            return Ok(response);
        }
        let mut body = body.clone();
        if let Some(fields) = body.as_object_mut() {
            fields.remove(SKIP_SPECIAL_TOKENS);
        }
        self.relay("POST", path, Some(body.to_string().into_bytes()), key).await
    }

    /// Number of requests that a llama.cpp server runs in parallel, if reported.
    pub async fn slots(&self) -> Option<u64> {
        let props = self.get_json("/props").await.ok()?;
        props["total_slots"].as_u64()
    }
}

/// HTTP status for a proxy's client after this error.
pub fn status_of(error: &ModelError) -> u16 {
    match error {
        ModelError::Timeout { .. } => StatusCode::GATEWAY_TIMEOUT.as_u16(),
        ModelError::Busy { .. } => StatusCode::TOO_MANY_REQUESTS.as_u16(),
        ModelError::Refused { status, .. } => *status,
        #[cfg(feature = "gguf")]
        ModelError::Gguf(crate::gguf::error::GgufError::TooLong { .. }) => {
            StatusCode::BAD_REQUEST.as_u16()
        }
        _ => StatusCode::BAD_GATEWAY.as_u16(),
    }
}
