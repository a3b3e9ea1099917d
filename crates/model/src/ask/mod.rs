//! What a chat model does for questions about a repository: it answers from the evidence ([`converse()`]).
//!
//! What a model is told stands in `prompts`, each with a version in its first line, which is not sent.

mod converse;

pub use converse::{AnswerLimits, Call, Conversation, ModelAnswer, Progress, converse};
