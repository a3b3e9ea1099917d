//! Names on each line of a text, numbered, for repeated comparison.

use std::hash::Hasher;

use rustc_hash::{FxBuildHasher, FxHashMap, FxHasher};

use super::identifiers;
use super::lists::NumberLists;
use crate::preset::constants::index::SHORTEST_NAME;

/// Numbers of names, shared by all texts that are read with them, from 0 in order of first occurrence. Names are
/// identified by their hash, so no text needs to be kept.
pub(crate) struct NameNumbers(FxHashMap<u64, u32>);

/// Texts read for one cursor have some thousand names.
const NAME_CAPACITY: usize = 1 << 10;

/// Hash of a word or line, for sets within one answer; it may differ between builds.
pub(crate) fn hash_of(text: &str) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(text.as_bytes());
    hasher.finish()
}

impl Default for NameNumbers {
    fn default() -> Self {
        Self(FxHashMap::with_capacity_and_hasher(NAME_CAPACITY, FxBuildHasher))
    }
}

impl NameNumbers {
    /// How many names have a number.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// The number of a name; calls `learn` at its first occurrence.
    pub(crate) fn number(&mut self, name: &str, learn: impl FnOnce(&str)) -> u32 {
        self.of_hash(hash_of(name), || learn(name))
    }

    /// The number of the name with this hash; calls `learn` at its first occurrence.
    pub(crate) fn of_hash(&mut self, hash: u64, learn: impl FnOnce()) -> u32 {
        let next = self.0.len() as u32;
        *self.0.entry(hash).or_insert_with(|| {
            learn();
            next
        })
    }
}

/// The numbers of the names of a text, by line.
#[derive(Default)]
pub(crate) struct LineNames(NumberLists);

impl LineNames {
    /// Reads another text; calls `learn` with each new name, in the order of their numbers.
    pub(crate) fn read(
        &mut self,
        text: &str,
        known: &mut NameNumbers,
        mut learn: impl FnMut(&str),
    ) {
        let lists = &mut self.0;
        lists.clear();
        let mut newlines = memchr::memchr_iter(b'\n', text.as_bytes()).peekable();
        identifiers(text, |start, end| {
            while newlines.next_if(|it| *it < start).is_some() {
                lists.close();
            }
            if end - start >= SHORTEST_NAME {
                lists.push(known.number(&text[start..end], &mut learn));
            }
        });
        let is_last_open = !text.is_empty() && !text.ends_with('\n');
        let rest = newlines.count() + usize::from(is_last_open);
        lists.resize(lists.len() + rest);
    }

    /// Truncates or extends to `n` lines; new lines have no names.
    pub(crate) fn resize(&mut self, n: usize) {
        self.0.resize(n);
    }

    /// Number of lines.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Numbers of the names on a line, counted from 0, with duplicates.
    pub(crate) fn on(&self, line: usize) -> &[u32] {
        self.0.get(line)
    }
}

/// Calls `found` with the identifiers of a line that have more than one letter.
pub(crate) fn each_name<'t>(line: &'t str, mut found: impl FnMut(&'t str)) {
    identifiers(line, |start, end| {
        if end - start >= SHORTEST_NAME {
            found(&line[start..end]);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_has_a_number_and_each_line_its_names() {
        let (mut known, mut learnt) = (NameNumbers::default(), Vec::new());
        let mut names = LineNames::default();
        let mut read = |text: &str| -> Vec<Vec<u32>> {
            names.read(text, &mut known, |name| learnt.push(name.to_owned()));
            (0..names.len()).map(|it| names.on(it).to_vec()).collect()
        };
        assert_eq!(read("open(path)\n\nx = path + open\n"), [vec![0, 1], vec![], vec![1, 0]]);
        assert_eq!(read("close(path)"), [vec![2, 1]]);
        assert_eq!(read("open\r\n\r\n\n"), [vec![0], vec![], vec![]]);
        assert_eq!(read("\n path\n \n+"), [vec![], vec![1], vec![], vec![]]);
        assert!(read("").is_empty());
        assert_eq!(learnt, ["open", "path", "close"]);
    }
}
