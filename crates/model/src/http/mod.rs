//! Models behind HTTP: llama.cpp, Ollama, and servers that speak OpenAI's, Mistral's or DeepSeek's protocol.
//!
//! Prompts are rendered by `foreword_engine::compose` and sent as they are wherever a server takes a raw prompt, since
//! servers that render themselves leave out the repository and the file, or ignore the suffix. The user's code goes to
//! the address that the user named and to no other. A model whose fill-in-the-middle tokens are not known is refused.

mod api;
mod ask;
mod body;
mod calibrate;
mod chat;
mod complete;
mod connect;
mod embed;
mod raw;
mod read;
#[cfg(test)]
pub(crate) mod stub;
#[cfg(test)]
mod tests;

pub use api::Api;
pub use body::completion_body;
pub use connect::check_address;
pub use raw::{RawResponse, status_of};
pub use read::{Delta, Line, Lines, delta};

use crate::error::ModelError;
use crate::request::{CompletionFuture, CompletionRequest, Model, Sink};

/// A model at an address.
#[derive(Clone, Debug)]
pub struct Server {
    /// Without a slash at the end.
    base: String,
    api: Api,
    /// The name of the model in the server; may be empty where a server has only one.
    model: String,
    /// Whether the server named the model, and not the user.
    is_own: bool,
    key: Option<String>,
    client: reqwest::Client,
}

impl Server {
    /// The protocol by which it is asked.
    pub fn api(&self) -> Api {
        self.api
    }

    /// The name of the model, as the server or the user says.
    pub fn model(&self) -> &str {
        &self.model
    }

    /// The server's address.
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

/// The last cause is the most specific: "connection refused", not "error sending request".
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
