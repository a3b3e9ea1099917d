//! Takes mails from other programs.

use std::time::{Duration, SystemTime};

use crate::dedup::Window;
use crate::message::Message;
use crate::queue::Queue;

/// Queues all that is no repeat: `is_repeat` is asked for each message.
pub fn take_all(queue: &mut Queue, window: &mut Window, messages: Vec<Message>) -> usize {
    let now = SystemTime::now();
    let day = Duration::from_secs(86_400);
    let mut n_repeats = 0;
    for message in messages {
        if window.is_repeat(&message, day, now) {
            n_repeats += 1;
        } else {
            queue.push(0, message);
        }
    }
    n_repeats
}
