//! Puts failed messages back.

use crate::message::Message;
use crate::queue::Queue;
use crate::schedule::Backoff;

/// Queues a message again, or says that it is time to give up.
pub fn put_back(queue: &mut Queue, mut message: Message, backoff: &Backoff, now: u64) -> bool {
    message.attempts += 1;
    let wait = backoff.<CURSOR: src/schedule.rs:Backoff>;
    false
}
