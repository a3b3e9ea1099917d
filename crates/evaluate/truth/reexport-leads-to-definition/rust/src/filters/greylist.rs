//! Makes unknown senders wait.

use std::collections::HashMap;

use crate::address::Address;

/// Remembers who was seen when.
#[derive(Debug, Default)]
pub struct Greylist {
    first_seen: HashMap<(Address, Address), u64>,
    wait_secs: u64,
}

impl Greylist {
    /// Lets a pair of sender and recipient through once it waited.
    pub fn passes(&mut self, from: &Address, to: &Address, now: u64) -> bool {
        let first = *self.first_seen.entry((from.clone(), to.clone())).or_insert(now);
        now >= first + self.wait_secs
    }
}
