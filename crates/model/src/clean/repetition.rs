//! Finds repeated lines.

use super::preset::{MAX_CYCLE, MIN_REPEATS};

/// Start of the second occurrence, if the text repeats itself. Lines of brackets alone may repeat.
pub(super) fn end(text: &str) -> usize {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    for start in 0..lines.len() {
        for length in 1..=MAX_CYCLE {
            let cycle = |n: usize| lines.get(start + n * length..start + (n + 1) * length);
            let Some(first) = cycle(0) else { break };
            let has_words = first.iter().any(|it| it.contains(char::is_alphanumeric));
            let same = |n: usize| {
                cycle(n).is_some_and(|it| it.iter().zip(first).all(|(a, b)| a.trim() == b.trim()))
            };
            if has_words && (1..MIN_REPEATS).all(same) {
                return lines[..start + length].iter().map(|it| it.len()).sum();
            }
        }
    }
    text.len()
}
