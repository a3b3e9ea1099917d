//! Byte ranges and lines.

use std::ops::Range;

/// A half-open byte range of a file. Files are under 4 GiB, so 32 bits suffice.
#[cfg_attr(feature = "bitcode", derive(bitcode::Encode, bitcode::Decode))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// Creates the span `start..end`.
    pub fn new(start: usize, end: usize) -> Self {
        Self { start: start as u32, end: end as u32 }
    }

    /// The span as a range for indexing.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// The span `by` bytes later.
    pub(crate) fn moved(self, by: i64) -> Self {
        let moved = |at: u32| (i64::from(at) + by) as u32;
        Self { start: moved(self.start), end: moved(self.end) }
    }

    /// Length in bytes.
    pub fn len(self) -> usize {
        (self.end - self.start) as usize
    }

    /// Whether it is empty.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Whether `other` lies entirely inside.
    pub fn contains(self, other: Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// Whether byte `at` lies inside.
    pub fn contains_byte(self, at: usize) -> bool {
        self.range().contains(&at)
    }

    /// Whether it lies in `text`, between characters.
    pub(crate) fn lies_in(self, text: &str) -> bool {
        text.get(self.range()).is_some()
    }

    /// The text of the span, truncated at the end of `text`.
    pub fn of(self, text: &str) -> &str {
        let end = (self.end as usize).min(text.len());
        text.get((self.start as usize).min(end)..end).unwrap_or("")
    }
}

/// Starts of the lines of a text: converts bytes to 1-based lines and back.
#[derive(Clone, Debug, Default)]
pub struct LineIndex {
    starts: Vec<u32>,
    len: u32,
}

impl LineIndex {
    /// Indexes `text`; `\n` ends a line.
    pub fn new(text: &[u8]) -> Self {
        let mut starts = Vec::with_capacity(text.len() / 32 + 1);
        starts.push(0);
        starts.extend(memchr::memchr_iter(b'\n', text).map(|at| at as u32 + 1));
        Self { starts, len: text.len() as u32 }
    }

    /// Number of lines. A final newline does not begin another line, but an empty text has one.
    pub fn count(&self) -> u32 {
        let n = self.starts.len() as u32;
        if n > 1 && self.starts.last() == Some(&self.len) { n - 1 } else { n }
    }

    /// The 1-based line of byte `at`.
    pub fn line_of(&self, at: usize) -> u32 {
        self.starts.partition_point(|&start| start as usize <= at) as u32
    }

    /// Like [`Self::line_of`], faster if byte `at` is on the line that has `row` lines before it.
    pub(crate) fn line_near(&self, at: usize, row: usize) -> u32 {
        let is_after = |it: Option<&u32>| it.is_none_or(|start| *start as usize > at);
        let is_before = self.starts.get(row).is_some_and(|start| *start as usize <= at);
        match is_before && is_after(self.starts.get(row + 1)) {
            true => row as u32 + 1,
            false => self.line_of(at),
        }
    }

    /// The first byte of the 1-based `line`, or the end of the text if there is no such line.
    pub fn start_of(&self, line: u32) -> usize {
        self.starts.get(line.saturating_sub(1) as usize).copied().unwrap_or(self.len) as usize
    }

    /// First and last line (1-based, inclusive) of `span`.
    pub fn lines_of(&self, span: Span) -> (u32, u32) {
        let first = self.line_of(span.start as usize);
        let last = self.line_of((span.end as usize).max(span.start as usize + 1) - 1);
        (first, last)
    }
}
