//! Takes what is due and delivers it.

use crate::queue::Queue;
use crate::transport::Transport;

/// Delivers until nothing is due; returns how many went out.
pub fn run(queue: &mut Queue, transport: &mut dyn Transport, now: u64) -> usize {
    let mut n = 0;
    while let Some(message) = queue.pop_due(now) {
        n += usize::from(transport.deliver(&message).is_ok());
    }
    n
}
