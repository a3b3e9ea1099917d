//! Requests in progress on worker threads.
//!
//! Only the newest request of a file counts; older ones are answered with null at once, since an editor need not cancel
//! them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use lsp_server::RequestId;
use serde_json::Value;

use crate::lsp::suggestion::{BufferCursor, Presentation};
use crate::lsp::worker::Trigger;

/// A request with a job.
pub(super) struct PendingRequest {
    job: u64,
    /// `None` for a prefetched suggestion not yet requested.
    pub(super) id: Option<RequestId>,
    cancelled: Arc<AtomicBool>,
    pub(super) subject: Subject,
}

pub(super) enum Subject {
    Suggestion(SuggestionRequest),
    Symbols,
    ContextPage,
    NextEdits,
    /// The place of the next edit, to be shown.
    Jump,
}

pub(super) struct SuggestionRequest {
    pub(super) cursor: BufferCursor,
    /// `None` for a prefetch.
    pub(super) reply: Option<Reply>,
}

/// Trigger and presentation of a requested suggestion.
pub(super) struct Reply {
    pub(super) presentation: Presentation,
    pub(super) trigger: Trigger,
}

#[derive(Default)]
pub(super) struct PendingRequests {
    requests: Vec<PendingRequest>,
    jobs_started: u64,
}

impl PendingRequests {
    /// Adds a request; returns its job number and cancellation flag.
    pub(super) fn add(
        &mut self,
        id: Option<RequestId>,
        subject: Subject,
    ) -> (u64, Arc<AtomicBool>) {
        let cancelled = Arc::new(AtomicBool::new(false));
        self.jobs_started += 1;
        let job = self.jobs_started;
        self.requests.push(PendingRequest { job, id, cancelled: Arc::clone(&cancelled), subject });
        (job, cancelled)
    }

    /// Removes the request of a job, unless it was cancelled or superseded.
    pub(super) fn take(&mut self, job: u64) -> Option<PendingRequest> {
        let at = self.requests.iter().position(|it| it.job == job)?;
        Some(self.requests.remove(at))
    }

    /// Attaches a request to a matching prefetch, or returns it.
    pub(super) fn attach(
        &mut self,
        cursor: &BufferCursor,
        id: RequestId,
        reply: Reply,
    ) -> Result<(), (RequestId, Reply)> {
        if reply.trigger != Trigger::Automatic {
            return Err((id, reply));
        }
        for request in &mut self.requests {
            if let Subject::Suggestion(it) = &mut request.subject
                && it.reply.is_none()
                && it.cursor == *cursor
            {
                request.id = Some(id);
                it.reply = Some(reply);
                return Ok(());
            }
        }
        Err((id, reply))
    }

    /// Cancels the pending suggestions of a file; returns the ids to answer.
    pub(super) fn supersede(&mut self, uri: &str) -> Vec<RequestId> {
        self.cancel_where(
            |it| matches!(&it.subject, Subject::Suggestion(it) if it.cursor.uri == uri),
        )
    }

    /// Cancels the request with this id; returns the ids to answer.
    pub(super) fn cancel(&mut self, id: &Value) -> Vec<RequestId> {
        self.cancel_where(|it| {
            it.id.as_ref().is_some_and(|it| serde_json::to_value(it).is_ok_and(|it| it == *id))
        })
    }

    fn cancel_where(&mut self, condition: impl Fn(&PendingRequest) -> bool) -> Vec<RequestId> {
        let cancelled = self.requests.extract_if(.., |it| condition(it));
        let ids = cancelled.filter_map(|it| {
            it.cancelled.store(true, Ordering::Relaxed);
            it.id
        });
        ids.collect()
    }
}
