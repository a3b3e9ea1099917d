//! Looks up keys one after another. In an fst the walk of a key starts at the end of the prefix that it shares with the
//! previous key: several forms of a word (`parse`, `parser`, `parsing`) cost little more than one.

use fst::raw::{Fst, Node, Output};

use super::{KeyPages, Keys, SortedKeys};

/// A lookup of several keys.
pub(crate) enum KeyWalk<'k> {
    Pages(PagesWalk<'k>),
    Sorted(&'k SortedKeys),
}

impl<'k> KeyWalk<'k> {
    pub(crate) fn new(keys: &'k Keys) -> Self {
        match keys {
            Keys::Pages(pages) => Self::Pages(PagesWalk { pages, last: None }),
            Keys::Sorted(keys) => Self::Sorted(keys),
        }
    }

    /// The value of `key`. Keys may come in any order; sorted keys are fastest.
    pub(crate) fn get(&mut self, key: &str) -> Option<u64> {
        match self {
            Self::Pages(walk) => walk.get(key.as_bytes()),
            Self::Sorted(keys) => keys.get(key.as_bytes()),
        }
    }
}

/// A walk that goes from page to page.
pub(crate) struct PagesWalk<'k> {
    pages: &'k KeyPages,
    /// The place of the last key's page, and the walk in it.
    last: Option<(usize, FstWalk<'k>)>,
}

impl PagesWalk<'_> {
    fn get(&mut self, key: &[u8]) -> Option<u64> {
        let place = self.pages.place_of(key)?;
        match &mut self.last {
            Some((last, walk)) if *last == place => walk.get(key),
            last => {
                let walk = FstWalk::new(self.pages.page(place)?.as_fst());
                last.insert((place, walk)).1.get(key)
            }
        }
    }
}

/// Path of the last key.
struct FstWalk<'m> {
    map: &'m Fst<Vec<u8>>,
    /// The longest prefix of the last key in the map.
    key: Vec<u8>,
    /// Node and sum of outputs before each byte of `key`, and after the last.
    path: Vec<(Node<'m>, Output)>,
}

impl<'m> FstWalk<'m> {
    fn new(map: &'m Fst<Vec<u8>>) -> Self {
        Self { map, key: Vec::new(), path: vec![(map.root(), Output::zero())] }
    }

    fn get(&mut self, key: &[u8]) -> Option<u64> {
        let same = self.key.iter().zip(key).take_while(|(a, b)| a == b).count();
        self.key.truncate(same);
        self.path.truncate(same + 1);
        let (mut node, mut output) = *self.path.last()?;
        for byte in &key[same..] {
            let next = node.transition(node.find_input(*byte)?);
            (node, output) = (self.map.node(next.addr), output.cat(next.out));
            self.key.push(*byte);
            self.path.push((node, output));
        }
        node.is_final().then(|| output.cat(node.final_output()).value())
    }
}

#[cfg(test)]
mod tests {
    use super::super::pages::pages_of;
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn each_key_has_its_value(
            known in prop::collection::btree_map("[abc]{0,5}", 0_u64..1000, 0..40),
            queried in prop::collection::vec("[abc]{0,6}", 0..40),
        ) {
            let known_keys = known.iter().map(|(key, value)| (key.as_str(), *value));
            let keys = Keys::Pages(pages_of(known_keys));
            let mut walk = KeyWalk::new(&keys);
            for key in &queried {
                prop_assert_eq!(walk.get(key), known.get(key).copied(), "{}", key);
            }
        }
    }
}
