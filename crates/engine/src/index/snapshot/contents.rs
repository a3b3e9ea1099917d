//! Questions about what files hold: chunks, texts, records, references.

use std::ops::Range;
use std::sync::Arc;

use foreword_chunk::{LineIndex, Reference};

use super::Snapshot;
use super::types::ChunkInfo;
use crate::index::head::Head;
use crate::index::ids::{ChunkId, FileId};
use crate::index::record::{FileRecord, Mentions};
use crate::index::segment::{fits_text, kind_of};

/// About how many bytes a cached flag takes.
const FLAG: usize = 64;

/// How a file's text is laid out.
pub(crate) struct Layout {
    /// Where its lines begin.
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

    /// What is known of a chunk without reading its file.
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

    /// The text of a file and its record, whose spans all lie between characters of the text: with both from here, no
    /// slice can fail. Where the index is damaged the text is empty, or the record is.
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

    /// How the text of a file is laid out; `text` and `record` are its contents. The next answer asks for the same files.
    pub(crate) fn layout(&self, file: FileId, text: &str, record: &FileRecord) -> Arc<Layout> {
        let (segment, ord) = self.locate(file);
        let lines = || LineIndex::new(text.as_bytes());
        let layout = || Arc::new(Layout { lines: lines(), head: Head::new(text, record) });
        let bytes = |it: &Arc<Layout>| FLAG + 4 * it.lines.count() as usize;
        self.caches.layouts.get_or_insert((segment.id(), ord), layout, bytes)
    }

    /// The text of a file; empty where the index is damaged.
    pub fn text(&self, file: FileId) -> Arc<str> {
        let (segment, ord) = self.locate(file);
        let text = || segment.text(ord).unwrap_or_default().into();
        self.caches.texts.get_or_insert((segment.id(), ord), text, |it| it.len())
    }

    /// Parts of the text of a file, decompressing no more than they need; empty where the index is damaged.
    pub(crate) fn parts(&self, file: FileId, ranges: &[Range<usize>]) -> Vec<String> {
        let (segment, ord) = self.locate(file);
        if let Some(text) = self.caches.texts.get((segment.id(), ord)) {
            let part = |it: &Range<usize>| text.get(it.clone()).unwrap_or_default().to_owned();
            return ranges.iter().map(part).collect();
        }
        segment.parts(ord, ranges).unwrap_or_else(|| vec![String::new(); ranges.len()])
    }

    /// Chunks and symbols of a file, without its mentions; empty where the index is damaged.
    pub fn record(&self, file: FileId) -> Arc<FileRecord> {
        let (segment, ord) = self.locate(file);
        let record = || Arc::new(segment.record(ord).unwrap_or_default());
        self.caches.records.get_or_insert((segment.id(), ord), record, |it| it.memory())
    }

    /// The uses in a file of names that are defined elsewhere, in order.
    pub fn references_in(&self, file: FileId) -> Vec<Reference> {
        let (segment, ord) = self.locate(file);
        segment.mentions(ord).unwrap_or_default().references
    }

    /// The uses of names, the prose and the local names of a file.
    pub fn mentions_in(&self, file: FileId) -> Mentions {
        let (segment, ord) = self.locate(file);
        segment.mentions(ord).unwrap_or_default()
    }
}
