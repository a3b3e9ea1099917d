//! Admission control: the number of contexts computed at a time, the wait of a request for its context, and late contexts.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::{AcquireError, OwnedSemaphorePermit, Semaphore, oneshot};
use tokio::time::{Instant, timeout, timeout_at};

use super::outcome::ContextOutcome;
use super::prepare::{Preparation, PreparedContext, PromptInputs};
use super::prompt::PromptSettings;
use super::workspaces::Workspaces;
use crate::serve::protocols::request::ClientRequest;

/// A request may queue for 1/`QUEUE_PART` of its patience, so that an admitted request has time to finish; otherwise,
/// under overload, all would wait and none would be in time.
const QUEUE_PART: u32 = 3;

/// Computes contexts, one per core at a time.
pub(crate) struct ContextService {
    pub(crate) workspaces: Workspaces,
    permits: Arc<Semaphore>,
    /// Requests that wait for admission.
    waiting: AtomicUsize,
    /// Maximum wait of a request for its context.
    pub(crate) patience: Duration,
}

/// A context, and its explanation as JSON, which arrives later or never.
pub(crate) struct ContextInTime {
    pub(crate) context: PreparedContext,
    pub(crate) explanation: oneshot::Receiver<String>,
}

/// Why a request has no context.
pub(crate) struct NoContext {
    /// [`ContextOutcome::Late`] or [`ContextOutcome::Failed`].
    pub(crate) outcome: ContextOutcome,
    pub(crate) reason: String,
}

/// Too many requests waited for admission.
#[derive(Debug)]
struct Overload;

impl std::fmt::Display for Overload {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("too many requests came at a time to make a context for each")
    }
}

impl std::error::Error for Overload {}

impl ContextService {
    pub(crate) fn new(workspaces: Workspaces, patience: Duration) -> Self {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        let permits = Arc::new(Semaphore::new(cores.max(2)));
        Self { workspaces, permits, waiting: AtomicUsize::new(0), patience }
    }

    /// The context of a request, if it is ready in time.
    pub(crate) async fn prepare_in_time(
        self: &Arc<Self>,
        request: &ClientRequest,
        settings: &PromptSettings,
    ) -> Result<ContextInTime, NoContext> {
        if self.patience.is_zero() {
            let reason = "with --patience 0 no request waits for its context".to_owned();
            return Err(NoContext { outcome: ContextOutcome::Late, reason });
        }
        let deadline = Instant::now() + self.patience;
        match timeout_at(deadline, self.prepare_on_thread(request, settings)).await {
            Ok(Ok(context)) => Ok(context),
            Ok(Err(error)) => {
                let is_late = error.is::<Overload>();
                let outcome = if is_late { ContextOutcome::Late } else { ContextOutcome::Failed };
                Err(NoContext { outcome, reason: error.to_string() })
            }
            Err(_) => {
                let millis = self.patience.as_millis();
                let reason = format!("the context was not ready after {millis} ms");
                Err(NoContext { outcome: ContextOutcome::Late, reason })
            }
        }
    }

    /// Prepares the context on a thread for computations, once the request is admitted.
    async fn prepare_on_thread(
        self: &Arc<Self>,
        request: &ClientRequest,
        settings: &PromptSettings,
    ) -> anyhow::Result<ContextInTime> {
        let Ok(permit) = timeout(self.patience / QUEUE_PART, self.admit()).await else {
            return Err(Overload.into());
        };
        let permit = permit?;
        let (service, request, settings) = (Arc::clone(self), request.clone(), settings.clone());
        let (context_sender, context) = oneshot::channel();
        let (explanation_sender, explanation) = oneshot::channel();
        tokio::task::spawn_blocking(move || {
            let json = service.prepare_and_explain(&request, &settings, context_sender);
            drop(permit);
            if let Some(json) = json {
                // The server may be closing.
                let _ = explanation_sender.send(json);
            }
        });
        Ok(ContextInTime { context: context.await??, explanation })
    }

    /// Sends the context as soon as it is prepared, or why it cannot be. Then explains it, unless other requests wait for
    /// admission or the context came too late.
    fn prepare_and_explain(
        &self,
        request: &ClientRequest,
        settings: &PromptSettings,
        to: oneshot::Sender<anyhow::Result<PreparedContext>>,
    ) -> Option<String> {
        // If sending fails, the request has gone on without a context.
        let inputs = match PromptInputs::gather(&self.workspaces, request, settings, self.patience)
        {
            Ok(inputs) => inputs,
            Err(error) => {
                let _ = to.send(Err(error));
                return None;
            }
        };
        let Preparation { mut context, explainable } = match inputs.prepare() {
            Ok(prepared) => prepared,
            Err(error) => {
                let _ = to.send(Err(error));
                return None;
            }
        };
        let is_idle = self.waiting.load(Ordering::Relaxed) == 0;
        if !is_idle {
            let note = "others were waiting, so the context was not explained";
            context.notes.push(note.to_owned());
        }
        let is_received = to.send(Ok(context)).is_ok();
        explainable.filter(|_| is_received && is_idle)?.explain().ok()
    }

    /// Waits until a context may be computed.
    async fn admit(&self) -> Result<OwnedSemaphorePermit, AcquireError> {
        let _waiting = Waiting::new(&self.waiting);
        Arc::clone(&self.permits).acquire_owned().await
    }
}

/// Counts a waiting request as long as it lives: a client may go away while it waits.
struct Waiting<'w>(&'w AtomicUsize);

impl<'w> Waiting<'w> {
    fn new(count: &'w AtomicUsize) -> Self {
        count.fetch_add(1, Ordering::Relaxed);
        Self(count)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
