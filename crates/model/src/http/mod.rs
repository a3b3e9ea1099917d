//! Models behind HTTP: llama.cpp, Ollama, and servers with OpenAI's, Mistral's or DeepSeek's protocol.
//!
//! Prompts are rendered by `foreword_engine::compose` and sent unchanged to every server that takes raw prompts,
//! because servers that render themselves leave out repository and file, or ignore the suffix. User code goes only to
//! the address that the user configured. Models with unknown fill-in-the-middle tokens are refused.

mod api;
mod ask;
mod body;
mod calibrate;
mod chat;
mod complete;
mod connect;
mod embed;
mod embed_response;
mod raw;
mod read;
#[cfg(test)]
pub(crate) mod stub;
mod system;
#[cfg(test)]
mod tests;

pub use api::Api;
pub use body::completion_body;
pub use connect::{check_address, client};
pub use raw::{RawResponse, status_of};
pub use read::{Delta, Line, Lines, delta};

use crate::error::ModelError;
use crate::request::{CompletionFuture, CompletionRequest, Model, Sink};

/// A model server.
#[derive(Clone, Debug)]
pub struct Server {
    /// Without a trailing slash.
    base: String,
    api: Api,
    /// Name of the model; may be empty if a server has only one.
    model: String,
    /// Whether the server, not the user, named the model.
    is_own: bool,
    key: Option<String>,
    client: reqwest::Client,
}

impl Server {
    /// Protocol of completions.
    pub fn api(&self) -> Api {
        self.api
    }

    /// Name of the model, from the server or the user.
    pub fn model(&self) -> &str {
        &self.model
    }

    /// Address of the server.
    pub fn base(&self) -> &str {
        &self.base
    }

    fn url(&self, path: &str) -> String {
        // `http://host/v1` and `http://host` are the same server.
        let base = self.base.strip_suffix("/v1").unwrap_or(&self.base);
        let base = base.strip_suffix("/beta").unwrap_or(base);
        format!("{base}{path}")
    }

    fn unreachable(&self, error: &reqwest::Error) -> ModelError {
        ModelError::Unreachable { url: self.base.clone(), reason: reason(error) }
    }
}

/// Text of the innermost cause, which is the most specific: "connection refused", not "error sending request".
fn reason(error: &reqwest::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(next) = cause.source() {
        cause = next;
    }
    cause.to_string()
}

impl Model for Server {
    fn title(&self) -> String {
        let model = if self.model.is_empty() { "a model" } else { &self.model };
        format!("{model} at {} ({})", self.base, self.api.name())
    }

    fn complete<'a>(
        &'a self,
        request: &'a CompletionRequest,
        sink: Sink<'a>,
    ) -> CompletionFuture<'a> {
        Box::pin(complete::complete(self, request, sink))
    }
}
