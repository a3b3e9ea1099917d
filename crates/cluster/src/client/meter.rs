//! What was asked of a cluster, for metrics.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Upper bounds of the buckets of durations, in milliseconds.
const BOUNDS: [u64; 9] = [2, 5, 10, 20, 50, 100, 250, 1000, 5000];

/// Counts of requests since the connection.
#[derive(Debug, Default)]
pub struct Meter {
    failures: AtomicU64,
    bytes: AtomicU64,
    micros: AtomicU64,
    buckets: [AtomicU64; BOUNDS.len() + 1],
}

impl Meter {
    pub(crate) fn add(&self, took: Duration) {
        let bucket = BOUNDS.iter().position(|it| took.as_millis() <= u128::from(*it));
        self.buckets[bucket.unwrap_or(BOUNDS.len())].fetch_add(1, Ordering::Relaxed);
        self.micros.fetch_add(took.as_micros() as u64, Ordering::Relaxed);
    }

    pub(crate) fn add_failure(&self) {
        self.failures.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn add_bytes(&self, n: usize) {
        self.bytes.fetch_add(n as u64, Ordering::Relaxed);
    }

    /// Bytes of all answers.
    pub fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Requests without an answer, and those that the cluster could not answer (429, 5xx).
    pub fn failures(&self) -> u64 {
        self.failures.load(Ordering::Relaxed)
    }

    /// Seconds of all requests together.
    pub fn seconds(&self) -> f64 {
        self.micros.load(Ordering::Relaxed) as f64 / 1e6
    }

    /// The number of requests that took at most so many seconds, for several bounds; the last has none.
    pub fn durations(&self) -> impl Iterator<Item = (Option<f64>, u64)> {
        let bounds = BOUNDS.iter().map(|it| Some(*it as f64 / 1e3)).chain([None]);
        let mut sum = 0;
        bounds.zip(&self.buckets).map(move |(bound, n)| {
            sum += n.load(Ordering::Relaxed);
            (bound, sum)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_counted_by_their_duration() {
        let meter = Meter::default();
        meter.add(Duration::from_millis(4));
        meter.add(Duration::from_mins(1));
        meter.add_failure();
        let counts: Vec<(Option<f64>, u64)> = meter.durations().collect();
        assert_eq!(counts[0], (Some(0.002), 0));
        assert_eq!(counts[1], (Some(0.005), 1));
        assert_eq!(counts.last(), Some(&(None, 2)));
        assert_eq!((meter.failures(), meter.seconds()), (1, 60.004));
    }
}
