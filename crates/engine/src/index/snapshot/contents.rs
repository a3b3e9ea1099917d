//! Queries about contents of files: chunks, texts, records, references.

use std::ops::Range;
use std::sync::Arc;

use foreword_chunk::{LineIndex, Reference};

use super::Snapshot;
use super::types::ChunkInfo;
use crate::index::analyze::AnalyzedFile;
use crate::index::head::Head;
use crate::index::ids::{ChunkId, FileId};
use crate::index::record::{FileRecord, Mentions};
use crate::index::segment::{PackedFile, fits_text, kind_of};
use crate::source::ContentHash;

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
        let (segment, ord) = self.locate(file);
        let text = || segment.text(ord).unwrap_or_default().into();
        self.caches.texts.get_or_insert((segment.id(), ord), text, |it| it.len())
    }

    /// Parts of the text of a file, decompressing no more than needed; empty if the index is damaged.
    pub(crate) fn parts(&self, file: FileId, ranges: &[Range<usize>]) -> Vec<String> {
        let (segment, ord) = self.locate(file);
        if let Some(text) = self.caches.texts.get((segment.id(), ord)) {
            let part = |it: &Range<usize>| text.get(it.clone()).unwrap_or_default().to_owned();
            return ranges.iter().map(part).collect();
        }
        segment.parts(ord, ranges).unwrap_or_else(|| vec![String::new(); ranges.len()])
    }

    /// Chunks and symbols of a file, without mentions; empty if the index is damaged.
    pub fn record(&self, file: FileId) -> Arc<FileRecord> {
        let (segment, ord) = self.locate(file);
        let record = || Arc::new(segment.record(ord).unwrap_or_default());
        self.caches.records.get_or_insert((segment.id(), ord), record, |it| it.memory())
    }

    /// A file with a text that it had before, analysed. Kept for the next answers: most edits stay the same between them.
    pub(crate) fn earlier_file(&self, path: &str, text: String) -> Arc<PackedFile> {
        let key = (ContentHash::of(path.as_bytes()), ContentHash::of(text.as_bytes()));
        let packed = || {
            let analysed = AnalyzedFile::new(path.to_owned(), text, &self.config.chunk);
            Arc::new(PackedFile::new(analysed))
        };
        self.caches.earlier.get_or_insert(key, packed, |it| it.memory())
    }

    /// Uses in a file of names that are defined elsewhere, in order.
    pub fn references_in(&self, file: FileId) -> Vec<Reference> {
        let (segment, ord) = self.locate(file);
        segment.mentions(ord).unwrap_or_default().references
    }

    /// Uses of names, prose and local names of a file.
    pub fn mentions_in(&self, file: FileId) -> Mentions {
        let (segment, ord) = self.locate(file);
        segment.mentions(ord).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::config::IndexConfig;

    #[test]
    fn an_earlier_text_is_analysed_once_for_all_derived_snapshots() {
        let snapshot = Snapshot::empty(IndexConfig::default());
        let earlier = |path: &str, text: &str| snapshot.earlier_file(path, text.to_owned());
        let first = earlier("a.py", "def f(): pass\n");
        assert_eq!(first.analyzed().record.symbols.definitions.len(), 1);
        let derived = snapshot.with_packed(&std::collections::BTreeMap::new()).unwrap();
        let again = derived.earlier_file("a.py", "def f(): pass\n".to_owned());
        assert!(Arc::ptr_eq(&first, &again));
        assert!(!Arc::ptr_eq(&first, &earlier("a.py", "def g(): pass\n")));
        assert!(!Arc::ptr_eq(&first, &earlier("a.md", "def f(): pass\n")));
    }
}
