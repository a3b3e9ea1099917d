//! A file that candidates are of. Several are of one file, and each is drafted in several forms: what they all need of the
//! file is worked out once.

use std::sync::Arc;

use crate::index::{FileId, FileRecord, Layout, Snapshot};

/// The text of a file with what is known of it.
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
