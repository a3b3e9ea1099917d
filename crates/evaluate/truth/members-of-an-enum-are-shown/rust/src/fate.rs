//! What became of a message.

/// What became of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    Delivered,
    Deferred { until: u64 },
    Bounced,
    HeldForReview,
}
