//! Passes a request on and hands back the answer as it comes: status, type and bytes, unread.

use reqwest::{Method, Response, StatusCode};
use serde_json::Value;

use super::read::error;
use super::{Server, ask};
use crate::ModelError;

/// A server's answer that is being read.
#[derive(Debug)]
pub struct Relayed {
    /// Of HTTP.
    pub status: u16,
    /// The answer's `content-type`.
    pub content_type: Option<String>,
    /// When a server that has too much to do wants to be asked again.
    pub retry_after: Option<String>,
    url: String,
    /// What has been read already.
    read: Option<Vec<u8>>,
    response: Option<Response>,
}

impl Relayed {
    fn new(url: String, response: Response) -> Self {
        let header = |name: &str| {
            let value = response.headers().get(name)?;
            Some(value.to_str().ok()?.to_owned())
        };
        Self {
            status: response.status().as_u16(),
            content_type: header("content-type"),
            retry_after: header("retry-after"),
            url,
            read: None,
            response: Some(response),
        }
    }

    /// Whether the server did what it was asked.
    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// The next bytes; `None` at the end. Fails when the connection breaks.
    pub async fn chunk(&mut self) -> Result<Option<Vec<u8>>, ModelError> {
        if let Some(read) = self.read.take() {
            return Ok(Some(read));
        }
        let Some(response) = &mut self.response else { return Ok(None) };
        let chunk = response.chunk().await.map_err(|error| ModelError::Unreachable {
            url: self.url.clone(),
            reason: super::reason(&error),
        })?;
        Ok(chunk.map(|it| it.to_vec()))
    }

    /// The rest of the answer, of which no more than `most` bytes are kept.
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
    /// Asks for `path` with a method and a body as they are. `key` stands in for a server without one of its own.
    pub async fn relay(
        &self,
        method: &str,
        path: &str,
        body: Option<Vec<u8>>,
        key: Option<&str>,
    ) -> Result<Relayed, ModelError> {
        let url = self.url(path);
        let method = Method::from_bytes(method.as_bytes()).unwrap_or(Method::POST);
        let mut request = self.client.request(method, &url);
        if let Some(body) = body {
            request = request.header("content-type", "application/json").body(body);
        }
        if let Some(key) = self.key.as_deref().or(key) {
            request = request.bearer_auth(key);
        }
        let response = request.send().await.map_err(|error| self.unreachable(&error))?;
        Ok(Relayed::new(url, response))
    }

    /// Posts a body. A server that does not know `skip_special_tokens` is asked again without it.
    pub async fn relay_json(
        &self,
        path: &str,
        body: &Value,
        key: Option<&str>,
    ) -> Result<Relayed, ModelError> {
        let mut relayed =
            self.relay("POST", path, Some(body.to_string().into_bytes()), key).await?;
        let may_mind = matches!(relayed.status, 400 | 422) && body.get(ask::SKIP).is_some();
        if !may_mind {
            return Ok(relayed);
        }
        let text = relayed.rest(1 << 20).await?;
        let said = serde_json::from_slice::<Value>(&text).ok().and_then(|it| error(&it));
        if !said.is_some_and(|it| it.contains(ask::SKIP)) {
            relayed.read = Some(text);
            return Ok(relayed);
        }
        let mut body = body.clone();
        if let Some(fields) = body.as_object_mut() {
            fields.remove(ask::SKIP);
        }
        self.relay("POST", path, Some(body.to_string().into_bytes()), key).await
    }

    /// Where the server is.
    pub fn base(&self) -> &str {
        &self.base
    }

    /// How many requests a llama.cpp server answers at a time, where it says so.
    pub async fn slots(&self) -> Option<u64> {
        let props = self.get_json("/props").await.ok()?;
        props["total_slots"].as_u64()
    }
}

/// The status for a client when the model behind the proxy failed so.
pub fn status_of(error: &ModelError) -> u16 {
    match error {
        ModelError::Late { .. } => StatusCode::GATEWAY_TIMEOUT.as_u16(),
        ModelError::Busy { .. } => StatusCode::TOO_MANY_REQUESTS.as_u16(),
        ModelError::Refused { status, .. } => *status,
        #[cfg(feature = "gguf")]
        ModelError::Gguf(crate::gguf::GgufError::TooLong { .. }) => {
            StatusCode::BAD_REQUEST.as_u16()
        }
        _ => StatusCode::BAD_GATEWAY.as_u16(),
    }
}
