//! What all requests of a server share.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use tokio::sync::{AcquireError, OwnedSemaphorePermit, Semaphore, watch};

use crate::backend::Backend;
use crate::host::{Host, Repository, Setup};
use crate::serve::context::finder::Finder;
use crate::serve::observation::journal::Journal;
use crate::serve::observation::metrics::Metrics;
use crate::serve::options::Options;
use crate::usage::usage;

/// A running server.
pub(crate) struct App {
    /// What keeps repositories, and the settings by which.
    pub(crate) host: Host,
    /// The repositories that were named, in that order; the first is where a request belongs that says nothing.
    pub(crate) repositories: Vec<Arc<Repository>>,
    /// What was asked lately.
    pub(crate) journal: Journal,
    /// Counts since the start.
    pub(crate) metrics: Metrics,
    /// Finds files by what stands in them.
    pub(crate) finder: Finder,
    /// The model that answers.
    pub(crate) backend: Arc<Backend>,
    /// Contexts that may be computed at a time.
    turns: Arc<Semaphore>,
    /// Requests that wait for their turn.
    waiting: AtomicUsize,
    /// The repository in which a file was found last, by its number.
    last: AtomicUsize,
    /// What it was told.
    pub(crate) options: Options,
    /// When it was started.
    pub(crate) started: Instant,
    /// True when the server is about to stop: endless answers end then.
    pub(crate) closing: watch::Receiver<bool>,
}

impl App {
    /// Opens the repositories, which are looked through in the background.
    pub(crate) fn new(
        setup: Setup,
        options: Options,
        backend: Arc<Backend>,
        closing: watch::Receiver<bool>,
    ) -> anyhow::Result<Self> {
        let host = Host::new(setup);
        let mut repositories: Vec<Arc<Repository>> = Vec::new();
        for path in &options.workspaces {
            let it = host.repository(path)?;
            if repositories.iter().all(|known| known.workspace().root != it.workspace().root) {
                repositories.push(it);
            }
        }
        if repositories.is_empty() {
            return Err(usage("no workspace is named"));
        }
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        Ok(Self {
            host,
            repositories,
            journal: Journal::new(),
            metrics: Metrics::default(),
            finder: Finder::default(),
            backend,
            turns: Arc::new(Semaphore::new(cores.max(2))),
            waiting: AtomicUsize::new(0),
            last: AtomicUsize::new(0),
            options,
            started: Instant::now(),
            closing,
        })
    }

    /// Waits for leave to compute a context.
    pub(crate) async fn turn(&self) -> Result<OwnedSemaphorePermit, AcquireError> {
        let _waiting = Waiting::new(&self.waiting);
        Arc::clone(&self.turns).acquire_owned().await
    }

    /// How many requests wait for theirs.
    pub(crate) fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }

    /// The repository in which a file was found last: where a text belongs that is found nowhere.
    pub(crate) fn last(&self) -> usize {
        self.last.load(Ordering::Relaxed)
    }

    pub(crate) fn set_last(&self, repository: usize) {
        self.last.store(repository, Ordering::Relaxed);
    }
}

/// Counts one as long as it lives: a client may go while it waits.
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
