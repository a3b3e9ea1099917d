//! Refuses mails that are too long.

use crate::message::Message;

/// What a filter says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Accept,
    Refuse,
}

/// The longest body, in bytes.
#[derive(Clone, Copy, Debug)]
pub struct SizeLimit(pub usize);

impl SizeLimit {
    /// Looks at the body only.
    pub fn judge(&self, message: &Message) -> Verdict {
        if message.body.len() > self.0 { Verdict::Refuse } else { Verdict::Accept }
    }
}
