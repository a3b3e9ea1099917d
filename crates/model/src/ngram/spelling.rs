//! Cost of a token that no scope has: its bytes, predicted from the bytes of known tokens.
//!
//! The vocabulary of code is open; a model that gives new names no probability, or a flat "unknown", cannot be compared
//! with one that knows other names. So every distribution falls back to spelling: each byte given up to [`SPELLING_BYTES`] bytes
//! before it in the token, `P(b | c) = (count(c b) + d(c) · P(b | c')) / (count(c) + d(c))` with `d(c)` the number of
//! different bytes seen after `c`, and `c'` the context without its first byte (interpolated Witten and Bell 1991),
//! down to a uniform choice among 256 bytes and the end. It sums to one over all byte strings.

use super::preset::SPELLING_BYTES;
use rustc_hash::FxHashMap;

/// End of a token, as a symbol that is no byte.
const STOP: u16 = 256;

/// Number of symbols: all bytes and the end.
const CHOICES: f64 = 257.0;

/// The bytes seen after a context.
#[derive(Clone, Debug, Default)]
struct SymbolCounts {
    total: u32,
    /// Bytes with their counts, sorted.
    counts: Vec<(u16, u32)>,
}

/// Spells tokens.
#[derive(Clone, Debug, Default)]
pub(crate) struct Spelling {
    /// By length of the context and its bytes.
    contexts: FxHashMap<(u8, u32), SymbolCounts>,
}

impl Spelling {
    /// Learns a token. Each distinct token must be learned once, so that names count rather than their uses.
    pub(crate) fn learn(&mut self, token: &str) {
        let mut before = 0_u32;
        for (idx, byte) in symbols(token).enumerate() {
            for depth in 0..=SPELLING_BYTES.min(idx) {
                self.contexts.entry(context(before, depth)).or_default().add(byte);
            }
            before = before << 8 | u32::from(byte & 0xff);
        }
    }

    /// Base-2 logarithm of the probability of a spelling; always finite.
    pub(crate) fn log2(&self, token: &str) -> f64 {
        let (mut before, mut bits) = (0_u32, 0.0);
        for (idx, byte) in symbols(token).enumerate() {
            let mut probability = 1.0 / CHOICES;
            for depth in 0..=SPELLING_BYTES.min(idx) {
                let Some(seen) = self.contexts.get(&context(before, depth)) else { break };
                probability = seen.refine(byte, probability);
            }
            bits += probability.log2();
            before = before << 8 | u32::from(byte & 0xff);
        }
        bits
    }
}

impl SymbolCounts {
    fn add(&mut self, byte: u16) {
        self.total += 1;
        match self.counts.binary_search_by_key(&byte, |it| it.0) {
            Ok(at) => self.counts[at].1 += 1,
            Err(at) => self.counts.insert(at, (byte, 1)),
        }
    }

    fn refine(&self, byte: u16, lower: f64) -> f64 {
        let count =
            self.counts.binary_search_by_key(&byte, |it| it.0).map_or(0, |at| self.counts[at].1);
        let different = self.counts.len() as f64;
        (f64::from(count) + different * lower) / (f64::from(self.total) + different)
    }
}

fn symbols(token: &str) -> impl Iterator<Item = u16> {
    token.bytes().map(u16::from).chain([STOP])
}

fn context(before: u32, depth: usize) -> (u8, u32) {
    let mask = if depth == 0 { 0 } else { u32::MAX >> (32 - 8 * depth) };
    (depth as u8, before & mask)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn probability_of(spelling: &Spelling, token: &str) -> f64 {
        spelling.log2(token).exp2()
    }

    #[test]
    fn a_spelling_that_was_seen_is_likelier_than_another() {
        let mut spelling = Spelling::default();
        ["request", "response", "require"].iter().for_each(|it| spelling.learn(it));
        assert!(
            probability_of(&spelling, "requests") > 1e4 * probability_of(&spelling, "xylophon")
        );
        assert!(spelling.log2("").is_finite() && spelling.log2("\u{0}é").is_finite());
    }

    #[test]
    fn the_bytes_after_a_context_sum_to_one() {
        let mut spelling = Spelling::default();
        ["abc", "abd", "b", ""].iter().for_each(|it| spelling.learn(it));
        for (before, idx) in [(0, 0), (u32::from(b'a'), 1), (0x6162, 2), (0x78, 1)] {
            let probability = |byte: u16| {
                (0..=SPELLING_BYTES.min(idx)).fold(1.0 / CHOICES, |lower, depth| {
                    let seen = spelling.contexts.get(&context(before, depth));
                    seen.map_or(lower, |it| it.refine(byte, lower))
                })
            };
            let sum: f64 = (0..=256).map(probability).sum();
            assert!((sum - 1.0).abs() < 1e-9, "{sum}");
        }
    }
}
