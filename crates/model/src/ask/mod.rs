//! What a chat model does for questions about a repository: it answers from the evidence ([`converse()`]), writes what is searched
//! for beside the question ([`write()`]), and puts passages in order ([`rerank()`]).
//!
//! The last two are help: where a model is slow, or what it says cannot be used, all goes on as without it, and the reason is
//! stated. What a model is told stands in `prompts`, each with a version in its first line, which is not sent.

mod converse;
mod help;
mod join;
mod plain;
mod rerank;
mod write;

pub use converse::{AnswerLimits, Call, Conversation, ModelAnswer, Progress, converse};
pub use help::{Help, HelpModels, HelpSettings, help};
pub use plain::without_controls;
pub use rerank::{RerankKind, RerankRequest, Reranked, rerank};
pub use write::{WriteKind, WriteRequest, Written, write};

use crate::error::ModelError;
pub(crate) use plain::{one_line, plain};

/// Instructions without the line that names their version.
fn instructions(file: &'static str) -> String {
    file.split_once('\n').map_or(file, |it| it.1).trim().to_owned()
}

/// Why there is no help, in few words: it is a note beside an answer.
fn reason(error: &ModelError) -> String {
    match error {
        ModelError::Timeout { .. } => "it did not answer in time (ask.help_ms)".to_owned(),
        other => other.to_string(),
    }
}
