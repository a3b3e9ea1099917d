//! A cache of token counts: between keystrokes most lines of a prompt stay the same.
//!
//! A fixed-size table without locks. The text's hash selects a cell, which holds the rest of the hash and the count; a
//! newer text replaces an older one. Two texts with the same 64-bit hash share a count: a process that counts a billion
//! texts meets this once in forty runs, and is then off by some tokens.
//!
//! A general cache such as `quick_cache` would take a lock and store a key for each of a prompt's hundreds of lines to
//! save microseconds; here a hit is one 8-byte load, and memory is bounded.

use std::sync::atomic::{AtomicU64, Ordering};

use twox_hash::XxHash3_64;

/// Number of cells of 8 bytes: enough for the lines of a few hundred prompts.
const CELLS: usize = 1 << 16;

/// Bits of a cell that hold the count.
const COUNT: u64 = (CELLS - 1) as u64;

pub(crate) struct CountCache {
    cells: Box<[AtomicU64]>,
}

impl Default for CountCache {
    fn default() -> Self {
        Self { cells: (0..CELLS).map(|_| AtomicU64::new(0)).collect() }
    }
}

impl CountCache {
    /// The cached count of `text`, or the result of `count`.
    pub(crate) fn count(&self, text: &str, count: impl FnOnce(&str) -> usize) -> usize {
        if text.is_empty() {
            return count(text);
        }
        let hash = XxHash3_64::oneshot(text.as_bytes());
        let cell = &self.cells[(hash & COUNT) as usize];
        let known = cell.load(Ordering::Relaxed);
        // An empty cell has count zero; cached texts never do.
        if known & COUNT != 0 && known & !COUNT == hash & !COUNT {
            return (known & COUNT) as usize;
        }
        let tokens = count(text);
        if (1..COUNT).contains(&(tokens as u64)) {
            cell.store(hash & !COUNT | tokens as u64, Ordering::Relaxed);
        }
        tokens
    }

    /// The sum of counts of independent stretches of a text.
    pub(crate) fn sum(&self, text: &str, count: impl Fn(&str) -> usize) -> usize {
        stretches(text).map(|it| self.count(it, &count)).sum()
    }
}

/// Splits a text where every bundled vocabulary starts a new token: before a line whose first non-blank character is
/// visible ASCII.
///
/// A token crosses a line end only through more whitespace or (`o200k`) slashes. Blank lines, slashes and non-ASCII
/// characters (possible whitespace or combining characters) are therefore no split points.
fn stretches(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let mut ends = memchr::memchr_iter(b'\n', rest.as_bytes()).map(|at| at + 1);
        let end = ends.find(|at| begins(&rest.as_bytes()[*at..])).unwrap_or(rest.len());
        let (stretch, after) = rest.split_at(end);
        rest = after;
        Some(stretch)
    })
}

/// Whether a token always starts at this line.
fn begins(line: &[u8]) -> bool {
    let blanks = line.iter().take_while(|it| matches!(it, b' ' | b'\t')).count();
    line.get(blanks).is_some_and(|it| it.is_ascii_graphic() && (blanks > 0 || *it != b'/'))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::vocabulary::Vocabulary;

    #[test]
    fn a_text_is_counted_once() {
        let known = CountCache::default();
        assert_eq!(known.count("a b", str::len), 3);
        assert_eq!(known.count("a b", |_| panic!("it is known")), 3);
        assert_eq!(known.count("", |_| 0), 0);
        // A count too large for a cell is not cached.
        assert_eq!(known.count("long", |_| CELLS), CELLS);
        assert_eq!(known.count("long", |_| CELLS + 1), CELLS + 1);
    }

    #[test]
    fn a_text_is_cut_before_lines_and_not_before_blank_ones() {
        let cut = |text| stretches(text).collect::<Vec<_>>();
        assert_eq!(cut("a\n  b\r\n\tc\n"), ["a\n", "  b\r\n", "\tc\n"]);
        assert_eq!(cut("a\n\n \n b\n  "), ["a\n\n \n", " b\n  "]);
        assert_eq!(cut("}\n// x\n  // y\né\n"), ["}\n// x\n", "  // y\né\n"]);
        assert!(cut("").is_empty());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn stretches_count_what_the_whole_counts(
            text in prop::collection::vec(
                prop::sample::select(vec![
                    "\n", "\n", "\r\n", " ", "    ", "\t", "\u{b}", "\u{c}", "\u{85}", "\u{a0}", "\u{2028}", "//", "/",
                    "}", "});", "x", "value_1", "'s", "'", "123", "4", "é", "\u{301}", "日本", "Ⅷ", "ſ", "İx", "\u{0}",
                    "_", "-", "\"", "<", "[",
                ]),
                0..24,
            )
        ) {
            let text = text.concat();
            for it in Vocabulary::ALL.map(Vocabulary::tokenizer) {
                let sum = stretches(&text).map(|part| it.count(part)).sum::<usize>();
                prop_assert_eq!(sum, it.count(&text), "{:?}", text);
            }
        }
    }
}
