//! What a probability is worth: the measured share of right lines.
//!
//! A line that is begun is worth more than its probability. What is typed may be new (the one word in which this line
//! differs from those that it is like), and then every token after it is counted only, none copied: the product of
//! many small doubts, although the line often goes on as the others do.

/// Pairs of a probability and the share of right lines among those with about this probability. In between by a
/// straight line.
type Measured = [(f64, f64)];

/// Whole lines: 441 lines of 147 commits to the development repositories, with the composed context
/// (`foreword-evaluate next-line`). The other repositories were not looked at for it.
const WHOLE: &Measured = &[
    (0.0, 0.0),
    (0.02, 0.03),
    (0.07, 0.12),
    (0.15, 0.14),
    (0.27, 0.23),
    (0.43, 0.34),
    (0.6, 0.39),
    (0.78, 0.64),
    (0.89, 0.94),
    (1.0, 0.97),
];

/// Rests of lines of which a quarter or half is written: 1,146 of 396 commits to eleven development repositories
/// (`next-line --begun 0.25` and `0.5`, 2026-11-21; groups of equal size, pooled until monotone).
const BEGUN: &Measured = &[
    (0.0, 0.0),
    (0.0004, 0.1),
    (0.0028, 0.19),
    (0.0225, 0.34),
    (0.0527, 0.46),
    (0.1165, 0.52),
    (0.366, 0.59),
    (0.771, 0.83),
    (0.95, 0.97),
    (1.0, 0.97),
];

/// The share of right lines among those of such a probability.
pub(super) fn calibrated(probability: f64, is_begun: bool) -> f64 {
    let measured = if is_begun { BEGUN } else { WHOLE };
    let above = measured.iter().position(|it| it.0 >= probability).unwrap_or(measured.len() - 1);
    let (high, low) = (measured[above], measured[above.max(1) - 1]);
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
    fn what_is_likelier_is_surer_and_never_beyond_one() {
        for is_begun in [false, true] {
            let steps: Vec<f64> =
                (0..=1000).map(|it| calibrated(f64::from(it) / 1000.0, is_begun)).collect();
            assert!(steps.is_sorted() && steps[1000] <= 1.0, "{steps:?}");
        }
        assert!(calibrated(0.05, true) > 2.0 * calibrated(0.05, false));
    }
}
