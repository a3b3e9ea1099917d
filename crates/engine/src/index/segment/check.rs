//! Rejects decoded values that no writer could have produced. A valid checksum shows that bytes are unchanged, not that
//! they are consistent; values are checked once, after decoding, so that their users need not.

use foreword_chunk::{Definition, Span};

use super::table::Table;
use crate::index::record::{FileRecord, Mentions, language_code};

/// Upper bound, in bytes, of the decoded record or mentions of a text of `size` bytes. A definition takes about 40
/// bytes and at least 2 of the text; only imports, which repeat names, could come close.
pub(super) fn most_decoded(size: u32) -> usize {
    (1 << 20) + 64 * size as usize
}

/// Whether `record` can be that of file `ord`: its chunks are those of the table, everything is within the text, and
/// enclosing definitions come first. Character boundaries cannot be checked without the text; [`Span::of`] accepts any
/// span.
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

/// Whether mentions are within a text of `size` bytes.
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

/// Whether every span of a record is on character boundaries of the text, and its chunks cover the text.
pub(crate) fn fits_text(record: &FileRecord, text: &str) -> bool {
    let symbols = &record.symbols;
    let chunks = record.chunks.iter().map(|it| it.span);
    let all = chunks.chain(symbols.definitions.iter().flat_map(spans));
    let mut all = all.chain(symbols.imports.iter().map(|it| it.span));
    record.chunks.last().map_or(0, |it| it.span.end as usize) == text.len()
        && all.all(|it| text.get(it.range()).is_some())
        && record.outline.fits(record.lines)
}

/// Whether every span of the mentions is on character boundaries of the text.
pub(super) fn fits_names(mentions: &Mentions, text: &str) -> bool {
    let Mentions { references, prose, locals } = mentions;
    let mut spans = references.iter().map(|it| &it.name).chain(prose).chain(locals);
    spans.all(|it| text.get(it.range()).is_some())
}
