//! Means with bootstrap confidence intervals, overall and by group.

use std::collections::BTreeMap;

use crate::random::Random;

/// Resamples for a confidence interval.
pub const RESAMPLES: usize = 2000;

/// Seed of the resampling: the same numbers give the same interval.
pub const SEED: u64 = 0x0066_6f72_6577_6f72;

/// A mean with its bootstrap 95 % confidence interval.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Estimate {
    pub(crate) n: usize,
    /// Mean of the values; 0 without values.
    pub mean: f64,
    /// 2.5th percentile of the means of the resamples.
    pub low: f64,
    /// 97.5th percentile.
    pub high: f64,
}

/// The mean; 0 without values.
pub fn mean(values: &[f64]) -> f64 {
    if values.is_empty() { 0.0 } else { values.iter().sum::<f64>() / values.len() as f64 }
}

/// The percentile at `at` (0 to 1) by nearest rank; 0 without values.
pub fn percentile(values: &[f64], at: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let rank = (at * sorted.len() as f64).ceil() as usize;
    sorted.get(rank.max(1) - 1).copied().unwrap_or_default()
}

/// The mean of `values` with its confidence interval: percentile bootstrap (Efron 1979), [`RESAMPLES`] resamples from
/// [`SEED`].
pub fn bootstrap(values: &[f64]) -> Estimate {
    if values.is_empty() {
        return Estimate::default();
    }
    let mut random = Random::new(SEED);
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

/// The paired difference of `ours` and `theirs` per task, which cancels the difficulty of tasks.
pub fn paired_difference(ours: &[f64], theirs: &[f64]) -> Estimate {
    let differences: Vec<f64> = ours.iter().zip(theirs).map(|(a, b)| a - b).collect();
    bootstrap(&differences)
}

/// The mean of each group (a language, a repository), sorted by name.
pub fn by_group<'n>(values: impl IntoIterator<Item = (&'n str, f64)>) -> Vec<(String, Estimate)> {
    let groups = grouped(values).into_iter();
    groups.map(|(name, values)| (name.to_owned(), bootstrap(&values))).collect()
}

/// The mean of the groups' means, with each group counted once and the interval over groups: the variation for another
/// choice of repositories. Tasks of one repository are not independent, so prefer this interval where there are several
/// repositories.
pub fn over_groups<'n>(values: impl IntoIterator<Item = (&'n str, f64)>) -> Estimate {
    let means: Vec<f64> = grouped(values).values().map(|it| mean(it)).collect();
    bootstrap(&means)
}

fn grouped<'n>(values: impl IntoIterator<Item = (&'n str, f64)>) -> BTreeMap<&'n str, Vec<f64>> {
    let mut res: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for (name, value) in values {
        res.entry(name).or_default().push(value);
    }
    res
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn close(got: f64, expect: f64) {
        assert!((got - expect).abs() < 1e-4, "{got} is not {expect}");
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
    fn an_interval_holds_its_mean_and_repeats_exactly() {
        let values: Vec<f64> = (0..100).map(|it| f64::from(it % 2)).collect();
        let estimate = bootstrap(&values);
        assert_eq!(estimate, bootstrap(&values));
        close(estimate.mean, 0.5);
        // The standard error of a fair coin over 100 throws is 0.05; allow twice that on each side.
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

    #[test]
    fn a_large_group_counts_as_much_as_a_small_one() {
        let values = [("b", 1.0), ("a", 0.0), ("b", 1.0), ("b", 1.0)];
        let estimate = over_groups(values);
        close(estimate.mean, 0.5);
        assert_eq!(estimate.n, 2);
        let groups = by_group(values);
        assert_eq!(
            groups.iter().map(|it| (it.0.as_str(), it.1.n)).collect::<Vec<_>>(),
            [("a", 1), ("b", 3)]
        );
    }
}
