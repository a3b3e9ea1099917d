//! Facts about a whole repository that a partial snapshot knows.

use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::needs::{FactsNeeds, FactsOf, LexicalQuery, Needs};
use super::precise::KnownFacts;
use super::sorted_keys::SortedKeys;
use crate::index::ids::FileId;
use crate::index::precise::Facts as PreciseFacts;
use crate::preset::constants::index::FIRST_FILES;

/// Where a name occurs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NameSites {
    /// Definitions in all files.
    pub definitions: u32,
    /// The files with them.
    pub defined_in: Vec<FileId>,
    /// Files that use it with counts, sorted by path.
    pub uses: Vec<(FileId, u32)>,
}

/// Upper bounds of the scores of chunks for a query.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bounds {
    /// Files with upper bounds of their chunks' scores, highest first.
    pub files: Vec<(FileId, f32)>,
    /// Upper bound of the other files; 0 if no other has any of the terms.
    pub rest: f32,
}

/// Result of asking for files.
enum FileRequest {
    /// All of them are here.
    NoMore,
    /// Some were asked for.
    More,
    /// As many are here as may be asked for.
    TooMany,
}

/// All that is known.
#[derive(Default)]
struct Facts {
    frequencies: HashMap<String, u32>,
    names: HashMap<String, NameSites>,
    /// By term, the files that have it.
    words: HashMap<String, Vec<FileId>>,
    /// All terms and all names.
    keys: Option<[SortedKeys; 2]>,
    bounds: HashMap<LexicalQuery, Bounds>,
    precise: KnownFacts,
}

/// Facts about the whole repository, and the questions that were asked in vain. Shared by the snapshots that grow from each
/// other; facts are added, never changed.
pub struct Partial {
    facts: RwLock<Facts>,
    needs: Mutex<Needs>,
    /// By question, the terms or names that it found.
    walks: Mutex<HashMap<(usize, String), Vec<String>>>,
    /// Most files whose contents are asked for by one list of chunks.
    most_files: usize,
    is_cut: AtomicBool,
}

impl Partial {
    /// Nothing is known. `most_files` bounds the files that one list of chunks asks for: of more, the best by
    /// their bounds ([`Self::is_cut`]).
    pub fn new(most_files: usize) -> Self {
        let is_cut = AtomicBool::new(false);
        let (facts, needs, walks) = (RwLock::default(), Mutex::default(), Mutex::default());
        Self { facts, needs, walks, most_files, is_cut }
    }

    /// Says which files have precise facts elsewhere, by path.
    pub fn described_files(&self, paths: BTreeSet<String>) {
        self.write().precise = KnownFacts::of_files(paths);
    }

    /// Adds precise facts of files, with what they are the whole answer to.
    pub fn add_precise(&self, files: Vec<PreciseFacts>, answered: FactsNeeds) {
        self.write().precise.add(files, answered);
    }

    /// True if the precise facts of a file are here.
    pub fn has_precise(&self, path: &str) -> bool {
        self.read().precise.has(path)
    }

    /// True if any file has precise facts.
    pub(in crate::index) fn is_described(&self) -> bool {
        !self.read().precise.is_empty()
    }

    /// The precise facts that are here.
    pub(in crate::index) fn precise(&self) -> Arc<PreciseFacts> {
        self.read().precise.facts()
    }

    pub(in crate::index) fn need_precise(&self, of: FactsOf<'_>) {
        self.read().precise.need(of, &mut self.needs().facts);
    }

    /// Adds the number of chunks that contain a term; 0 for one that does not occur.
    pub fn add_frequency(&self, term: &str, frequency: u32) {
        self.write().frequencies.insert(term.to_owned(), frequency);
    }

    /// Adds where a name occurs.
    pub fn add_name(&self, name: &str, sites: NameSites) {
        self.write().names.insert(name.to_owned(), sites);
    }

    /// Adds the files that have a term.
    pub fn add_word(&self, term: &str, files: Vec<FileId>) {
        self.write().words.insert(term.to_owned(), files);
    }

