//! Leaves out mails that were queued already.

use std::collections::HashMap;
use std::time::{Duration, SystemTime};

use crate::message::Message;

/// Remembers the mails of a while.
#[derive(Debug, Default)]
pub struct Window {
    seen: HashMap<(String, String), SystemTime>,
}

impl Window {
    /// Whether a mail of the same subject to the same domains was admitted within `within`; admits it otherwise.
    pub fn is_repeat(&mut self, message: &Message, within: Duration, now: SystemTime) -> bool {
        let key = (message.subject.clone(), message.domains().join(","));
        let fresh = |at: &SystemTime| now.duration_since(*at).is_ok_and(|age| age < within);
        if self.seen.get(&key).is_some_and(fresh) {
            return true;
        }
        self.seen.insert(key, now);
        false
    }
}
