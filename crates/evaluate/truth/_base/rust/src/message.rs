//! A mail and its envelope.

use std::time::SystemTime;

use crate::address::Address;

/// A mail in the queue.
#[derive(Clone, Debug)]
pub struct Message {
    pub id: u64,
    pub from: Address,
    pub to: Vec<Address>,
    pub subject: String,
    pub body: String,
    pub queued_at: SystemTime,
    pub attempts: u32,
}

impl Message {
    /// A new message that was not tried yet.
    pub fn new(id: u64, from: Address, to: Vec<Address>, subject: &str, body: &str) -> Self {
        Self {
            id,
            from,
            to,
            subject: subject.to_owned(),
            body: body.to_owned(),
            queued_at: SystemTime::now(),
            attempts: 0,
        }
    }

    /// The domains of all recipients, each once.
    pub fn domains(&self) -> Vec<&str> {
        let mut domains: Vec<&str> = self.to.iter().map(Address::domain).collect();
        domains.sort_unstable();
        domains.dedup();
        domains
    }
}
