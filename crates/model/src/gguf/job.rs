//! A request for the thread of a model.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use llama_cpp_2::token::LlamaToken;
use tokio::sync::mpsc::UnboundedSender;

use crate::request::{CompletionRequest, CompletionResponse};

pub(super) struct Job {
    pub(super) prompt: Vec<LlamaToken>,
    /// Stop strings.
    pub(super) stops: Vec<String>,
    pub(super) request: CompletionRequest,
    /// Closed when the request is cancelled.
    pub(super) reply: UnboundedSender<Event>,
    /// Set when the thread must end.
    pub(super) closing: Arc<AtomicBool>,
}

/// A report of the thread about a job.
pub(super) enum Event {
    /// More text of the first choice.
    Text(String),
    /// The end: a response, `None` after the deadline, or an error.
    Finished(Result<Option<CompletionResponse>, String>),
}

impl Job {
    /// Whether the request is still active.
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
