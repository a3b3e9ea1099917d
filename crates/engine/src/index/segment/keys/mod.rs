//! The keys of a segment with the places of their lists: an fst in a file, a sorted list for some files in memory. To begin
//! an fst takes as long as to analyse such a file, since its builder clears two megabytes.

mod walk;

use fst::{Automaton, IntoStreamer as _, Streamer as _};

pub(crate) use self::walk::KeyWalk;

/// Keys in byte order, each with a value.
pub(crate) enum Keys {
    Fst(fst::Map<Vec<u8>>),
    Sorted(SortedKeys),
}

/// Ascending keys in memory.
#[derive(Default)]
pub(crate) struct SortedKeys {
    /// The keys, one after another.
    bytes: Vec<u8>,
    /// The end of each key, and its value.
    entries: Vec<(u32, u64)>,
}

impl SortedKeys {
    /// Adds a key; false if it is not above the last one.
    pub(super) fn push(&mut self, key: &[u8], value: u64) -> bool {
        let is_above = self.entries.len().checked_sub(1).is_none_or(|last| self.key(last) < key);
        if is_above {
            self.bytes.extend_from_slice(key);
            self.entries.push((self.bytes.len() as u32, value));
        }
        is_above
    }

    /// The value of a key.
    pub(super) fn get(&self, key: &[u8]) -> Option<u64> {
        let (mut start, mut end) = (0, self.entries.len());
        while start < end {
            let middle = start.midpoint(end);
            match self.key(middle).cmp(key) {
                std::cmp::Ordering::Less => start = middle + 1,
                std::cmp::Ordering::Equal => return Some(self.entries[middle].1),
                std::cmp::Ordering::Greater => end = middle,
            }
        }
        None
    }

    fn key(&self, at: usize) -> &[u8] {
        let start = at.checked_sub(1).map_or(0, |before| self.entries[before].0);
        &self.bytes[start as usize..self.entries[at].0 as usize]
    }
}

impl Keys {
    /// The value of a key.
    pub(super) fn get(&self, key: &str) -> Option<u64> {
        match self {
            Self::Fst(map) => map.get(key),
            Self::Sorted(keys) => keys.get(key.as_bytes()),
        }
    }

    /// All keys with their values, in order; `None` for those in memory, which are never merged.
    pub(super) fn stream(&self) -> Option<fst::map::Stream<'_>> {
        match self {
            Self::Fst(map) => Some(map.stream()),
            Self::Sorted(_) => None,
        }
    }

    /// Calls `found` with the keys that `automaton` accepts, in order.
    pub(super) fn each_like<A: Automaton>(&self, automaton: A, mut found: impl FnMut(&str)) {
        let mut visit = |key: &[u8]| std::str::from_utf8(key).into_iter().for_each(&mut found);
        match self {
            Self::Fst(map) => {
                let mut stream = map.search(automaton).into_stream();
                // A damaged map could have too many to enumerate.
                for _ in 0..map.len() {
                    let Some((key, _)) = stream.next() else { return };
                    visit(key);
                }
            }
            Self::Sorted(keys) => {
                let all = (0..keys.entries.len()).map(|at| keys.key(at));
                all.filter(|it| accepts(&automaton, it)).for_each(visit);
            }
        }
    }
}

fn accepts<A: Automaton>(automaton: &A, key: &[u8]) -> bool {
    let mut state = automaton.start();
    for byte in key {
        if !automaton.can_match(&state) {
            return false;
        }
        state = automaton.accept(&state, *byte);
    }
    automaton.is_match(&state)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sorted_keys_answer_as_an_fst_does(
            known in prop::collection::btree_map("[abcü]{0,5}", 0_u64..1000, 0..40),
            queried in prop::collection::vec("[abcü]{0,6}", 0..40),
            start in "[abcü]{0,2}",
        ) {
            let map = fst::Map::from_iter(known.iter().map(|(key, value)| (key, *value))).unwrap();
            let mut sorted = SortedKeys::default();
            known.iter().for_each(|(key, value)| assert!(sorted.push(key.as_bytes(), *value)));
            let (map, sorted) = (Keys::Fst(map), Keys::Sorted(sorted));
            for key in &queried {
                prop_assert_eq!(map.get(key), sorted.get(key), "{}", key);
            }
            let like = |keys: &Keys| {
                let mut res = Vec::new();
                let automaton = fst::automaton::Str::new(&start).starts_with();
                keys.each_like(automaton, |it| res.push(it.to_owned()));
                res
            };
            prop_assert_eq!(like(&map), like(&sorted));
        }
    }

    #[test]
    fn keys_must_ascend() {
        let mut keys = SortedKeys::default();
        assert!(keys.push(b"", 1) && keys.push(b"a", 2));
        assert!(!keys.push(b"a", 3) && !keys.push(b"", 4));
        assert_eq!((keys.get(b""), keys.get(b"a"), keys.get(b"b")), (Some(1), Some(2), None));
    }
}
