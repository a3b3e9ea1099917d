//! The progress of a push on a terminal.

use std::cell::Cell;
use std::time::{Duration, Instant};

use foreword_cluster::PushProgress;

use crate::cli::config::Settings;
use crate::cli::output;

/// Between two lines.
const PROGRESS: Duration = Duration::from_secs(2);

/// Lines of progress on a terminal, with rate and rest.
pub(super) struct Progress {
    is_shown: bool,
    start: Instant,
    last: Cell<Instant>,
}

impl Progress {
    pub(super) fn new(settings: &Settings) -> Self {
        let start = Instant::now();
        let is_shown = output::stderr_is_terminal() && !settings.quiet;
        Self { is_shown, start, last: Cell::new(start) }
    }

    pub(super) fn show(&self, it: PushProgress) {
        if !self.is_shown || self.last.get().elapsed() < PROGRESS {
            return;
        }
        self.last.set(Instant::now());
        let rate = it.done as f64 / self.start.elapsed().as_secs_f64();
        let left = (it.total - it.done) as f64 / rate.max(0.1);
        output::note(&format!(
            "{} of {} files sent, {rate:.0} a second, {left:.0} s left",
            it.done, it.total
        ));
    }
}