    /// Adds all terms and all names, each sorted and distinct; others are dropped.
    pub fn add_keys<'k>(
        &self,
        terms: impl Iterator<Item = &'k str>,
        names: impl Iterator<Item = &'k str>,
    ) {
        self.write().keys = Some([SortedKeys::new(terms), SortedKeys::new(names)]);
    }

    /// Adds the bounds of a query; deeper ones replace those before.
    pub fn add_bounds(&self, query: LexicalQuery, bounds: Bounds) {
        self.write().bounds.insert(query, bounds);
    }

    /// Number of files known for a query.
    pub fn depth(&self, query: &LexicalQuery) -> usize {
        self.read().bounds.get(query).map_or(0, |it| it.files.len())
    }

    /// Whether a list of chunks had to do without files that could matter, because there were too many.
    pub fn is_cut(&self) -> bool {
        self.is_cut.load(Ordering::Relaxed)
    }

    /// Forgets what depends on one question: the best files for queries, and files with words.
    pub fn forget_questions(&self) {
        let mut facts = self.write();
        facts.bounds.clear();
        facts.words.clear();
        self.walks.lock().unwrap_or_else(PoisonError::into_inner).clear();
        self.is_cut.store(false, Ordering::Relaxed);
    }

    /// Takes what was asked for in vain since the last call.
    pub fn take_needs(&self) -> Needs {
        std::mem::take(&mut *self.needs())
    }

    /// True if something was asked for in vain since [`Self::take_needs`].
    pub fn has_needs(&self) -> bool {
        !self.needs().is_empty()
    }

    pub(in crate::index) fn need_file(&self, file: FileId) {
        self.needs().files.insert(file);
    }

    /// Number of chunks that contain a term; 0 if unknown.
    pub(in crate::index) fn frequency(&self, term: &str) -> u32 {
        let known = self.read().frequencies.get(term).copied();
        known.unwrap_or_else(|| {
            self.needs().terms.insert(term.to_owned());
            0
        })
    }

    /// Where a name occurs; nowhere if unknown.
    pub(in crate::index) fn sites(&self, name: &str) -> NameSites {
        let known = self.read().names.get(name).cloned();
        known.unwrap_or_else(|| {
            self.needs().names.insert(name.to_owned());
            NameSites::default()
        })
    }

    /// The files that have a term; none if unknown.
    pub(in crate::index) fn files_of(&self, term: &str) -> Vec<FileId> {
        let known = self.read().words.get(term).cloned();
        known.unwrap_or_else(|| {
            self.needs().words.insert(term.to_owned());
            Vec::new()
        })
    }

    /// All terms (0) or names (1) that `automaton` accepts and `keep` keeps, sorted. `question` identifies these two: an answer
    /// is made again and again, and the walk through all names of a repository only once.
    pub(in crate::index) fn keys_like(
        &self,
        (which, question): (usize, &str),
        automaton: impl fst::Automaton,
        keep: &dyn Fn(&str) -> bool,
    ) -> Vec<String> {
        let facts = self.read();
        let Some(keys) = &facts.keys else {
            self.needs().dictionary = true;
            return Vec::new();
        };
        let mut known = self.walks.lock().unwrap_or_else(PoisonError::into_inner);
        let place = (which, question.to_owned());
        if let Some(it) = known.get(&place) {
            return it.clone();
        }
        let mut res = Vec::new();
        keys[which].search(&automaton, |it| res.extend(keep(it).then(|| it.to_owned())));
        known.insert(place, res.clone());
        res
    }

    /// Writes down which files a list of the best chunks needs. `is_absent` tells which files have no contents yet,
    /// apart from files that no hit may be in; `least` is the score that a further chunk must reach.
    pub(in crate::index) fn need_best(
        &self,
        query: &LexicalQuery,
        is_absent: impl Fn(FileId) -> Option<bool>,
        least: f32,
    ) {
        let facts = self.read();
        let mut needs = self.needs();
        let Some(bounds) = facts.bounds.get(query) else {
            // The weights are wrong where the frequency of a term is unknown.
            if needs.terms.is_empty() && !query.0.is_empty() {
                needs.queries.push(query.clone());
            }
            return;
        };
        let possible = bounds.files.iter().filter(|it| it.1 >= least).map(|it| it.0);
        let has_more = bounds.rest > 0.0 && bounds.rest >= least;
        match self.ask_for(&mut needs, possible, is_absent) {
            FileRequest::More => {}
            FileRequest::NoMore if has_more && bounds.files.len() < self.most_files => {
                needs.queries.push(query.clone());
            }
            FileRequest::NoMore if !has_more => {}
            _ => self.is_cut.store(true, Ordering::Relaxed),
        }
    }

    /// Writes down that files with a term are needed, the likeliest to be about it first.
    pub(in crate::index) fn need_files_of(
        &self,
        term: &str,
        is_absent: impl Fn(FileId) -> Option<bool>,
    ) {
        let files = self.files_of(term).into_iter();
        if matches!(self.ask_for(&mut self.needs(), files, is_absent), FileRequest::TooMany) {
            self.is_cut.store(true, Ordering::Relaxed);
        }
    }

    /// Asks for the first of `files` that are not here: as many as are here, so that the number doubles each time.
    fn ask_for(
        &self,
        needs: &mut Needs,
        files: impl Iterator<Item = FileId>,
        is_absent: impl Fn(FileId) -> Option<bool>,
    ) -> FileRequest {
        let known = files.filter_map(|it| Some((it, is_absent(it)?)));
        let (absent, present): (Vec<_>, Vec<_>) = known.partition(|it| it.1);
        let most =
            FIRST_FILES.max(present.len()).min(self.most_files.saturating_sub(present.len()));
        needs.files.extend(absent.iter().take(most).map(|it| it.0));
        match () {
            () if absent.is_empty() => FileRequest::NoMore,
            () if most == 0 => FileRequest::TooMany,
            () => FileRequest::More,
        }
    }

    fn read(&self) -> RwLockReadGuard<'_, Facts> {
        self.facts.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Facts> {
        self.facts.write().unwrap_or_else(PoisonError::into_inner)
    }

    fn needs(&self) -> MutexGuard<'_, Needs> {
        self.needs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn a_question_walks_through_all_names_once() {
        let partial = Partial::new(10);
        let n_seen = Cell::new(0);
        let walk = |question: &str, letter: char| {
            let keep = |it: &str| {
                n_seen.set(n_seen.get() + 1);
                it.contains(letter)
            };
            partial.keys_like((1, question), fst::automaton::AlwaysMatch, &keep)
        };
        assert!(walk("has a", 'a').is_empty() && partial.take_needs().dictionary);
        partial.add_keys(["x"].into_iter(), ["abc", "bcd", "cda"].into_iter());
        for _ in 0..3 {
            assert_eq!(walk("has a", 'a'), ["abc", "cda"]);
        }
        assert_eq!((n_seen.get(), walk("has b", 'b').len(), n_seen.get()), (3, 2, 6));
        partial.forget_questions();
        assert_eq!((walk("has a", 'a').len(), n_seen.get()), (2, 9));
        assert!(!partial.has_needs());
    }
}
