//! Counts for the status page.

use std::fmt::Write as _;

/// How many messages had which fate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    pub delivered: u64,
    pub deferred: u64,
    pub bounced: u64,
}

impl Stats {
    /// All of them.
    pub fn total(&self) -> u64 {
        self.delivered + self.deferred + self.bounced
    }

    /// One line a count.
    pub fn render(&self) -> String {
        let mut text = String::new();
        let _ = writeln!(text, "delivered {}", self.delivered);
        let _ = writeln!(text, "deferred {}", self.deferred);
        let _ = writeln!(text, "bounced {}", self.bounced);
        text
    }
}
