//! Questions about a repository over HTTP: `messages` reads one from a conversation, `respond` gathers the evidence and
//! produces the answer. The endpoints `/v1/chat/completions` and `/api/ask` render it.

mod messages;
mod respond;

pub(crate) use messages::{ChatQuestion, Question};
pub(crate) use respond::{AnswerEnd, AnswerEvent, Watch, respond};
