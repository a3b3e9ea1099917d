//! Conversations: messages, tools and a schema go in; a text, or calls of tools, come out. Only servers converse
//! ([`crate::http::Server::chat`]).

use std::time::Instant;

use serde_json::Value;

use crate::request::FinishReason;

/// A conversation that the model is to continue.
#[derive(Clone, Debug, Default)]
pub struct ChatRequest {
    /// The oldest first.
    pub messages: Vec<Message>,
    /// What the model may call.
    pub tools: Vec<Tool>,
    /// The shape of the answer; any text without it.
    pub schema: Option<AnswerSchema>,
    /// Maximum number of tokens of the answer; the server's own limit without it.
    pub max_tokens: Option<usize>,
    /// The most bytes of the answer, calls included; a server may not know `max_tokens`. A longer one is cut off, and its
    /// calls are dropped. No limit without it.
    pub max_bytes: Option<usize>,
    /// Strings that end the answer.
    pub stop: Vec<String>,
    /// 0 for the likeliest answer; the server's own default without it.
    pub temperature: Option<f32>,
    /// When an answer is of no use any more.
    pub deadline: Option<Instant>,
    /// Whether the answer is streamed.
    pub delivery: Delivery,
    /// How many alternatives of each token are wanted with their probabilities; none without it. Not every server has them.
    pub alternatives: Option<usize>,
}

/// How an answer is delivered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Delivery {
    /// As it is written; the text so far can be used at a deadline.
    #[default]
    Streamed,
    /// All at once.
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
        /// Its text; may be empty beside calls.
        text: String,
        /// The tools that it called.
        tool_calls: Vec<ToolCall>,
    },
    /// The result of a tool.
    Tool {
        /// The call that it answers.
        call_id: String,
        /// The tool.
        name: String,
        /// The result.
        text: String,
    },
}

impl Message {
    /// The name of the role, which all protocols share.
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

/// A tool that the model may call.
#[derive(Clone, Debug, PartialEq)]
pub struct Tool {
    /// Letters, digits and underscores.
    pub name: String,
    /// What it does, for the model.
    pub description: String,
    /// The JSON schema of its arguments.
    pub parameters: Value,
}

/// A JSON schema that the answer must follow.
#[derive(Clone, Debug, PartialEq)]
pub struct AnswerSchema {
    /// Letters, digits and underscores; some protocols want a name.
    pub name: String,
    /// The schema.
    pub schema: Value,
}

/// A call of a tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolCall {
    /// Names the call; its result has the same id.
    pub id: String,
    /// The tool.
    pub name: String,
    /// The arguments as the model wrote them: JSON, if it made no mistake.
    pub arguments: String,
}

impl ToolCall {
    /// The arguments; the error says what is wrong with them.
    pub fn parsed_arguments(&self) -> Result<Value, serde_json::Error> {
        let text = self.arguments.trim();
        // Some models write nothing where a tool takes no arguments.
        serde_json::from_str(if text.is_empty() { "{}" } else { text })
    }
}

/// The model's answer.
#[derive(Clone, Debug, PartialEq)]
pub struct ChatResponse {
    /// The text; may be empty where tools are called.
    pub text: String,
    /// The calls, in the model's order.
    pub tool_calls: Vec<ToolCall>,
    /// Why the answer ends.
    pub finish_reason: FinishReason,
    /// What it cost.
    pub usage: Usage,
    /// What the first token could have been, with the natural logarithm of the probability; empty where the server does not say.
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

/// Tokens of a conversation, where the server reports them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Tokens of the prompt.
    pub prompt_tokens: Option<u64>,
    /// Tokens of the answer.
    pub answer_tokens: Option<u64>,
    /// Tokens of the prompt that were cached from an earlier request.
    pub cached_tokens: Option<u64>,
}
