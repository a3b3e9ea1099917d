//! The queue itself.

use std::collections::{BTreeMap, VecDeque};

use crate::message::Message;

/// Messages by the time at which they are due.
#[derive(Debug, Default)]
pub struct Queue {
    due: BTreeMap<u64, VecDeque<Message>>,
    len: usize,
}

impl Queue {
    /// An empty queue.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a message that is due at `at`, in seconds.
    pub fn push(&mut self, at: u64, message: Message) {
        self.due.entry(at).or_default().push_back(message);
        self.len += 1;
    }

    /// Takes the message that is due first, if it is due by `now`.
    pub fn pop_due(&mut self, now: u64) -> Option<Message> {
        let mut first = self.due.first_entry()?;
        if *first.key() > now {
            return None;
        }
        let message = first.get_mut().pop_front();
        if first.get().is_empty() {
            first.remove();
        }
        self.len -= usize::from(message.is_some());
        message
    }

    /// How many messages wait.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether none waits.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}
