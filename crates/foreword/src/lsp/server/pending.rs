//! The requests that worker threads are busy with.
//!
//! For one file only the newest request counts: it supersedes the older ones, which are answered with nothing at once,
//! since an editor that moved on need not have cancelled them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use lsp_server::RequestId;
use serde_json::Value;

use crate::lsp::suggestion::{BufferCursor, Presentation};
use crate::lsp::worker::Trigger;

/// A request that a job was started for.
pub(super) struct PendingRequest {
    job: u64,
    /// `None` for a prefetched suggestion that the editor has not requested yet.
    pub(super) id: Option<RequestId>,
    cancelled: Arc<AtomicBool>,
    pub(super) subject: Subject,
}

pub(super) enum Subject {
    Suggestion(SuggestionRequest),
    Symbols,
    ContextPage,
    NextEdits,
}

pub(super) struct SuggestionRequest {
    pub(super) cursor: BufferCursor,
    /// `None` while it is a prefetch.
    pub(super) reply: Option<Reply>,
}

/// How a suggestion was requested and is to be presented.
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
    /// Adds a request; gives the number of its job and the flag that cancels it.
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

    /// Takes out the request of a job, unless it was cancelled or superseded.
    pub(super) fn take(&mut self, job: u64) -> Option<PendingRequest> {
        let at = self.requests.iter().position(|it| it.job == job)?;
        Some(self.requests.remove(at))
    }

    /// Attaches a request to the prefetch of the same suggestion; gives it back where there is none.
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

    /// Cancels the suggestions that are pending for a file; gives the ids that are to be answered.
    pub(super) fn supersede(&mut self, uri: &str) -> Vec<RequestId> {
        self.cancel_where(
            |it| matches!(&it.subject, Subject::Suggestion(it) if it.cursor.uri == uri),
        )
    }

    /// Cancels the request of this id; gives the ids that are to be answered.
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
