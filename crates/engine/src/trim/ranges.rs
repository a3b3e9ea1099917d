//! Ranges of bytes in a text.

use std::ops::Range;

/// The largest range around `range` that does not overlap `taken`.
pub(super) fn between(taken: &[Range<usize>], range: &Range<usize>, len: usize) -> Range<usize> {
    let before = taken.iter().filter(|it| it.end <= range.start).map(|it| it.end).max();
    let after = taken.iter().filter(|it| it.start >= range.end).map(|it| it.start).min();
    before.unwrap_or(0)..after.map_or(len, |it| it.min(len))
}

/// Removes leading blank lines.
pub(super) fn behind_blank_lines(text: &str, range: Range<usize>) -> Range<usize> {
    let written = &text[range.clone()];
    let blank = &written[..written.len() - written.trim_start().len()];
    range.start + blank.rfind('\n').map_or(0, |newline| newline + 1)..range.end
}

/// Whether two ranges overlap.
pub(super) fn meet(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start < b.end && b.start < a.end
}

/// First and last line, 1-based, of a non-empty range.
pub(super) fn lines_at(text: &[u8], range: &Range<usize>) -> (u32, u32) {
    let newlines = |range: Range<usize>| memchr::memchr_iter(b'\n', &text[range]).count() as u32;
    let first = 1 + newlines(0..range.start);
    (first, first + newlines(range.start..range.end.saturating_sub(1).max(range.start)))
}
