//! A request on its way through the thread of a model.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use llama_cpp_2::token::LlamaToken;
use tokio::sync::mpsc::UnboundedSender;

use crate::request::{CompletionRequest, CompletionResponse};

/// A request for the thread.
pub(super) struct Job {
    pub(super) prompt: Vec<LlamaToken>,
    /// Strings that end a completion.
    pub(super) stops: Vec<String>,
    pub(super) request: CompletionRequest,
    /// Closed when the request is cancelled.
    pub(super) reply: UnboundedSender<Event>,
    /// Set when the thread is to end.
    pub(super) closing: Arc<AtomicBool>,
}

/// What the thread reports about a job.
pub(super) enum Event {
    /// More of the first choice.
    Text(String),
    /// The end: a response, none because the deadline passed, or why there is none.
    Finished(Result<Option<CompletionResponse>, String>),
}

impl Job {
    /// Whether the request is still wanted.
    pub(super) fn is_wanted(&self) -> bool {
        !self.reply.is_closed() && !self.closing.load(Ordering::Relaxed)
    }

    pub(super) fn is_late(&self) -> bool {
        self.request.deadline.is_some_and(|it| Instant::now() >= it)
    }

    pub(super) fn send(&self, text: &str) {
        if !text.is_empty() {
            // A cancelled request is noticed at the next token.
            let _ = self.reply.send(Event::Text(text.to_owned()));
        }
    }
}
