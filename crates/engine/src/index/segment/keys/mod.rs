//! The keys of a segment with the places of their lists: pages in a file, a sorted list for some files in memory. The
//! builder of an fst clears a megabyte before its first key, which took most of the time of a segment of one file.

mod pages;
mod walk;

use fst::Automaton;

pub(crate) use self::pages::{KeyPages, KeyStream, PageDirectory, PagesBuilder};
pub(crate) use self::walk::KeyWalk;

/// Keys in byte order, each with a value.
pub(crate) enum Keys {
    Pages(KeyPages),
    Sorted(SortedKeys),
}

/// Ascending keys in memory.
#[derive(Default)]
pub(crate) struct SortedKeys {
    /// The keys, one after another.
    bytes: Vec<u8>,
    entries: Vec<Entry>,
}

/// The range of a key, and its value.
struct Entry {
    start: u32,
    end: u32,
    value: u64,
}

impl SortedKeys {
    /// Adds a key; false if it is not above the last one.
    pub(super) fn push(&mut self, key: &[u8], value: u64) -> bool {
        let is_above = self.entries.last().is_none_or(|it| self.key(it) < key);
        if is_above {
            let start = self.bytes.len() as u32;
            self.bytes.extend_from_slice(key);
            self.entries.push(Entry { start, end: self.bytes.len() as u32, value });
        }
        is_above
    }

    /// The value of a key.
    pub(super) fn get(&self, key: &[u8]) -> Option<u64> {
        let found = self.entries.binary_search_by(|it| self.key(it).cmp(key));
        found.ok().map(|at| self.entries[at].value)
    }

    fn key(&self, it: &Entry) -> &[u8] {
        &self.bytes[it.start as usize..it.end as usize]
    }
}

impl Keys {
    /// True if damage was found in them since they were opened.
    pub(super) fn is_damaged(&self) -> bool {
        matches!(self, Self::Pages(pages) if pages.is_damaged())
    }

    /// The value of a key.
    pub(super) fn get(&self, key: &str) -> Option<u64> {
        match self {
            Self::Pages(pages) => pages.get(key.as_bytes()),
            Self::Sorted(keys) => keys.get(key.as_bytes()),
        }
    }

    /// All keys with their values, in order; `None` if some are damaged, and for those in memory, which are never merged.
    pub(super) fn stream(&self) -> Option<KeyStream<'_>> {
        match self {
            Self::Pages(pages) => pages.stream(),
            Self::Sorted(_) => None,
        }
    }

    /// Calls `found` with the keys that `automaton` accepts, in order.
    pub(super) fn each_like<A: Automaton>(&self, automaton: A, mut found: impl FnMut(&str)) {
        let visit = |key: &[u8]| std::str::from_utf8(key).into_iter().for_each(&mut found);
        match self {
            Self::Pages(pages) => pages.each_like(&automaton, visit),
            Self::Sorted(keys) => {
                let all = keys.entries.iter().map(|it| keys.key(it));
                all.filter(|it| accepts(&automaton, it)).for_each(visit);
            }
        }
    }
}

fn accepts<A: Automaton>(automaton: &A, key: &[u8]) -> bool {
    state_after(automaton, key).is_some_and(|it| automaton.is_match(&it))
}

/// Whether an automaton may accept a key that begins with `prefix`.
fn may_accept<A: Automaton>(automaton: &A, prefix: &[u8]) -> bool {
    state_after(automaton, prefix).is_some_and(|it| automaton.can_match(&it))
}

/// The state after some bytes; `None` if no key that begins with a part of them is accepted.
fn state_after<A: Automaton>(automaton: &A, bytes: &[u8]) -> Option<A::State> {
    let mut state = automaton.start();
    for byte in bytes {
        if !automaton.can_match(&state) {
            return None;
        }
        state = automaton.accept(&state, *byte);
    }
    Some(state)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sorted_keys_answer_as_pages_do(
            known in prop::collection::btree_map("[abcü]{0,5}", 0_u64..1000, 0..40),
            queried in prop::collection::vec("[abcü]{0,6}", 0..40),
            start in "[abcü]{0,2}",
        ) {
            let pages = pages::pages_of(known.iter().map(|(key, value)| (key.as_str(), *value)));
            let mut sorted = SortedKeys::default();
            known.iter().for_each(|(key, value)| assert!(sorted.push(key.as_bytes(), *value)));
            let (pages, sorted) = (Keys::Pages(pages), Keys::Sorted(sorted));
            for key in &queried {
                prop_assert_eq!(pages.get(key), sorted.get(key), "{}", key);
            }
            let like = |keys: &Keys| {
                let mut res = Vec::new();
                let automaton = fst::automaton::Str::new(&start).starts_with();
                keys.each_like(automaton, |it| res.push(it.to_owned()));
                res
            };
            prop_assert_eq!(like(&pages), like(&sorted));
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
