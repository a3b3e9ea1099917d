//! The processor time that the expensive texts of a round of indexing share, so that the answers that wait for the round
//! wait a bounded time, however many texts stop their parsers.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::job::WorkLimits;

/// The processor time that is left for a round's expensive texts.
pub(crate) struct Round {
    limits: WorkLimits,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Time beyond the texts' own that was taken or is reserved.
    taken: Duration,
    /// Time of their own of texts that were stopped.
    wasted: Duration,
}

impl Round {
    pub(super) fn new(limits: WorkLimits) -> Self {
        Self { limits, state: Mutex::default() }
    }

    /// Reserves time for a batch, possibly none; `None` if so many texts were stopped that no more are tried.
    pub(super) fn reserve(&self) -> Option<Duration> {
        let mut state = self.lock();
        if state.wasted >= self.limits.round_time {
            return None;
        }
        let left = self.limits.round_time.saturating_sub(state.taken);
        let reserved = left.min(self.limits.batch_time);
        state.taken += reserved;
        Some(reserved)
    }

    /// Gives back what a batch did not use.
    pub(super) fn give_back(&self, unused: Duration) {
        let mut state = self.lock();
        state.taken = state.taken.saturating_sub(unused);
    }

    /// Counts a text that was stopped.
    pub(super) fn waste(&self, own: Duration) {
        self.lock().wasted += own;
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
