//! Conversations: messages, tools and a schema in; text or tool calls out. Only servers converse
//! ([`crate::http::Server::chat`]).

use std::time::Instant;

use serde_json::Value;

use crate::request::FinishReason;

/// A conversation for the model to continue.
#[derive(Clone, Debug, Default)]
pub struct ChatRequest {
    /// Oldest first.
    pub messages: Vec<Message>,
    /// Tools that the model may call.
    pub tools: Vec<Tool>,
    /// JSON schema of the answer; `None` for free text.
    pub schema: Option<AnswerSchema>,
    /// Maximum number of tokens of the answer; `None` for the server's limit.
    pub max_tokens: Option<usize>,
    /// Maximum bytes of the answer with its calls, for servers that ignore `max_tokens`. A longer answer is cut and
    /// loses its calls. `None` for no limit.
    pub max_bytes: Option<usize>,
    /// Strings that end the answer.
    pub stop: Vec<String>,
    /// 0 for the likeliest answer; `None` for the server's default.
    pub temperature: Option<f32>,
    /// Time after which the answer is useless.
    pub deadline: Option<Instant>,
    /// Whether the answer is streamed.
    pub delivery: Delivery,
    /// Path below the server's address, for servers that have their own; `None` for that of the protocol.
    pub path: Option<&'static str>,
    /// Number of alternatives to report for each token, with probabilities, from servers that support it.
    pub alternatives: Option<usize>,
}

/// Delivery of an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Delivery {
    /// As it is generated, so that a deadline can return the text so far.
    #[default]
    Streamed,
    /// In one piece.
    Whole,
}

/// One message of a conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// Instructions.
    System(String),
    /// A question.
    User(String),
    /// An earlier answer of the model.
    Assistant {
        /// The text; may be empty if there are calls.
        text: String,
        /// Tool calls of the answer.
        tool_calls: Vec<ToolCall>,
    },
    /// The result of a tool.
    Tool {
        /// Id of the call.
        call_id: String,
        /// Name of the tool.
        name: String,
        /// The text.
        text: String,
    },
}

impl Message {
    /// Name of the role, the same in all protocols.
    pub fn role(&self) -> &'static str {
        match self {
            Self::System(_) => "system",
            Self::User(_) => "user",
            Self::Assistant { .. } => "assistant",
            Self::Tool { .. } => "tool",
        }
    }

    /// The text.
    pub fn text(&self) -> &str {
        match self {
            Self::System(text)
            | Self::User(text)
            | Self::Assistant { text, .. }
            | Self::Tool { text, .. } => text,
        }
    }
}

/// A tool offered to the model.
#[derive(Clone, Debug, PartialEq)]
pub struct Tool {
    /// Letters, digits and underscores.
    pub name: String,
    /// Description for the model.
    pub description: String,
    /// JSON schema of its arguments.
    pub parameters: Value,
}

/// A JSON schema that the answer must follow.
#[derive(Clone, Debug, PartialEq)]
pub struct AnswerSchema {
    /// Letters, digits and underscores; required by some protocols.
    pub name: String,
    /// The schema.
    pub schema: Value,
}

/// A tool call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolCall {
    /// Identifies the call in its result.
    pub id: String,
    /// Name of the tool.
    pub name: String,
    /// Arguments as written by the model: JSON, unless it made a mistake.
    pub arguments: String,
}

impl ToolCall {
    /// Parses the arguments.
    pub fn parsed_arguments(&self) -> Result<Value, serde_json::Error> {
        let text = self.arguments.trim();
        // Some models write nothing for a tool without arguments.
        serde_json::from_str(if text.is_empty() { "{}" } else { text })
    }
}

/// The model's answer.
#[derive(Clone, Debug, PartialEq)]
pub struct ChatResponse {
    /// The text; may be empty if there are calls.
    pub text: String,
    /// Calls in the model's order.
    pub tool_calls: Vec<ToolCall>,
    /// Reason for the end of the answer.
    pub finish_reason: FinishReason,
    /// Tokens used.
    pub usage: Usage,
    /// Alternatives for the first token with their log probabilities (natural logarithm); empty if the server reports
    /// none.
    pub first_token: Vec<(String, f32)>,
}

impl Default for ChatResponse {
    fn default() -> Self {
        Self {
            text: String::new(),
            tool_calls: Vec::new(),
            finish_reason: FinishReason::Unknown,
            usage: Usage::default(),
            first_token: Vec::new(),
        }
    }
}

/// Token counts of a conversation, if the server reports them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Tokens of the prompt.
    pub prompt_tokens: Option<u64>,
    /// Tokens of the answer.
    pub answer_tokens: Option<u64>,
    /// Tokens of the prompt that the server had cached.
    pub cached_tokens: Option<u64>,
}
