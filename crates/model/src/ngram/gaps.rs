//! Predicts the whitespace before a token from it and the token before: none, one space, or other.
//!
//! Counted for the pair of tokens, for the kind of the first with the second, and for both kinds, each smoothed by the
//! wider one: `P(g | pair) = (count(pair, g) + W · P(g | wider)) / (count(pair) + W)`.

use rustc_hash::FxHashMap;

use super::lexer::Kind;
use super::preset::{GAP_PRIOR, WIDER_WEIGHT};

/// Whitespace between two tokens of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gap {
    None,
    /// One space.
    Space,
    /// Any other whitespace.
    Other,
}

/// Token class for whitespace prediction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Side {
    pub(crate) number: u32,
    pub(crate) kind: Kind,
}

/// Counts of gaps.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gaps {
    counts: FxHashMap<Key, [u32; 3]>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Key {
    Pair(u32, u32),
    Second(u8, u32),
    Kinds(u8, u8),
}

impl Gap {
    /// Class of this whitespace.
    pub(crate) fn of(blanks: &str) -> Self {
        match blanks {
            "" => Self::None,
            " " => Self::Space,
            _ => Self::Other,
        }
    }
}

impl Gaps {
    /// Counts one gap.
    pub(crate) fn learn(&mut self, before: Side, after: Side, gap: Gap) {
        for key in keys(before, after) {
            self.counts.entry(key).or_default()[gap as usize] += 1;
        }
    }

    /// Probabilities of the gaps, in the order of [`Gap`].
    pub(crate) fn probabilities(&self, before: Side, after: Side) -> [f64; 3] {
        let mut res = GAP_PRIOR;
        for key in keys(before, after) {
            let Some(counts) = self.counts.get(&key) else { continue };
            let total = f64::from(counts.iter().sum::<u32>());
            for (probability, count) in res.iter_mut().zip(counts) {
                *probability =
                    (f64::from(*count) + WIDER_WEIGHT * *probability) / (total + WIDER_WEIGHT);
            }
        }
        res
    }

    /// Base-2 logarithm of the probability of this whitespace; other whitespace is spelled, each byte and the end one
    /// of 257.
    pub(crate) fn log2(&self, before: Side, after: Side, blanks: &str) -> f64 {
        let gap = Gap::of(blanks);
        let spelled =
            if gap == Gap::Other { (blanks.len() + 1) as f64 * 257_f64.log2() } else { 0.0 };
        self.probabilities(before, after)[gap as usize].log2() - spelled
    }
}

/// Widest first.
fn keys(before: Side, after: Side) -> [Key; 3] {
    [
        Key::Kinds(before.kind as u8, after.kind as u8),
        Key::Second(before.kind as u8, after.number),
        Key::Pair(before.number, after.number),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_that_was_seen_decides_and_all_sums_to_one() {
        let side = |number, kind| Side { number, kind };
        let (word, mark) = (side(5, Kind::Word), side(6, Kind::Mark));
        let mut gaps = Gaps::default();
        for _ in 0..3 {
            gaps.learn(word, mark, Gap::Space);
        }
        for (before, after) in [(word, mark), (mark, word), (side(9, Kind::Word), mark)] {
            assert!((gaps.probabilities(before, after).iter().sum::<f64>() - 1.0).abs() < 1e-12);
        }
        assert!(gaps.probabilities(word, mark)[Gap::Space as usize] > 0.9);
        assert!(gaps.probabilities(side(9, Kind::Word), mark)[Gap::Space as usize] > 0.8);
        assert!(gaps.log2(word, mark, "  \t").is_finite());
    }
}
