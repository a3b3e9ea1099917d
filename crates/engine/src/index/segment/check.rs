//! Whether decoded values can be what was written. A right checksum proves that bytes are as some writer wrote them, not
//! that they belong together: what is checked here, once, when it is decoded, need not be feared by what uses it.

use std::panic::AssertUnwindSafe;

use foreword_chunk::{Definition, Span};
use fst::Streamer as _;

use super::layout::Section;
use super::reader::{Segment, SegmentError};
use super::table::Table;
use crate::index::checksum::CorruptData;
use crate::index::postings::{NameEntry, each_posting};
use crate::index::record::{FileRecord, Mentions, language_code};
use crate::source::ContentHash;

/// The most bytes of a decoded record or of decoded mentions of a text of `size` bytes. A definition takes about 40
/// bytes and at least 2 of the text; only imports, which repeat names, could come near.
pub(super) fn most_decoded(size: u32) -> usize {
    (1 << 20) + 64 * size as usize
}

/// Whether `record` can be that of file `ord`: it has the chunks of the table, everything lies within the text, and what
/// encloses a definition comes before it. Whether spans end between characters is not known without the text;
/// [`Span::of`] holds for any.
pub(super) fn fits_table(record: &FileRecord, table: &Table, ord: u32) -> bool {
    let chunks = table.chunks_of(ord);
    let ord = ord as usize;
    let size = table.sizes[ord];
    let n_definitions = record.symbols.definitions.len() as u32;
    let has_chunks = record.chunks.len() == chunks.len()
        && record.chunks.iter().zip(chunks.clone()).all(|(it, chunk)| {
            let at = chunk as usize;
            let end = if chunk + 1 == chunks.end { size } else { table.starts[at + 1] };
            it.span == Span { start: table.starts[at], end }
                && (it.start_line, it.end_line) == (table.start_lines[at], table.end_lines[at])
                && it.overlap <= it.span.start
                && it.scope.is_none_or(|scope| scope < n_definitions)
        });
    let definitions = (0_u32..).zip(&record.symbols.definitions);
    has_chunks
        && language_code(record.language) == table.languages[ord]
        && record.lines == table.line_counts[ord]
        && record.outcome as u8 == table.outcomes[ord]
        && definitions.into_iter().all(|(idx, it)| {
            it.parent.is_none_or(|parent| parent < idx) && spans(it).all(|it| is_within(it, size))
        })
        && record.symbols.imports.iter().all(|it| is_within(it.span, size))
}

/// Whether mentions can be those of a text of `size` bytes.
pub(super) fn are_within(mentions: &Mentions, size: u32) -> bool {
    let Mentions { references, prose, locals } = mentions;
    let mut spans = references.iter().map(|it| it.name).chain(prose.clone()).chain(locals.clone());
    spans.all(|it| is_within(it, size))
        && references.is_sorted_by_key(|it| it.name.start)
        && prose.is_sorted_by(|a, b| a.end <= b.start)
        && locals.is_sorted()
}

fn is_within(span: Span, size: u32) -> bool {
    span.start <= span.end && span.end <= size
}

fn spans(it: &Definition) -> impl Iterator<Item = Span> {
    [Some(it.span), Some(it.name), Some(it.signature), it.body, it.doc].into_iter().flatten()
}

/// Whether every span of a record begins and ends between characters of the text, and its chunks are the text.
pub(crate) fn fits_text(record: &FileRecord, text: &str) -> bool {
    let symbols = &record.symbols;
    let chunks = record.chunks.iter().map(|it| it.span);
    let all = chunks.chain(symbols.definitions.iter().flat_map(spans));
    let mut all = all.chain(symbols.imports.iter().map(|it| it.span));
    record.chunks.last().map_or(0, |it| it.span.end as usize) == text.len()
        && all.all(|it| text.get(it.range()).is_some())
        && record.outline.fits(record.lines)
}

/// Whether every span of the mentions begins and ends between characters of the text.
fn fits_names(mentions: &Mentions, text: &str) -> bool {
    let Mentions { references, prose, locals } = mentions;
    let mut spans = references.iter().map(|it| &it.name).chain(prose).chain(locals);
    spans.all(|it| text.get(it.range()).is_some())
}

impl Segment {
    /// Decodes everything, so that damage anywhere is found, also behind right checksums. Reading a segment costs a
    /// fraction of this; it is for segments that are suspected.
    pub(crate) fn audit(&self) -> Result<(), SegmentError> {
        self.verify()?;
        // Damaged key maps are read by a crate that panics at some of them.
        let is_sound = std::panic::catch_unwind(AssertUnwindSafe(|| {
            (0..self.n_files()).all(|ord| self.decodes(ord).is_some()) && self.lists_decode()
        }));
        Ok(self.note(if is_sound.unwrap_or(false) { Ok(()) } else { Err(CorruptData) })?)
    }

    fn decodes(&self, ord: u32) -> Option<()> {
        let text = self.text(ord)?;
        let (record, mentions) = (self.record(ord)?, self.mentions(ord)?);
        let is_text = ContentHash::of(text.as_bytes()) == self.table.hashes[ord as usize];
        let names = fits_names(&mentions, &text);
        (is_text && names && fits_text(&record, &text)).then_some(())
    }

    fn lists_decode(&self) -> bool {
        let postings = |offset| {
            let Some(bytes) = self.postings_at(offset) else { return false };
            let (mut n, mut last, mut ascends) = (0, None, true);
            each_posting(&bytes, |(chunk, _)| {
                ascends &= last.is_none_or(|last| last < chunk);
                (n, last) = (n + 1, Some(chunk));
            });
            n == self.postings_len(offset) && ascends && last.is_some_and(|it| it < self.n_chunks())
        };
        let names = |offset| {
            let of_chunk = |file: u32, chunk: u32| {
                file < self.n_files() && (chunk as usize) < self.table.chunks_of(file).len()
            };
            self.name_at(offset).is_some_and(|it: NameEntry| {
                it.definitions.iter().all(|it| of_chunk(it.file, it.chunk))
                    && it.references.iter().all(|it| it.0 < self.n_files())
            })
        };
        each_offset(self.terms(), self.section(Section::Postings).len(), postings)
            && each_offset(self.names(), self.section(Section::Symbols).len(), names)
    }
}

/// Whether `holds` is true of the offsets of all keys, which have at least one byte each in a section of `most` bytes.
fn each_offset(
    mut keys: fst::map::Stream<'_>,
    most: usize,
    mut holds: impl FnMut(u64) -> bool,
) -> bool {
    let mut n = 0;
    while let Some((key, offset)) = keys.next() {
        n += 1;
        if n > most || std::str::from_utf8(key).is_err() || !holds(offset) {
            return false;
        }
    }
    true
}
