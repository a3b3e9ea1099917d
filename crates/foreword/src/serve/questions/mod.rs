//! Questions about a repository over HTTP: `messages` reads one from a conversation, `respond` gathers the evidence and
//! produces the answer, `client` passes on conversations that clients compose themselves. The endpoints `/v1/chat/completions` and `/api/ask` render it.

mod client;
mod messages;
mod respond;

pub(crate) use client::{is_composed, pass_on};
pub(crate) use messages::{ChatQuestion, Question};
pub(crate) use respond::{AnswerEnd, AnswerEvent, Watch, respond};
