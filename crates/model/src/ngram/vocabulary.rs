//! Numbers spellings, with all spellings in one allocation; a query adds a layer over a shared vocabulary.

use std::hash::BuildHasher as _;
use std::sync::Arc;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

/// Token before every text.
pub(crate) const BEGIN: u32 = 0;
/// Token after every text.
pub(crate) const END: u32 = 1;

/// Numbers spellings in order of appearance.
#[derive(Clone, Debug)]
pub(crate) struct Vocabulary {
    base: Option<Arc<Vocabulary>>,
    /// First number of this layer.
    first: u32,
    spellings: String,
    /// End of each spelling of this layer.
    ends: Vec<u32>,
    table: HashTable<u32>,
}

impl Default for Vocabulary {
    fn default() -> Self {
        Self {
            base: None,
            first: END + 1,
            spellings: String::new(),
            ends: Vec::new(),
            table: HashTable::new(),
        }
    }
}

impl Vocabulary {
    /// A layer over `base`.
    pub(crate) fn over(base: Arc<Self>) -> Self {
        Self { first: base.end(), base: Some(base), ..Self::default() }
    }

    /// One past the highest number.
    pub(crate) fn end(&self) -> u32 {
        self.first + self.ends.len() as u32
    }

    /// Number of a spelling.
    pub(crate) fn find(&self, spelling: &str) -> Option<u32> {
        let below = self.base.as_ref().and_then(|it| it.find(spelling));
        below.or_else(|| self.own(spelling))
    }

    /// Number of a spelling, added if new.
    pub(crate) fn intern(&mut self, spelling: &str) -> u32 {
        if let Some(known) = self.find(spelling) {
            return known;
        }
        let number = self.end();
        self.spellings.push_str(spelling);
        self.ends.push(self.spellings.len() as u32);
        let (first, ends, spellings) = (self.first, &self.ends, &self.spellings);
        self.table
            .insert_unique(hash(spelling), number, |it| hash(at(spellings, ends, *it - first)));
        number
    }

    /// Spelling of a number; empty for [`BEGIN`], [`END`] and unknown numbers.
    pub(crate) fn spelling(&self, number: u32) -> &str {
        match &self.base {
            Some(base) if number < self.first => base.spelling(number),
            _ if number < self.first || number >= self.end() => "",
            _ => at(&self.spellings, &self.ends, number - self.first),
        }
    }

    fn own(&self, spelling: &str) -> Option<u32> {
        let is_it = |it: &u32| at(&self.spellings, &self.ends, *it - self.first) == spelling;
        self.table.find(hash(spelling), is_it).copied()
    }
}

fn at<'s>(spellings: &'s str, ends: &[u32], idx: u32) -> &'s str {
    let idx = idx as usize;
    let start = if idx == 0 { 0 } else { ends[idx - 1] as usize };
    &spellings[start..ends[idx] as usize]
}

fn hash(spelling: &str) -> u64 {
    FxBuildHasher.hash_one(spelling)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spelling_keeps_its_number_in_layers_above() {
        let mut base = Vocabulary::default();
        let (a, b) = (base.intern("a"), base.intern("b"));
        let mut above = Vocabulary::over(Arc::new(base));
        let c = above.intern("c");
        assert_eq!((above.intern("a"), above.find("b"), above.find("d")), (a, Some(b), None));
        assert_eq!([a, b, c].map(|it| above.spelling(it)), ["a", "b", "c"]);
        assert_eq!((above.spelling(BEGIN), above.spelling(99)), ("", ""));
    }
}
