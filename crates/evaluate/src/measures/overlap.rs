//! The overlap of two sets: relevant and retrieved files, lines or names.

use std::collections::BTreeSet;

use serde::Serialize;

/// Precision, recall and their harmonic mean (van Rijsbergen 1979).
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Overlap {
    /// Fraction of the retrieved items that is relevant; 0 without retrieved items.
    pub precision: f64,
    /// Fraction of the relevant items that was retrieved; 0 without relevant items.
    pub recall: f64,
    /// 2 × common / (relevant + retrieved); 0 when both are empty.
    pub f1: f64,
}

impl Overlap {
    /// Overlap of two sets.
    pub fn new<T: Ord>(wanted: &BTreeSet<T>, given: &BTreeSet<T>) -> Self {
        let common = wanted.intersection(given).count() as f64;
        let of = |all: usize| if all == 0 { 0.0 } else { common / all as f64 };
        let both = wanted.len() + given.len();
        Self { precision: of(given.len()), recall: of(wanted.len()), f1: 2.0 * of(both) }
    }

    /// Overlap of lines: spans of `(path, first line, last line inclusive)`, each line counted once.
    pub fn of_lines(wanted: &[(&str, u32, u32)], given: &[(&str, u32, u32)]) -> Self {
        Self::new(&lines(wanted), &lines(given))
    }
}

fn lines<'p>(spans: &[(&'p str, u32, u32)]) -> BTreeSet<(&'p str, u32)> {
    let of = |it: &(&'p str, u32, u32)| {
        let path = it.0;
        (it.1..=it.2).map(move |line| (path, line))
    };
    spans.iter().flat_map(of).collect()
}

/// Fraction of `wanted` in `had`; `None` when `wanted` is empty.
pub fn share<T: Ord>(wanted: &BTreeSet<T>, had: &BTreeSet<T>) -> Option<f64> {
    let held = wanted.intersection(had).count();
    (!wanted.is_empty()).then(|| held as f64 / wanted.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_of_nothing_is_no_number() {
        let set = |it: &[&'static str]| it.iter().copied().collect::<BTreeSet<_>>();
        assert_eq!(share(&set(&[]), &set(&["a"])), None);
        assert_eq!(share(&set(&["a", "b"]), &set(&["b", "c"])), Some(0.5));
    }

    #[test]
    fn lines_that_two_spans_share_count_once() {
        let it = Overlap::of_lines(&[("a", 1, 4)], &[("a", 3, 6), ("a", 4, 8), ("b", 1, 2)]);
        // Two common lines; eight given; four wanted.
        assert!((it.precision - 0.25).abs() < 1e-12 && (it.recall - 0.5).abs() < 1e-12);
        assert!((it.f1 - 4.0 / 12.0).abs() < 1e-12);
        assert_eq!(Overlap::of_lines(&[], &[]), Overlap::default());
    }
}
