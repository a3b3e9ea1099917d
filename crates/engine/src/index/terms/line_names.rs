//! The names on each line of a text, numbered: what is compared again and again is compared by numbers.

use std::hash::Hasher;

use rustc_hash::{FxBuildHasher, FxHashMap, FxHasher};

use super::identifiers;

/// Numbers of names, the same for all texts that are read with them, from 0 in the order in which they are met. A name is
/// known by its hash, so that no text must be kept.
pub(crate) struct NameNumbers(FxHashMap<u64, u32>);

/// The texts that are read for one cursor have some thousand names.
const NAMES: usize = 1 << 10;

/// The hash of a word or a line, for sets within one answer: another build may give other ones.
pub(crate) fn hash_of(text: &str) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(text.as_bytes());
    hasher.finish()
}

impl NameNumbers {
    pub(crate) fn new() -> Self {
        Self(FxHashMap::with_capacity_and_hasher(NAMES, FxBuildHasher))
    }

    /// The number of a name; calls `learn` if it is met for the first time.
    fn number(&mut self, name: &str, learn: impl FnOnce(&str)) -> u32 {
        let next = self.0.len() as u32;
        *self.0.entry(hash_of(name)).or_insert_with(|| {
            learn(name);
            next
        })
    }
}

/// Names of one letter are left out.
const SHORTEST: usize = 2;

/// The names of a text by line.
#[derive(Default)]
pub(crate) struct LineNames {
    /// The numbers of the names of all lines, one line after the other.
    numbers: Vec<u32>,
    /// Where in `numbers` each line ends.
    ends: Vec<u32>,
}

impl LineNames {
    /// Reads another text; calls `learn` with each name that has no number yet, in the order of their new numbers.
    pub(crate) fn read(
        &mut self,
        text: &str,
        known: &mut NameNumbers,
        mut learn: impl FnMut(&str),
    ) {
        let Self { numbers, ends } = self;
        numbers.clear();
        ends.clear();
        let mut newlines = memchr::memchr_iter(b'\n', text.as_bytes()).peekable();
        identifiers(text, |start, end| {
            while newlines.next_if(|it| *it < start).is_some() {
                ends.push(numbers.len() as u32);
            }
            if end - start >= SHORTEST {
                numbers.push(known.number(&text[start..end], &mut learn));
            }
        });
        let is_last_open = !text.is_empty() && !text.ends_with('\n');
        let rest = newlines.count() + usize::from(is_last_open);
        ends.resize(ends.len() + rest, numbers.len() as u32);
    }

    /// Leaves `n` lines; those that are added have no names.
    pub(crate) fn resize(&mut self, n: usize) {
        self.ends.resize(n, self.numbers.len() as u32);
    }

    /// How many lines there are.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The numbers of the names on a line, which is counted from 0; of a name that it has twice, twice.
    pub(crate) fn on(&self, line: usize) -> &[u32] {
        let start = line.checked_sub(1).map_or(0, |it| self.ends[it] as usize);
        &self.numbers[start..self.ends[line] as usize]
    }
}

/// The identifiers of a line, without those of one letter.
pub(crate) fn each_name<'t>(line: &'t str, mut found: impl FnMut(&'t str)) {
    identifiers(line, |start, end| {
        if end - start >= SHORTEST {
            found(&line[start..end]);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_has_a_number_and_each_line_its_names() {
        let (mut known, mut learnt) = (NameNumbers::new(), Vec::new());
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
