//! The measures, each on plain numbers, so that they can be checked by hand.

use std::collections::BTreeSet;

/// How many resamples a confidence interval is made of.
pub const RESAMPLES: usize = 2000;

/// Where the resampling starts: the same numbers give the same interval.
pub const SEED: u64 = 0x0066_6f72_6577_6f72;

/// A mean with its bootstrap 95 % confidence interval.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize)]
pub struct Estimate {
    /// How many values.
    pub n: usize,
    /// Their mean; 0 when there are none.
    pub mean: f64,
    /// 2.5th percentile of the means of the resamples.
    pub low: f64,
    /// 97.5th percentile.
    pub high: f64,
}

/// Normalised discounted cumulative gain, binary: `ranks` has one entry per relevant item, its place from 1, or
/// `None` where it was not found. The ideal answer has all of them (at most `k`) on top.
pub fn ndcg(ranks: &[Option<usize>], k: usize) -> f64 {
    let gain = |rank: usize| 1.0 / (rank as f64 + 1.0).log2();
    let found = ranks.iter().flatten().filter(|it| **it <= k).map(|it| gain(*it));
    // The sum of nothing is minus zero.
    let found = found.fold(0.0, |sum, it| sum + it);
    let ideal: f64 = (1..=ranks.len().min(k)).map(gain).sum();
    if ideal == 0.0 { 0.0 } else { found / ideal }
}

/// One by the place of the first relevant item among the first `k`; 0 when there is none.
pub fn reciprocal_rank(ranks: &[Option<usize>], k: usize) -> f64 {
    let first = ranks.iter().flatten().filter(|it| **it <= k).min();
    first.map_or(0.0, |it| 1.0 / *it as f64)
}

/// The share of relevant items that are among the first `k`.
pub fn recall(ranks: &[Option<usize>], k: usize) -> f64 {
    let found = ranks.iter().flatten().filter(|it| **it <= k).count();
    if ranks.is_empty() { 0.0 } else { found as f64 / ranks.len() as f64 }
}

/// The share of `wanted` that is in `had`; `None` when nothing is wanted.
pub fn share<T: Ord>(wanted: &BTreeSet<T>, had: &BTreeSet<T>) -> Option<f64> {
    let held = wanted.intersection(had).count();
    (!wanted.is_empty()).then(|| held as f64 / wanted.len() as f64)
}

/// The mean; 0 of nothing.
pub fn mean(values: &[f64]) -> f64 {
    if values.is_empty() { 0.0 } else { values.iter().sum::<f64>() / values.len() as f64 }
}

/// The value that a share of `at` (0 to 1) of the values do not exceed (nearest rank); 0 of nothing.
pub fn percentile(values: &[f64], at: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let rank = (at * sorted.len() as f64).ceil() as usize;
    sorted.get(rank.max(1) - 1).copied().unwrap_or_default()
}

/// The mean of `values` and how sure it is: percentile bootstrap (Efron 1979), [`RESAMPLES`] resamples from [`SEED`].
pub fn bootstrap(values: &[f64]) -> Estimate {
    if values.is_empty() {
        return Estimate::default();
    }
    let mut random = Random(SEED);
    let resample = |_| {
        let drawn: f64 = (0..values.len()).map(|_| values[random.below(values.len())]).sum();
        drawn / values.len() as f64
    };
    let means: Vec<f64> = (0..RESAMPLES).map(resample).collect();
    Estimate {
        n: values.len(),
        mean: mean(values),
        low: percentile(&means, 0.025),
        high: percentile(&means, 0.975),
    }
}

/// How much higher `ours` is than `theirs`, task by task: what the tasks have in common cancels out.
pub fn paired_difference(ours: &[f64], theirs: &[f64]) -> Estimate {
    let differences: Vec<f64> = ours.iter().zip(theirs).map(|(a, b)| a - b).collect();
    bootstrap(&differences)
}

/// SplitMix64 (Steele, Lea and Flood 2014): small, and the same everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next()) * n as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn close(got: f64, expect: f64) {
        assert!((got - expect).abs() < 1e-4, "{got} is not {expect}");
    }

    #[test]
    fn ndcg_of_hand_computed_ranks() {
        close(ndcg(&[Some(1)], 10), 1.0);
        close(ndcg(&[Some(2)], 10), 0.6309);
        close(ndcg(&[Some(10)], 10), 0.2891);
        close(ndcg(&[Some(11)], 10), 0.0);
        close(ndcg(&[None], 10), 0.0);
        close(ndcg(&[], 10), 0.0);
        // (1 + 1/log2(4)) / (1 + 1/log2(3)) = 1.5 / 1.63093
        close(ndcg(&[Some(1), Some(3)], 10), 0.9197);
        close(ndcg(&[None, Some(1)], 10), 0.6131);
    }

    #[test]
    fn more_relevant_items_than_places_can_still_be_perfect() {
        let ranks: Vec<_> = (1..=12).map(Some).collect();
        close(ndcg(&ranks, 10), 1.0);
    }

    #[test]
    fn reciprocal_rank_and_recall_count_within_the_first_places() {
        close(reciprocal_rank(&[Some(4), Some(2), None], 10), 0.5);
        close(reciprocal_rank(&[Some(11)], 10), 0.0);
        close(recall(&[Some(4), Some(12), None, Some(10)], 10), 0.5);
        close(recall(&[], 10), 0.0);
    }

    #[test]
    fn percentiles_are_by_nearest_rank() {
        let values = [5.0, 1.0, 4.0, 2.0, 3.0];
        close(percentile(&values, 0.5), 3.0);
        close(percentile(&values, 0.95), 5.0);
        close(percentile(&values, 0.0), 1.0);
        close(percentile(&[], 0.5), 0.0);
    }

    #[test]
    fn a_share_of_nothing_is_no_number() {
        let set = |it: &[&'static str]| it.iter().copied().collect::<BTreeSet<_>>();
        assert_eq!(share(&set(&[]), &set(&["a"])), None);
        assert_eq!(share(&set(&["a", "b"]), &set(&["b", "c"])), Some(0.5));
    }

    #[test]
    fn an_interval_holds_its_mean_and_repeats_exactly() {
        let values: Vec<f64> = (0..100).map(|it| f64::from(it % 2)).collect();
        let estimate = bootstrap(&values);
        assert_eq!(estimate, bootstrap(&values));
        close(estimate.mean, 0.5);
        // The standard error of a fair coin over 100 throws is 0.05; twice that on either side.
        assert!((0.37..0.45).contains(&estimate.low), "{estimate:?}");
        assert!((0.55..0.63).contains(&estimate.high), "{estimate:?}");
    }

    #[test]
    fn equal_values_leave_no_doubt() {
        let estimate = bootstrap(&[0.25; 10]);
        assert_eq!((estimate.low, estimate.mean, estimate.high), (0.25, 0.25, 0.25));
    }

    #[test]
    fn a_paired_difference_is_blind_to_what_tasks_share() {
        let estimate = paired_difference(&[0.1, 0.5, 1.0], &[0.0, 0.4, 0.9]);
        close(estimate.low, 0.1);
        close(estimate.high, 0.1);
    }
}
