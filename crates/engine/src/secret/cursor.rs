//! Reads a text byte by byte, within bounds.

use std::ops::Range;

/// A position in a text.
#[derive(Clone, Copy)]
pub(super) struct Cursor<'t> {
    pub(super) text: &'t [u8],
    pub(super) at: usize,
}

impl<'t> Cursor<'t> {
    pub(super) fn rest(&self) -> &'t [u8] {
        &self.text[self.at..]
    }

    /// The next byte; 0 at the end.
    pub(super) fn peek(&self) -> u8 {
        self.text.get(self.at).copied().unwrap_or(0)
    }

    /// Passes a word, if it is next.
    pub(super) fn eat(&mut self, word: &[u8]) -> bool {
        let is_next = self.rest().starts_with(word);
        self.at += if is_next { word.len() } else { 0 };
        is_next
    }

    /// Passes at most `most` bytes of a kind, and returns them.
    pub(super) fn run(&mut self, most: usize, has: impl Fn(u8) -> bool) -> Range<usize> {
        let start = self.at;
        self.at += self.rest().iter().take(most).take_while(|it| has(**it)).count();
        start..self.at
    }

    /// Passes at most `most` of these bytes, and returns them.
    pub(super) fn any(&mut self, letters: &[u8], most: usize) -> &'t [u8] {
        let run = self.run(most, |it| letters.contains(&it));
        &self.text[run]
    }
}

/// The run of characters of an alphabet from `start`.
pub(super) fn run_of(text: &[u8], start: usize, has: impl Fn(u8) -> bool) -> Range<usize> {
    let length = text[start..].iter().take_while(|it| has(**it)).count();
    start..start + length
}

/// Like [`run_of`]; `None` if the run is longer than `most`. A text may have an anchor every few bytes of one long run, so
/// whoever begins at each anchor must not read the whole run.
pub(super) fn run_within(
    text: &[u8],
    start: usize,
    most: usize,
    has: impl Fn(u8) -> bool,
) -> Option<Range<usize>> {
    let end = text.len().min(start + most + 1);
    let run = run_of(&text[..end], start, has);
    (run.len() <= most).then_some(run)
}
