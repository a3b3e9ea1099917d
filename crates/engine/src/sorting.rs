//! Stable sorting of short lists with one copy of the machine code for all types.

use std::cmp::Ordering;

/// Like `slice::sort_by`.
///
/// The standard library's sort is compiled for each type and comparison, to 4 to 9 kB; here a call costs some hundred
/// bytes of code, and each comparison a call through a pointer. 63 calls took 0.4 MB of the binary
/// (`benchmarks/results/packages.md`). For lists of a request with some hundred items; code that reads a repository
/// uses the standard library's sort.
pub fn sort_by<T>(items: &mut [T], mut compare: impl FnMut(&T, &T) -> Ordering) {
    let from = sources(items.len(), &mut |a, b| compare(&items[a], &items[b]));
    rearrange(from, &mut |a, b| items.swap(a, b));
}

/// Like `slice::sort_by_key`; see [`sort_by`].
pub fn sort_by_key<T, K: Ord>(items: &mut [T], mut key: impl FnMut(&T) -> K) {
    sort_by(items, |a, b| key(a).cmp(&key(b)));
}

/// For each position after sorting, the position before.
fn sources(len: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    let mut res: Vec<usize> = (0..len).collect();
    res.sort_by(|a, b| compare(*a, *b));
    res
}

/// Moves the items to their positions, one cycle of the permutation at a time.
fn rearrange(mut from: Vec<usize>, swap: &mut dyn FnMut(usize, usize)) {
    for start in 0..from.len() {
        let mut at = start;
        loop {
            let source = std::mem::replace(&mut from[at], at);
            if source == start {
                break;
            }
            swap(at, source);
            at = source;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn items_are_sorted_as_the_standard_library_sorts_them(keys in prop::collection::vec(0u8..20, 0..200)) {
            let mut expected: Vec<(u8, usize)> = keys.iter().copied().zip(0..).collect();
            let mut items = expected.clone();
            expected.sort_by_key(|it| std::cmp::Reverse(it.0));
            sort_by(&mut items, |a, b| b.0.cmp(&a.0));
            prop_assert_eq!(&items, &expected);
            expected.sort_by_key(|it| it.0);
            sort_by_key(&mut items, |it| it.0);
            prop_assert_eq!(items, expected);
        }
    }
}
