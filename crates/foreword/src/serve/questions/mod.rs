//! Questions about a repository, as HTTP asks them: `messages` reads one from a conversation, `respond` gathers the evidence
//! and has it answered. The endpoints `/v1/chat/completions` and `/api/ask` render what comes of it.

mod messages;
mod respond;

pub(crate) use messages::{ChatQuestion, Question};
pub(crate) use respond::{AnswerEvent, Finished, Watch, respond};
