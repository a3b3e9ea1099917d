//! Selects the best of many scores without looking at each of them twice.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use super::query::ScoredChunk;

/// Scores that are skipped together.
const GROUP_CAPACITY: usize = 32;

/// Highest score of each group, in order.
pub(super) fn highest(scores: &[f32]) -> impl Iterator<Item = f32> {
    // Scores are not negative, so their bits have the same order, and integer comparison vectorises.
    let bits = |group: &[f32]| group.iter().map(|it| it.to_bits() as i32).fold(0, i32::max);
    scores.chunks(GROUP_CAPACITY).map(move |it| f32::from_bits(bits(it) as u32))
}

/// The `n`th highest of the groups' maxima, which at least `n` scores reach; 0 if there are fewer groups.
pub(super) fn nth(mut highest: Vec<f32>, n: usize) -> f32 {
    let Some(at) = n.checked_sub(1).filter(|it| *it < highest.len()) else { return 0.0 };
    *highest.select_nth_unstable_by(at, |a, b| b.total_cmp(a)).1
}

/// Positions of the positive scores that reach `least`, in order; `highest` has the maximum of each group.
pub(super) fn reaching(
    scores: &[f32],
    highest: &[f32],
    least: f32,
) -> impl Iterator<Item = (usize, f32)> {
    let least = least.max(f32::MIN_POSITIVE);
    let groups = scores.chunks(GROUP_CAPACITY).zip(highest).enumerate();
    groups.filter(move |(_, (_, highest))| **highest >= least).flat_map(
        move |(number, (group, _))| {
            let places = (number * GROUP_CAPACITY..).zip(group);
            places.filter(move |it| *it.1 >= least).map(|it| (it.0, *it.1))
        },
    )
}

/// The best chunks so far: a heap with the worst on top.
pub(super) struct TopChunks {
    limit: usize,
    heap: BinaryHeap<Reverse<ByScore>>,
}

#[derive(PartialEq)]
struct ByScore(ScoredChunk);

impl Eq for ByScore {}

impl PartialOrd for ByScore {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for ByScore {
    /// Higher scores first; of equals, the earlier chunk.
    fn cmp(&self, other: &Self) -> Ordering {
        let by_score = self.0.score.total_cmp(&other.0.score);
        by_score.then_with(|| other.0.chunk.cmp(&self.0.chunk))
    }
}

impl TopChunks {
    pub(super) fn new(limit: usize) -> Self {
        Self { limit, heap: BinaryHeap::with_capacity(limit + 1) }
    }

    /// The score that a chunk must reach to be added.
    pub(super) fn threshold(&self) -> f32 {
        if self.heap.len() < self.limit {
            return f32::MIN;
        }
        self.heap.peek().map_or(f32::MAX, |it| it.0.0.score)
    }

    pub(super) fn offer(&mut self, scored: ScoredChunk) {
        let new = ByScore(scored);
        if self.heap.len() < self.limit {
            self.heap.push(Reverse(new));
        } else if let Some(mut worst) = self.heap.peek_mut().filter(|it| new > it.0) {
            *worst = Reverse(new);
        }
    }

    pub(super) fn finish(self) -> Vec<ScoredChunk> {
        self.heap.into_sorted_vec().into_iter().map(|Reverse(ByScore(it))| it).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_reaches_the_nth_of_the_groups_holds_the_n_best(
            scores in prop::collection::vec(prop_oneof![4 => Just(0.0_f32), 1 => 0.1_f32..9.0], 0..3000),
            n in 1_usize..40,
        ) {
            let groups: Vec<f32> = highest(&scores).collect();
            let found: Vec<(usize, f32)> = reaching(&scores, &groups, nth(groups.clone(), n)).collect();
            let mut expect: Vec<(usize, f32)> = scores.iter().copied().enumerate().filter(|it| it.1 > 0.0).collect();
            expect.sort_by(|a, b| b.1.total_cmp(&a.1));
            expect.truncate(n);
            prop_assert!(expect.iter().all(|it| found.contains(it)));
            prop_assert!(found.is_sorted_by_key(|it| it.0));
        }
    }
}
