//! Runs of characters of an alphabet.

use std::ops::Range;

/// The run of characters of an alphabet from `start`.
pub(super) fn run_of(text: &[u8], start: usize, has: impl Fn(u8) -> bool) -> Range<usize> {
    let length = text[start..].iter().take_while(|it| has(**it)).count();
    start..start + length
}
