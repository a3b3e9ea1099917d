//! Plans files while nobody asks for anything: on a thread of its own, a quarter of one core at the most, and not at all
//! for some time after each request.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use foreword_engine::index::Snapshot;

use super::synchronizer::Synchronizer;
use crate::speculation::{MOST_FILES, Speculator};

/// How often the thread looks whether there is something to do.
const LOOK: Duration = Duration::from_millis(500);

/// How much longer the thread rests after each file than that took.
const REST: u32 = 3;

/// The longest rest after one file.
const LONGEST_REST: Duration = Duration::from_secs(2);

/// The thread of one repository. It ends after [`Synchronizer::close`].
pub(super) struct IdlePlanner {
    synchronizer: Arc<Synchronizer>,
    /// How long nobody must have asked.
    quiet: Duration,
}

impl IdlePlanner {
    /// Starts the thread.
    pub(super) fn start(synchronizer: &Arc<Synchronizer>, quiet: Duration) -> anyhow::Result<()> {
        let planner = Self { synchronizer: Arc::clone(synchronizer), quiet };
        let thread = std::thread::Builder::new().name("plan".to_owned());
        thread.spawn(move || planner.run()).context("cannot start a thread")?;
        Ok(())
    }

    fn run(&self) {
        let mut done: Option<String> = None;
        let mut seen = (0, Instant::now());
        while let Some(asked) = self.synchronizer.requests() {
            if asked != seen.0 {
                seen = (asked, Instant::now());
            }
            let snapshot = self.synchronizer.complete_disk();
            let is_quiet = seen.1.elapsed() >= self.quiet;
            let new = snapshot.filter(|it| is_quiet && done.as_deref() != Some(it.id()));
            match new {
                Some(snapshot) if self.plan(&snapshot, asked) => {
                    done = Some(snapshot.id().to_owned());
                }
                _ => std::thread::sleep(LOOK.min(self.quiet)),
            }
        }
    }

    /// Plans what needs it until somebody asks; whether nothing is left to do for this state.
    fn plan(&self, snapshot: &Snapshot, asked: u64) -> bool {
        let speculator = Speculator::new(&self.synchronizer.workspace, &self.synchronizer.store);
        let found = speculator.schedule(snapshot, &speculator.store().load(), MOST_FILES);
        let last = std::sync::Mutex::new(Instant::now());
        let goes_on = |_| {
            let is_idle = || self.synchronizer.requests() == Some(asked);
            if is_idle() {
                let mut last = last.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                std::thread::sleep((last.elapsed() * REST).min(LONGEST_REST));
                *last = Instant::now();
            }
            is_idle()
        };
        match speculator.run(snapshot, &found.pending, 1, &goes_on) {
            Ok(planned) => planned.is_none_or(|it| it.files >= found.pending.len()),
            Err(error) => {
                tracing::warn!("plans are not written: {error}");
                true
            }
        }
    }
}
