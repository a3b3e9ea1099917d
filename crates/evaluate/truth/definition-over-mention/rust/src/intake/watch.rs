//! Takes mails from a directory as they come.

use std::path::Path;
use std::time::{Duration, SystemTime};

use crate::dedup::Window;
use crate::message::Message;

/// Mails of the directory that are no repeats.
pub fn fresh(dir: &Path, window: &mut Window, read: impl Fn(&Path) -> Option<Message>) -> Vec<Message> {
    let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
    let mails = entries.filter_map(|it| read(&it.path()));
    mails.filter(|message| !window.is_repeat(<CURSOR: src/dedup.rs:is_repeat>)).collect()
}
