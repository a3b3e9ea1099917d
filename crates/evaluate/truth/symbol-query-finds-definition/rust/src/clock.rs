//! Times of day.

/// Seconds since the epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Instant(pub u64);

/// The instant so many seconds after another: after a backoff, after a pause.
pub fn after(instant: Instant, secs: u64) -> Instant {
    Instant(instant.0 + secs)
}

/// Whether one comes after the other.
pub fn is_after(a: Instant, b: Instant) -> bool {
    a > b
}
