//! Models behind HTTP: llama.cpp, Ollama, and those that speak OpenAI's, Mistral's or DeepSeek's way.
//!
//! Prompts are rendered by `foreword_engine::compose` and sent as they are wherever a server takes a raw prompt, since
//! servers that render themselves leave out the repository and the file, or ignore the suffix. The user's code goes to
//! the address that the user named and to no other. A model whose tokens to fill a hole are not known is refused.

mod api;
mod ask;
mod body;
mod connect;
mod read;
mod relay;
#[cfg(test)]
mod stub;
#[cfg(test)]
mod tests;

pub use api::Api;
pub use body::body;
pub use read::{Line, Lines, Part, part};
pub use relay::{Relayed, status_of};

use crate::ModelError;
use crate::request::{Answering, Model, Request, Sink};

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
    /// Which way it is asked.
    pub fn api(&self) -> Api {
        self.api
    }

    /// The name of the model, as the server or the user says.
    pub fn model(&self) -> &str {
        &self.model
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

/// The last cause says most: "connection refused", not "error sending request".
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

    fn answer<'a>(&'a self, request: &'a Request, sink: Sink<'a>) -> Answering<'a> {
        Box::pin(ask::answer(self, request, sink))
    }
}
