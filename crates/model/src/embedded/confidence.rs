//! Calibrates probabilities: maps a probability to the measured share of correct lines.
//!
//! The rest of a partly typed line is correct more often than its probability says: where the typed text has a new
//! word, every later token is counted but not copied, and the product of many small doubts is low although the line
//! often continues like similar ones.

use super::preset::{PARTIAL_LINES, WHOLE_LINES};

/// Part of a line that was completed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LinePart {
    Whole,
    /// The text after the typed part.
    Rest,
}

/// Share of correct lines among those with this probability.
pub(super) fn calibrated(probability: f64, part: LinePart) -> f64 {
    let curve = match part {
        LinePart::Whole => WHOLE_LINES,
        LinePart::Rest => PARTIAL_LINES,
    };
    let above = curve.iter().position(|it| it.0 >= probability).unwrap_or(curve.len() - 1);
    let (high, low) = (curve[above], curve[above.max(1) - 1]);
    if high.0 <= low.0 {
        return high.1;
    }
    let share = ((probability - low.0) / (high.0 - low.0)).clamp(0.0, 1.0);
    low.1 + share * (high.1 - low.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_likelier_line_is_surer_and_never_beyond_one() {
        for part in [LinePart::Whole, LinePart::Rest] {
            let steps: Vec<f64> =
                (0..=1000).map(|it| calibrated(f64::from(it) / 1000.0, part)).collect();
            assert!(steps.is_sorted() && steps[1000] <= 1.0, "{steps:?}");
        }
        let at = |part| calibrated(0.05, part);
        assert!(at(LinePart::Rest) > 2.0 * at(LinePart::Whole));
    }
}
