//! What SCIP indexes say of the present texts of files: the facts of that text, or those of an earlier one whose names are
//! moved to where their lines are now.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use foreword_engine::index::{Facts, FactsOf, FileFacts, FileId, Occurrence, Snapshot};

/// Files whose facts are moved for one answer; those of others count as not known.
const MAX_MOVED: usize = 200;

/// The facts of a snapshot's files.
pub(super) struct PresentFacts<'s> {
    pub(super) snapshot: &'s Snapshot,
    facts: Arc<Facts>,
    moved: RefCell<BTreeMap<FileId, Option<Rc<FileFacts>>>>,
    n_moved: Cell<usize>,
    /// Facts that came from elsewhere, which are compared with the text before they count.
    checked: RefCell<BTreeMap<FileId, Option<Rc<FileFacts>>>>,
}

/// The facts of a file's present text.
pub(super) enum Here<'f> {
    /// An index describes this text.
    Current(&'f FileFacts),
    /// One that came from elsewhere describes this text.
    Pushed(Rc<FileFacts>),
    /// An index describes an earlier text.
    Moved(Rc<FileFacts>),
}

impl std::ops::Deref for Here<'_> {
    type Target = FileFacts;

    fn deref(&self) -> &FileFacts {
        match self {
            Self::Current(it) => it,
            Self::Pushed(it) | Self::Moved(it) => it,
        }
    }
}

impl Here<'_> {
    pub(super) fn is_moved(&self) -> bool {
        matches!(self, Self::Moved(_))
    }

    pub(super) fn is_current(&self) -> bool {
        !self.is_moved()
    }
}

impl<'s> PresentFacts<'s> {
    pub(super) fn new(snapshot: &'s Snapshot) -> Self {
        let facts = snapshot.facts();
        let (moved, checked) = (RefCell::default(), RefCell::default());
        Self { snapshot, facts, moved, n_moved: Cell::default(), checked }
    }

    /// True if nothing is known of any file.
    pub(super) fn is_empty(&self) -> bool {
        !self.snapshot.has_facts()
    }

    pub(super) fn facts(&self) -> &Facts {
        &self.facts
    }

    /// What is known of the names in a file.
    pub(super) fn of(&self, file: FileId) -> Option<Here<'_>> {
        let (path, hash) = (self.snapshot.path(file), self.snapshot.hash(file));
        self.snapshot.need_facts(FactsOf::File(path));
        if let Some(current) = self.facts.of(path, hash) {
            return match self.snapshot.partial() {
                None => Some(Here::Current(current)),
                Some(_) => self.checked(file, current).map(Here::Pushed),
            };
        }
        let earlier = self.facts.of_path(path).first()?;
        if let Some(known) = self.moved.borrow().get(&file) {
            return known.clone().map(Here::Moved);
        }
        let is_bounded = self.n_moved.replace(self.n_moved.get() + 1) < MAX_MOVED;
        let moved = is_bounded.then(|| earlier.moved_to(&self.snapshot.text(file), hash)).flatten();
        let moved = moved.map(Rc::new);
        self.moved.borrow_mut().insert(file, moved.clone());
        moved.map(Here::Moved)
    }

    fn checked(&self, file: FileId, it: &FileFacts) -> Option<Rc<FileFacts>> {
        let check = || it.checked(&self.snapshot.text(file)).map(Rc::new);
        self.checked.borrow_mut().entry(file).or_insert_with(check).clone()
    }

    /// The symbols of this name that some file defines or uses, in order.
    pub(super) fn named(&self, name: &str) -> Vec<u32> {
        self.snapshot.need_facts(FactsOf::Name(name));
        self.facts.named(name)
    }

    /// The number of a symbol.
    pub(super) fn number_of(&self, symbol: &str) -> Option<u32> {
        self.snapshot.need_facts(FactsOf::Symbol(symbol));
        self.facts.number_of(symbol)
    }

    /// Makes sure that the files with these symbols are known.
    pub(super) fn need(&self, symbols: &[u32]) {
        for it in symbols.iter().filter_map(|it| self.facts.symbol(*it)) {
            self.snapshot.need_facts(FactsOf::Symbol(it));
        }
    }

    /// The files with names that are wanted, by path. Only files that an index describes with such names are read.
    pub(super) fn with<'a>(
        &'a self,
        is_wanted: &dyn Fn(&Occurrence) -> bool,
    ) -> impl Iterator<Item = (FileId, Here<'a>)> {
        let one = move |path| {
            let file = self.snapshot.file(path)?;
            let known = self.facts.of(path, self.snapshot.hash(file));
            let newest = known.or_else(|| self.facts.of_path(path).first())?;
            newest.occurrences().iter().any(is_wanted).then(|| Some((file, self.of(file)?)))?
        };
        self.facts.paths().filter_map(one)
    }

    /// The symbols that implement or override these, and those that do so with them; without these.
    pub(super) fn implementations(&self, symbols: &[u32]) -> Vec<u32> {
        self.related(symbols, |(symbol, other)| (other, symbol))
    }

    /// The symbols that these implement or override, and those that these do; without these.
    pub(super) fn overridden(&self, symbols: &[u32]) -> Vec<u32> {
        self.related(symbols, |pair| pair)
    }

    /// The symbols to which pairs of two lead from these, in order.
    fn related(&self, symbols: &[u32], pair: impl Fn((u32, u32)) -> (u32, u32)) -> Vec<u32> {
        let mut next: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for path in self.facts.paths().filter(|_| !symbols.is_empty()) {
            let hash = self.snapshot.file(path).map(|it| self.snapshot.hash(it));
            let current = hash.and_then(|it| self.facts.of(path, it));
            let Some(newest) = current.or_else(|| self.facts.of_path(path).first()) else {
                continue;
            };
            for (from, to) in newest.implements().iter().map(|it| pair(*it)) {
                next.entry(from).or_default().push(to);
            }
        }
        let mut found: BTreeSet<u32> = symbols.iter().copied().collect();
        let mut left = symbols.to_vec();
        while let Some(it) = left.pop() {
            let more = next.get(&it).into_iter().flatten();
            left.extend(more.filter(|it| found.insert(**it)));
            self.need(&[it]);
        }
        found.into_iter().filter(|it| !symbols.contains(it)).collect()
    }

    /// Whether only other texts of a file are described.
    pub(super) fn is_changed(&self, path: &str) -> bool {
        self.snapshot.need_facts(FactsOf::File(path));
        let is_current = |file| self.facts.of(path, self.snapshot.hash(file)).is_some();
        !self.facts.of_path(path).is_empty() && !self.snapshot.file(path).is_some_and(is_current)
    }
}
