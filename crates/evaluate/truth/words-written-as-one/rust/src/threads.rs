//! Threads of mails: answers and what they answer.

use crate::message::Message;

/// A thread of mails.
#[derive(Clone, Debug, Default)]
pub struct Thread {
    pub messages: Vec<Message>,
}

impl Thread {
    /// The subject of the thread.
    pub fn subject(&self) -> Option<&str> {
        self.messages.first().map(|it| it.subject.as_str())
    }
}
