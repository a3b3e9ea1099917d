//! Help of a chat model with questions about a repository: answers from evidence ([`converse()`]), additional search
//! texts ([`write()`]) and reranking ([`rerank()`]).
//!
//! The last two are optional: if a model is slow or its output unusable, the answer continues without it and states the
//! reason. Prompts are in `prompts`; their first line is a version and is not sent.

mod converse;
mod help;
mod join;
mod plain;
mod preset;
mod rerank;
mod write;

pub use converse::{
    AnswerLimits, Call, Contents, Conversation, ModelAnswer, Progress, ReadElsewhere, SnapshotWork,
    converse, evidence_message,
};
pub use help::{Help, HelpModels, HelpSettings, help};
pub use rerank::{Ranking, RerankKind, RerankRequest, rerank};
pub use write::{SearchTexts, WriteKind, WriteRequest, write};

use std::time::Instant;

use crate::chat::{ChatRequest, Delivery, Message};
use crate::error::ModelError;
pub(crate) use plain::{one_line, plain};

/// Instructions without their version line.
fn instructions(file: &'static str) -> String {
    file.split_once('\n').map_or(file, |it| it.1).trim().to_owned()
}

/// A short reason for missing help, shown as a note beside an answer.
fn reason(error: &ModelError) -> String {
    match error {
        ModelError::Timeout { .. } => "it did not answer in time (ask.help_ms)".to_owned(),
        other => other.to_string(),
    }
}

/// A request with these instructions, answered as a whole with the likeliest text.
fn single_request(
    instructions_file: &'static str,
    message: String,
    max_tokens: usize,
    deadline: Instant,
) -> ChatRequest {
    ChatRequest {
        messages: vec![Message::System(instructions(instructions_file)), Message::User(message)],
        max_tokens: Some(max_tokens),
        temperature: Some(0.0),
        deadline: Some(deadline),
        delivery: Delivery::Whole,
        ..ChatRequest::default()
    }
}
