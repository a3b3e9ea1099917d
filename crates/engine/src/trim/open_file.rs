//! A file with candidates. A file may have several candidates, each drafted in several forms; shared data is computed
//! once.

use std::sync::Arc;

use crate::index::{FileId, FileRecord, Layout, Snapshot};

/// Text of a file with its record and outline.
pub(super) struct OpenFile {
    pub(super) text: Arc<str>,
    pub(super) record: Arc<FileRecord>,
    pub(super) layout: Arc<Layout>,
}

impl OpenFile {
    pub(super) fn new(snapshot: &Snapshot, file: FileId) -> Self {
        let (text, record) = snapshot.contents(file);
        let layout = snapshot.layout(file, &text, &record);
        Self { text, record, layout }
    }
}
