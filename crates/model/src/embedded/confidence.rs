//! Calibrates probabilities: how often lines like a completed one are right.
//!
//! The model's probability alone says little about it: a line that the texts have many times, or that is far likelier than
//! every other, is right more often than another line of the same probability, and a long one less often. Logistic
//! regressions combine these features, one for each kind of hole (`train/confidence.py`).

use super::preset::{NEW_LINE, REST_OF_LINE, Weights};

/// Part of a line that was completed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LinePart {
    Whole,
    /// The text after the typed part.
    Rest,
}

/// What is known of a completed line.
#[derive(Clone, Copy, Debug)]
pub(super) struct LineFeatures {
    pub(super) part: LinePart,
    /// Base-2 logarithm of its probability.
    pub(super) log2: f64,
    /// Base-2 logarithm of the probability of the likeliest other line, if there is one.
    pub(super) other_log2: Option<f64>,
    /// How many lines of the file and of the pieces are equal to the whole line.
    pub(super) repeated: usize,
    /// Characters that were written, without white space around.
    pub(super) written: usize,
    /// Characters that were typed, without white space around.
    pub(super) typed: usize,
}

/// Greatest difference to the other line that counts, in nats: more says nothing new. First guess.
const MAX_MARGIN: f64 = 6.0;

/// Share of correct lines among those with these features.
pub(super) fn confidence(it: &LineFeatures) -> f64 {
    let weights: &Weights = match it.part {
        LinePart::Whole => &NEW_LINE,
        LinePart::Rest => &REST_OF_LINE,
    };
    let nats = |log2: f64| log2 * std::f64::consts::LN_2;
    let margin = it.other_log2.map_or(MAX_MARGIN, |other| nats(it.log2 - other));
    let plus_one = |n: usize| (n as f64).ln_1p();
    let sum = weights.bias
        + weights.probability * nats(it.log2)
        + weights.margin * margin.clamp(0.0, MAX_MARGIN)
        + weights.repeated * plus_one(it.repeated)
        + weights.written * plus_one(it.written)
        + weights.typed * plus_one(it.typed);
    1.0 / (1.0 + (-sum).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: LineFeatures = LineFeatures {
        part: LinePart::Whole,
        log2: -3.0,
        other_log2: Some(-5.0),
        repeated: 1,
        written: 20,
        typed: 0,
    };

    #[test]
    fn a_likelier_clearer_and_more_frequent_line_is_surer_and_a_longer_one_less() {
        for part in [LinePart::Whole, LinePart::Rest] {
            let line = LineFeatures { part, ..LINE };
            let before = confidence(&line);
            assert!(
                confidence(&LineFeatures { log2: -1.0, other_log2: Some(-3.0), ..line }) > before
            );
            assert!(confidence(&LineFeatures { other_log2: Some(-8.0), ..line }) > before);
            assert!(confidence(&LineFeatures { repeated: 5, ..line }) > before);
            assert!(confidence(&LineFeatures { written: 60, ..line }) < before);
        }
    }

    #[test]
    fn a_confidence_is_a_share_whatever_the_line() {
        for part in [LinePart::Whole, LinePart::Rest] {
            for log2 in [0.0, -1.0, -40.0, f64::NEG_INFINITY] {
                for other_log2 in [None, Some(0.0), Some(-1e9)] {
                    let line = LineFeatures { part, log2, other_log2, repeated: 1 << 40, ..LINE };
                    let share = confidence(&line);
                    assert!((0.0..=1.0).contains(&share), "{share}: {line:?}");
                }
            }
        }
    }
}
