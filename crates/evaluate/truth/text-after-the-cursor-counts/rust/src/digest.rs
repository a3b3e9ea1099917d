//! One mail instead of many.

use crate::message::Message;

/// Collects subjects of a day.
#[derive(Clone, Debug, Default)]
pub struct Digest {
    subjects: Vec<String>,
}

impl Digest {
    /// Adds the subject of a message.
    pub fn absorb(&mut self, message: &Message) {
        self.subjects.push(message.subject.clone());
    }

    /// The whole text, the newest last.
    pub fn into_body(self) -> String {
        self.subjects.join("\n")
    }
}
