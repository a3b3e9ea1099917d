//! Limits how many contexts are explained: an explanation takes a tenth of the time of a context, and of the contexts of
//! many people at a time hardly one is looked at.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Maximum number of explanations in each second. One person types at most a dozen keys a second.
const MAX_A_SECOND: u32 = 20;

/// Counts the explanations of the current second.
pub(super) struct ExplanationPace(Mutex<Second>);

struct Second {
    start: Instant,
    explained: u32,
}

impl ExplanationPace {
    pub(super) fn new() -> Self {
        Self(Mutex::new(Second { start: Instant::now(), explained: 0 }))
    }

    /// True if one more context may be explained now, which is then counted.
    pub(super) fn admits(&self, now: Instant) -> bool {
        let mut second = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if now.saturating_duration_since(second.start) >= Duration::from_secs(1) {
            *second = Second { start: now, explained: 0 };
        }
        let admits = second.explained < MAX_A_SECOND;
        second.explained += u32::from(admits);
        admits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twenty_contexts_of_each_second_are_explained() {
        let (pace, start) = (ExplanationPace::new(), Instant::now());
        let admitted =
            |from| (0..50).filter(|it| pace.admits(from + Duration::from_millis(*it))).count();
        assert_eq!(admitted(start), 20);
        assert_eq!(admitted(start + Duration::from_millis(100)), 0);
        assert_eq!(admitted(start + Duration::from_millis(1_100)), 20);
    }
}
