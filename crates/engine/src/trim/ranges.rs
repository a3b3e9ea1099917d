//! Ranges of bytes in the text of a file.

use std::ops::Range;

/// The part of a text around `range` that none of `taken` reaches into.
pub(super) fn between(taken: &[Range<usize>], range: &Range<usize>, len: usize) -> Range<usize> {
    let before = taken.iter().filter(|it| it.end <= range.start).map(|it| it.end).max();
    let after = taken.iter().filter(|it| it.start >= range.end).map(|it| it.start).min();
    before.unwrap_or(0)..after.map_or(len, |it| it.min(len))
}

/// A range without the blank lines that it begins with.
pub(super) fn behind_blank_lines(text: &str, range: Range<usize>) -> Range<usize> {
    let written = &text[range.clone()];
    let blank = &written[..written.len() - written.trim_start().len()];
    range.start + blank.rfind('\n').map_or(0, |newline| newline + 1)..range.end
}

/// Whether two ranges share a byte.
pub(super) fn meet(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start < b.end && b.start < a.end
}

/// The first and the last line, 1-based, of a range that is not empty.
pub(super) fn lines_at(text: &[u8], range: &Range<usize>) -> (u32, u32) {
    let newlines = |range: Range<usize>| memchr::memchr_iter(b'\n', &text[range]).count() as u32;
    let first = 1 + newlines(0..range.start);
    (first, first + newlines(range.start..range.end.saturating_sub(1).max(range.start)))
}
