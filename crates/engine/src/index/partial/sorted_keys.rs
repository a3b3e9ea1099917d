//! The keys of a dictionary that came in order from elsewhere.

use fst::Automaton;

/// Sorted, distinct keys, one behind the other. A search reads all of them: a map of the kind that an index has would take
/// longer to make than the few searches of a question take here.
#[derive(Default)]
pub(super) struct SortedKeys {
    text: String,
    /// Where each key ends.
    ends: Vec<usize>,
}

impl SortedKeys {
    /// Keys that do not come after the one before are left out.
    pub(super) fn new<'k>(keys: impl Iterator<Item = &'k str>) -> Self {
        let mut res = Self::default();
        for key in keys {
            if res.iter().next_back().is_none_or(|it| it < key) {
                res.text.push_str(key);
                res.ends.push(res.text.len());
            }
        }
        res
    }

    fn iter(&self) -> impl DoubleEndedIterator<Item = &str> {
        let start = |n: usize| n.checked_sub(1).map_or(0, |it| self.ends[it]);
        (0..self.ends.len()).map(move |n| &self.text[start(n)..self.ends[n]])
    }

    /// Passes on the keys that an automaton accepts, in order.
    pub(super) fn search<A: Automaton>(&self, automaton: &A, mut each: impl FnMut(&str)) {
        // The states after the first bytes of the key before, up to one that cannot lead to a match.
        let mut states = vec![automaton.start()];
        let mut before: &[u8] = &[];
        for key in self.iter() {
            let bytes = key.as_bytes();
            let read = before.iter().zip(bytes).take(states.len() - 1);
            states.truncate(read.take_while(|(a, b)| a == b).count() + 1);
            before = bytes;
            for byte in &bytes[states.len() - 1..] {
                let Some(state) = states.last().filter(|it| automaton.can_match(it)) else { break };
                states.push(automaton.accept(state, *byte));
            }
            let end = states.get(bytes.len());
            if end.is_some_and(|it| automaton.is_match(it)) {
                each(key);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use fst::automaton::{AlwaysMatch, Levenshtein, Str};
    use fst::{IntoStreamer, Set};

    use super::*;

    fn found<A: Automaton>(keys: &[&str], automaton: A) -> Vec<String> {
        let mut res = Vec::new();
        SortedKeys::new(keys.iter().copied())
            .search(&automaton, |it: &str| res.push(it.to_owned()));
        let set = Set::from_iter(keys).unwrap();
        assert_eq!(res, set.search(automaton).into_stream().into_strs().unwrap());
        res
    }

    #[test]
    fn a_search_finds_what_a_map_of_the_keys_finds() {
        let keys = ["", "a", "ab", "abc", "abd", "acd", "b", "bcd", "bcé", "zab", "zabc"];
        assert_eq!(found(&keys, AlwaysMatch).len(), keys.len());
        let near = || Levenshtein::new("abc", 1).unwrap();
        assert_eq!(found(&keys, near()), ["ab", "abc", "abd", "zabc"]);
        found(&keys, Str::new("ab").starts_with());
        found(&keys, Str::new("bcé"));
        found(&keys, near().complement());
    }

    #[test]
    fn keys_out_of_order_are_left_out() {
        let keys = SortedKeys::new(["b", "a", "b", "c"].into_iter());
        assert_eq!(keys.iter().collect::<Vec<_>>(), ["b", "c"]);
    }
}
