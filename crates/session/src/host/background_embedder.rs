//! Makes vectors of an open repository's chunks in the background, while searches go on with those that are there; where the
//! settings want that, learns a map of questions afterwards.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use foreword_engine::index::Snapshot;
use foreword_model::embed::{Embedder, Progress, fill};

use super::synchronizer::Synchronizer;
use crate::embedding::{Embedding, explained};
use crate::recurring_error::RecurringError;

/// How often a map of questions is learned anew at the most: that takes seconds of one core.
const LEARN: Duration = Duration::from_hours(1);

/// How often the thread looks whether there is something to do.
const LOOK: Duration = Duration::from_millis(500);

/// How long it waits after a failure, and at the longest after many.
const PAUSE: Duration = Duration::from_secs(10);
const LONGEST_PAUSE: Duration = Duration::from_mins(5);

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
        let (mut done, mut pause, mut due) = (None, PAUSE, Instant::now());
        let error = RecurringError::new();
        while self.synchronizer.requests().is_some() {
            let is_due = self.embedding.settings().learn.is_any() && Instant::now() >= due;
            let snapshot = self.synchronizer.complete_disk();
            let new = snapshot.filter(|it| is_due || done.as_deref() != Some(it.id()));
            let Some(snapshot) = new else {
                std::thread::sleep(LOOK);
                continue;
            };
            let filled = self.fill(&snapshot);
            match filled.and_then(|()| if is_due { self.learn(&snapshot) } else { Ok(()) }) {
                Ok(()) => {
                    due = if is_due { Instant::now() + LEARN } else { due };
                    (done, pause) = (Some(snapshot.id().to_owned()), PAUSE);
                    error.clear();
                }
                Err(why) => {
                    error.warn("vectors", &why);
                    self.sleep(pause);
                    pause = (pause * 2).min(LONGEST_PAUSE);
                }
            }
        }
    }

    /// Learns how questions are mapped.
    fn learn(&self, snapshot: &Snapshot) -> Result<(), String> {
        let Synchronizer { setup, workspace, .. } = &*self.synchronizer;
        let goes_on = || self.synchronizer.requests().is_some();
        self.embedding.learn((setup, workspace), snapshot, &goes_on).map(drop)
    }

    /// Embeds what has no vector; stops when the repository is closed, or has changed.
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
            std::thread::sleep(LOOK.min(left));
            left = left.saturating_sub(LOOK);
        }
    }
}
