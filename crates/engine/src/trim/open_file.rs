//! A file that candidates are of. Several are of one file, and each is drafted in several forms: what they all need of the
//! file is worked out once.

use std::sync::Arc;

use foreword_chunk::LineIndex;

use crate::index::{FileId, FileRecord, Head, Snapshot};

/// The text of a file with what is known of it.
pub(super) struct OpenFile {
    pub(super) text: Arc<str>,
    pub(super) record: Arc<FileRecord>,
    pub(super) lines: LineIndex,
    pub(super) head: Head,
}

impl OpenFile {
    pub(super) fn new(snapshot: &Snapshot, file: FileId) -> Self {
        let (text, record) = snapshot.contents(file);
        let lines = LineIndex::new(text.as_bytes());
        let head = Head::new(&text, &record);
        Self { text, record, lines, head }
    }
}
