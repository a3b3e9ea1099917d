//! Runs of characters of an alphabet.

use std::ops::Range;

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
