//! The completion that every protocol renders in its own shape, and the frames of its streams.

use bytes::Bytes;
use foreword_model::request::FinishReason;
use serde_json::{Value, json};

/// A completion by a model, before it is rendered in the client's protocol.
#[derive(Clone, Debug, Default)]
pub(crate) struct Completion {
    /// The id of the request.
    pub(crate) id: String,
    /// Seconds since 1970.
    pub(crate) created: u64,
    /// The name of the model.
    pub(crate) model: String,
    /// The choices, best first.
    pub(crate) texts: Vec<String>,
    pub(crate) finish_reason: Option<FinishReason>,
    /// How likely the first line of the first choice is right, 0 to 1, where the model says so.
    pub(crate) confidence: Option<f64>,
    /// Whether the model wrote a text of this confidence that is not shown.
    pub(crate) is_withheld: bool,
    /// The prompt that the model was sent.
    pub(crate) prompt: String,
    pub(crate) prompt_tokens: u64,
    pub(crate) completion_tokens: u64,
    /// Milliseconds that the model took.
    pub(crate) model_ms: f64,
}

impl Completion {
    /// The fields that OpenAI's and Mistral's objects begin with.
    pub(super) fn envelope(&self, object: &str) -> Value {
        json!({
            "id": format!("cmpl-{}", self.id), "object": object, "created": self.created, "model": self.model,
        })
    }

    /// Token counts as OpenAI reports them.
    pub(super) fn usage(&self) -> Value {
        json!({
            "prompt_tokens": self.prompt_tokens, "completion_tokens": self.completion_tokens,
            "total_tokens": self.prompt_tokens + self.completion_tokens,
        })
    }

    /// The finish reason as OpenAI, Mistral and Ollama name it.
    pub(super) fn finish_reason(&self) -> &'static str {
        if self.finish_reason == Some(FinishReason::Length) { "length" } else { "stop" }
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
