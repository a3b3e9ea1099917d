//! Turns the ends of chunks into chunks: lines, sizes, overlaps, scopes.

use crate::chunk::Chunk;
use crate::size::{Sizes, is_space};
use crate::span::Span;
use crate::symbol::{Definition, Kind, Symbols};

/// Makes the chunks that end at the given bytes. The ends ascend; the last is the end of the text.
pub(crate) fn finish(
    text: &[u8],
    sizes: &Sizes,
    ends: &[u32],
    symbols: &Symbols,
    overlap_lines: u32,
) -> Vec<Chunk> {
    let mut scopes = Scopes { symbols, next: 0, open: Vec::new() };
    let mut chunks = Vec::with_capacity(ends.len());
    let (mut start, mut line) = (0, 1);
    for &end in ends {
        let span = Span { start, end };
        let newlines = memchr::memchr_iter(b'\n', &text[span.range()]).count() as u32;
        let ends_line = text[end as usize - 1] == b'\n';
        chunks.push(Chunk {
            span,
            overlap: overlap(text, span, chunks.last(), overlap_lines),
            start_line: line,
            end_line: line + newlines - u32::from(ends_line),
            size: sizes.of(span.range()),
            scope: scopes.of(trimmed(text, span)),
        });
        (start, line) = (end, line + newlines);
    }
    chunks
}

/// Moves the start of `span` back by whole lines, within the chunk before.
fn overlap(text: &[u8], span: Span, before: Option<&Chunk>, lines: u32) -> u32 {
    let Some(before) = before.filter(|_| lines > 0) else { return span.start };
    let bytes = &text[before.span.range()];
    // If the chunk begins inside a line, that line does not count.
    let own = u32::from(bytes.last() == Some(&b'\n'));
    let newline = memchr::memrchr_iter(b'\n', bytes).nth((lines - 1 + own) as usize);
    before.span.start + newline.map_or(0, |at| at as u32 + 1)
}

/// The span without surrounding whitespace, or unchanged if blank.
fn trimmed(text: &[u8], span: Span) -> Span {
    let bytes = &text[span.range()];
    let Some(first) = bytes.iter().position(|&byte| !is_space(byte)) else { return span };
    let last = bytes.iter().rposition(|&byte| !is_space(byte)).unwrap_or(first);
    Span { start: span.start + first as u32, end: span.start + last as u32 + 1 }
}

/// Finds the scopes of ascending spans.
struct Scopes<'a> {
    symbols: &'a Symbols,
    next: usize,
    /// Definitions around the current position.
    open: Vec<u32>,
}

impl Scopes<'_> {
    /// The innermost definition that encloses `span`. If there is none or only a module, the innermost one in which
    /// `span` begins: a chunk with the end of one function and all of the next names the first.
    fn of(&mut self, span: Span) -> Option<u32> {
        let definitions = &self.symbols.definitions;
        self.open.retain(|&idx| definitions[idx as usize].span.end > span.start);
        while let Some(definition) = definitions
            .get(self.next)
            .map(Definition::span_with_doc)
            .filter(|it| it.start <= span.start)
        {
            if definition.end > span.start {
                self.open.push(self.next as u32);
            }
            self.next += 1;
        }
        let open = || self.open.iter().rev().copied();
        let around = open().find(|&idx| definitions[idx as usize].span_with_doc().contains(span));
        let is_in_a_definition =
            around.is_some_and(|idx| definitions[idx as usize].kind != Kind::Module);
        let begun = || open().find(|&idx| (definitions[idx as usize].span.start) < span.start);
        if is_in_a_definition { around } else { begun().or(around) }
    }
}

#[cfg(test)]
mod tests {
    use super::finish;
    use crate::chunk::Chunk;
    use crate::size::Sizes;
    use crate::span::Span;
    use crate::symbol::{Definition, Kind, Symbols};

    fn chunks(text: &str, ends: &[u32], symbols: &Symbols, overlap: u32) -> Vec<Chunk> {
        finish(text.as_bytes(), &Sizes::new(text.as_bytes()), ends, symbols, overlap)
    }

    #[test]
    fn lines_are_counted_from_one_and_a_newline_ends_its_own_line() {
        let made = chunks("a\nb\ncd\n", &[2, 5, 7], &Symbols::default(), 0);
        let lines: Vec<_> = made.iter().map(|it| (it.start_line, it.end_line)).collect();
        assert_eq!(lines, [(1, 1), (2, 3), (3, 3)]);
    }

    #[test]
    fn overlap_reaches_back_whole_lines_and_not_beyond_the_chunk_before() {
        let starts = |lines| chunks("a\nb\nc\nd\ne\n", &[6, 8, 10], &Symbols::default(), lines);
        let starts = |lines| starts(lines).iter().map(|it| it.overlap).collect::<Vec<_>>();
        assert_eq!(starts(0), [0, 6, 8]);
        assert_eq!(starts(1), [0, 4, 6]);
        assert_eq!(starts(2), [0, 2, 6]);
        assert_eq!(starts(9), [0, 0, 6]);
    }

    #[test]
    fn scope_is_the_innermost_definition_around_the_chunk() {
        let definition = |start, end, parent| Definition {
            kind: Kind::Class,
            span: Span { start, end },
            name: Span { start, end: start },
            qualifier: None,
            signature: Span { start, end: start },
            body: None,
            doc: None,
            parent,
        };
        let definitions =
            vec![definition(0, 8, None), definition(2, 4, Some(0)), definition(10, 12, None)];
        let symbols = Symbols { definitions, ..Symbols::default() };
        let made = chunks("a bb cc  de \n", &[2, 5, 9, 13], &symbols, 0);
        let scopes: Vec<_> = made.iter().map(|it| it.scope).collect();
        assert_eq!(scopes, [Some(0), Some(1), Some(0), None]);
        // The second chunk begins inside one definition and ends in the next.
        let made = chunks("a bb cc  de \n", &[3, 12, 13], &symbols, 0);
        let scopes: Vec<_> = made.iter().map(|it| it.scope).collect();
        assert_eq!(scopes, [Some(0), Some(1), None]);
    }
}
