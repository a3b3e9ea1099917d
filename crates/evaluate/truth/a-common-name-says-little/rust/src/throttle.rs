//! Slows down.

use std::collections::HashMap;

/// At most so many messages an hour to each domain.
#[derive(Debug)]
pub struct Throttle {
    per_hour: u32,
    sent: HashMap<String, (u64, u32)>,
}

impl Throttle {
    /// A throttle that has seen nothing.
    pub fn new(per_hour: u32) -> Self {
        Self { per_hour, sent: HashMap::new() }
    }

    /// Whether one more may go to the domain in this hour.
    pub fn get(&mut self, domain: &str, hour: u64) -> bool {
        let entry = self.sent.entry(domain.to_owned()).or_insert((hour, 0));
        if entry.0 != hour {
            *entry = (hour, 0);
        }
        entry.1 += 1;
        entry.1 <= self.per_hour
    }
}
