//! Makes vectors of an open repository's chunks in the background, while searches go on with those that are there.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use foreword_engine::index::Snapshot;
use foreword_model::embed::{Embedder, Progress, fill};

use super::synchronizer::Synchronizer;
use crate::embedding::{Embedding, explained};
use crate::recurring_error::RecurringError;

/// Interval at which the thread checks for work.
const POLL_INTERVAL: Duration = Duration::from_millis(500);

/// Pause after a failure, and the longest pause after several.
const PAUSE: Duration = Duration::from_secs(10);
const MAX_PAUSE: Duration = Duration::from_mins(5);

/// The thread of one repository. It ends after [`Synchronizer::close`].
pub(super) struct BackgroundEmbedder {
    synchronizer: Arc<Synchronizer>,
    embedding: Arc<Embedding>,
}

impl BackgroundEmbedder {
    /// Starts the thread.
    pub(super) fn start(
        synchronizer: &Arc<Synchronizer>,
        embedding: &Arc<Embedding>,
    ) -> anyhow::Result<()> {
        let (synchronizer, embedding) = (Arc::clone(synchronizer), Arc::clone(embedding));
        let worker = Self { synchronizer, embedding };
        let thread = std::thread::Builder::new().name("embed".to_owned());
        thread.spawn(move || worker.run()).context("cannot start a thread")?;
        Ok(())
    }

    fn run(&self) {
        let (mut done, mut pause) = (None, PAUSE);
        let error = RecurringError::new();
        while self.synchronizer.requests().is_some() {
            let snapshot = self.synchronizer.complete_disk();
            let new = snapshot.filter(|it| done.as_deref() != Some(it.id()));
            let Some(snapshot) = new else {
                std::thread::sleep(POLL_INTERVAL);
                continue;
            };
            match self.fill(&snapshot) {
                Ok(()) => {
                    (done, pause) = (Some(snapshot.id().to_owned()), PAUSE);
                    error.clear();
                }
                Err(why) => {
                    error.warn("vectors", &why);
                    self.sleep(pause);
                    pause = (pause * 2).min(MAX_PAUSE);
                }
            }
        }
    }

    /// Embeds chunks without a vector; stops when the repository is closed or has changed.
    fn fill(&self, snapshot: &Snapshot) -> Result<(), String> {
        let vectors = self.embedding.vectors();
        if vectors.coverage(snapshot).is_whole() {
            return Ok(());
        }
        let goes_on = |_: Progress| self.synchronizer.requests().is_some();
        let filled = foreword_model::wait(async {
            let embedder = Embedder::connect(self.embedding.settings()).await;
            let embedder = embedder.map_err(|it| explained(&it))?;
            let filled = fill(&embedder, snapshot, self.embedding.store(), &goes_on).await;
            filled.map_err(|it| it.to_string())
        })?;
        match filled {
            Some(_) => Ok(()),
            None => Err("another process embeds this repository".to_owned()),
        }
    }

    fn sleep(&self, pause: Duration) {
        let mut left = pause;
        while !left.is_zero() && self.synchronizer.requests().is_some() {
            std::thread::sleep(POLL_INTERVAL.min(left));
            left = left.saturating_sub(POLL_INTERVAL);
        }
    }
}
