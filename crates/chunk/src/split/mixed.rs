//! Cuts of a text with several trees: each tree decides cuts in its regions, the host tree everywhere else.

use std::ops::Range;

use super::cuts::Cuts;
use super::{SyntaxTree, tree};
use crate::size::Sizes;

/// Collects the cuts of all trees, in order. The cheaper of two cuts in one place wins.
pub(crate) fn split(trees: &[SyntaxTree<'_>], sizes: &Sizes, max: u32, cuts: &mut Cuts<'_>) {
    let mut embedded: Vec<Range<usize>> =
        trees.iter().filter_map(|it| it.regions).flatten().cloned().collect();
    embedded.sort_unstable_by_key(|it| it.start);
    let mut found: Vec<(usize, u32)> = Vec::new();
    for it in trees {
        tree::split(it, sizes, max, &mut |at, cost| {
            let is_own = match it.regions {
                Some(regions) => within(regions, at).is_some(),
                None => within(&embedded, at).is_none_or(|it| it.start == at || it.end == at),
            };
            if is_own {
                found.push((at, cost));
            }
        });
    }
    found.sort_unstable();
    found.dedup_by_key(|it| it.0);
    found.into_iter().for_each(|(at, cost)| cuts.push(at, cost));
}

/// The region that contains or touches `at`. Regions ascend.
fn within(regions: &[Range<usize>], at: usize) -> Option<&Range<usize>> {
    let next = regions.partition_point(|it| it.end < at);
    regions.get(next).filter(|it| it.start <= at)
}
