//! Queries about contents of files: chunks, texts, records, references.

use std::ops::Range;
use std::sync::Arc;

use foreword_chunk::{LineIndex, Reference};

use super::Snapshot;
use super::types::ChunkInfo;
use crate::index::head::Head;
use crate::index::ids::{ChunkId, FileId};
use crate::index::record::{FileRecord, Mentions};
use crate::index::segment::{fits_text, kind_of};

/// Approximate bytes of a cached flag.
const FLAG: usize = 64;

/// Layout of a file's text.
pub(crate) struct Layout {
    /// Starts of lines.
    pub(crate) lines: LineIndex,
    pub(crate) head: Head,
}

impl Snapshot {
    /// The chunks of a file.
    pub fn chunks(
        &self,
        file: FileId,
    ) -> impl ExactSizeIterator<Item = ChunkId> + DoubleEndedIterator + use<> {
        let (segment, ord) = self.locate(file);
        let range = segment.table.chunks_of(ord);
        (0..range.end - range.start).map(move |idx| ChunkId { file, idx })
    }

    /// Data of a chunk that does not need its file.
    pub fn chunk(&self, chunk: ChunkId) -> ChunkInfo {
        let (segment, ord) = self.locate(chunk.file);
        let table = &segment.table;
        let range = table.chunks_of(ord);
        let at = (range.start + chunk.idx) as usize;
        let is_last = at as u32 + 1 == range.end;
        ChunkInfo {
            start: table.starts[at],
            end: if is_last { table.sizes[ord as usize] } else { table.starts[at + 1] },
            start_line: table.start_lines[at],
            end_line: table.end_lines[at],
            kind: kind_of(table.kinds[at]),
        }
    }

    /// The text and record of a file, with all spans on character boundaries of the text, so slicing cannot fail. If
    /// the index is damaged, the text or the record is empty.
    pub fn contents(&self, file: FileId) -> (Arc<str>, Arc<FileRecord>) {
        if self.lacks(file) {
            return (Arc::default(), Arc::default());
        }
        let (text, record) = (self.text(file), self.record(file));
        let (segment, ord) = self.locate(file);
        let fits = || fits_text(&record, &text);
        if self.caches.fits.get_or_insert((segment.id(), ord), fits, |_| FLAG) {
            return (text, record);
        }
        segment.note_damage();
        (text, Arc::default())
    }

    /// The cached layout of a file; `text` and `record` are its contents.
    pub(crate) fn layout(&self, file: FileId, text: &str, record: &FileRecord) -> Arc<Layout> {
        let (segment, ord) = self.locate(file);
        let lines = || LineIndex::new(text.as_bytes());
        let layout = || Arc::new(Layout { lines: lines(), head: Head::new(text, record) });
        let bytes = |it: &Arc<Layout>| FLAG + 4 * it.lines.count() as usize;
        self.caches.layouts.get_or_insert((segment.id(), ord), layout, bytes)
    }

    /// The text of a file; empty if the index is damaged.
    pub fn text(&self, file: FileId) -> Arc<str> {
        if self.lacks(file) {
            return Arc::default();
        }
        let (segment, ord) = self.locate(file);
        let text = || segment.text(ord).unwrap_or_default().into();
        self.caches.texts.get_or_insert((segment.id(), ord), text, |it| it.len())
    }

    /// Parts of the text of a file, decompressing no more than needed; empty if the index is damaged.
    pub(crate) fn parts(&self, file: FileId, ranges: &[Range<usize>]) -> Vec<String> {
        if self.lacks(file) {
            return vec![String::new(); ranges.len()];
        }
        let (segment, ord) = self.locate(file);
        if let Some(text) = self.caches.texts.get((segment.id(), ord)) {
            let part = |it: &Range<usize>| text.get(it.clone()).unwrap_or_default().to_owned();
            return ranges.iter().map(part).collect();
        }
        segment.parts(ord, ranges).unwrap_or_else(|| vec![String::new(); ranges.len()])
    }

    /// Chunks and symbols of a file, without mentions; empty if the index is damaged.
    pub fn record(&self, file: FileId) -> Arc<FileRecord> {
        if self.lacks(file) {
            return Arc::default();
        }
        let (segment, ord) = self.locate(file);
        let record = || Arc::new(segment.record(ord).unwrap_or_default());
        self.caches.records.get_or_insert((segment.id(), ord), record, |it| it.memory())
    }

    /// Uses in a file of names that are defined elsewhere, in order.
    pub fn references_in(&self, file: FileId) -> Vec<Reference> {
        self.mentions_in(file).references.clone()
    }

    /// Uses of names, prose and local names of a file.
    pub fn mentions_in(&self, file: FileId) -> Arc<Mentions> {
        if self.lacks(file) {
            return Arc::default();
        }
        let (segment, ord) = self.locate(file);
        let mentions = || Arc::new(segment.mentions(ord).unwrap_or_default());
        self.caches.mentions.get_or_insert((segment.id(), ord), mentions, |it| it.memory())
    }
}
