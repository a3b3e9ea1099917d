//! When a message is tried again.

use std::time::Duration;

/// Waits twice as long after each failure, up to a limit.
#[derive(Clone, Copy, Debug)]
pub struct Backoff {
    pub first: Duration,
    pub longest: Duration,
    pub attempts: u32,
}

impl Backoff {
    /// The wait after so many failures; `None` when it is time to give up.
    pub fn after(&self, failures: u32) -> Option<Duration> {
        if failures >= self.attempts {
            return None;
        }
        let wait = self.first.saturating_mul(1 << failures.min(16));
        Some(wait.min(self.longest))
    }
}

impl Default for Backoff {
    fn default() -> Self {
        Self {
            first: Duration::from_secs(60),
            longest: Duration::from_secs(4 * 3600),
            attempts: 12,
        }
    }
}
