//! Takes what is due and delivers it.

use crate::queue::Queue;
use crate::schedule::Backoff;
use crate::transport::Transport;

/// Delivers until nothing is due; what fails is tried later.
pub fn run(queue: &mut Queue, transport: &mut dyn Transport, backoff: Backoff, now: u64) {
    while let Some(mut message) = queue.pop_due(now) {
        let outcome = transport.deliver(<CURSOR: src/transport/mod.rs:Transport>);
        if outcome.is_err() {
            message.attempts += 1;
        }
    }
}
