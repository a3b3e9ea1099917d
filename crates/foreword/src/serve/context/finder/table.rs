//! The anchors of a repository's files, by which a window of text leads to the files that could have it.

use std::sync::{Arc, Mutex, PoisonError};

use foreword_engine::index::Snapshot;
use foreword_engine::source::ContentHash;
use rustc_hash::FxHashMap;

use super::align::{Window, anchors};

/// Anchors that a table holds, about: 12 bytes each. A larger repository keeps every second, fourth, … one.
const MOST: usize = 4 << 20;

/// An anchor in more files than this leads nowhere.
const COMMON: usize = 48;

/// Files that are looked at.
const CANDIDATES: usize = 8;

/// The anchors of a state of a repository.
#[derive(Default)]
pub(crate) struct Table {
    snapshot: String,
    /// Each file's path and its anchors, in order.
    files: Vec<(Arc<str>, Arc<[u32]>)>,
    /// Anchor and number of the file, in order.
    places: Vec<(u32, u32)>,
    /// Only anchors are kept that have these bits clear.
    mask: u32,
    /// What is known of a content.
    known: FxHashMap<ContentHash, Arc<[u32]>>,
}

impl Table {
    /// The table of a snapshot, with what is known from an earlier one.
    pub(super) fn new(snapshot: &Snapshot, earlier: &Self) -> Self {
        let lines: usize = snapshot.files().map(|it| snapshot.size(it).1 as usize).sum();
        let mut mask = 0;
        while lines >> u32::count_ones(mask) > MOST {
            mask = mask << 1 | 1;
        }
        let mut res = Self { snapshot: snapshot.id().to_owned(), mask, ..Self::default() };
        for file in snapshot.files() {
            let hash = snapshot.hash(file);
            let known = earlier.known.get(&hash).filter(|_| earlier.mask == mask);
            let prints = known.map_or_else(|| prints(&snapshot.text(file), mask), Arc::clone);
            let number = res.files.len() as u32;
            res.files.push((snapshot.path(file).into(), Arc::clone(&prints)));
            res.places.extend(prints.iter().map(|it| (*it, number)));
            res.known.insert(hash, prints);
        }
        res.places.sort_unstable();
        res
    }

    /// The files that have most of a window's anchors, the rarest counting most; those first that can share most.
    pub(super) fn candidates(&self, window: &Window<'_>) -> Vec<Candidate<'_>> {
        let mut scores: FxHashMap<u32, f64> = FxHashMap::default();
        for print in window.hashes() {
            let start = self.places.partition_point(|it| it.0 < print);
            let end = start + self.places[start..].partition_point(|it| it.0 == print);
            if end - start <= COMMON {
                for (_, file) in &self.places[start..end] {
                    *scores.entry(*file).or_default() += 1.0 / (end - start) as f64;
                }
            }
        }
        let mut found: Vec<(u32, f64)> = scores.into_iter().collect();
        found.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let candidate = |it: &(u32, f64)| {
            let (path, anchors) = &self.files[it.0 as usize];
            // An anchor that is not kept may be there.
            let has = |hash| hash & self.mask != 0 || anchors.binary_search(&hash).is_ok();
            Candidate { path, most: window.most(has) }
        };
        let mut res: Vec<Candidate<'_>> = found.iter().take(CANDIDATES).map(candidate).collect();
        res.sort_by(|a, b| b.most.total_cmp(&a.most));
        res
    }
}

/// A file that could have a text.
pub(super) struct Candidate<'t> {
    pub(super) path: &'t str,
    /// The share of the text's anchors that it has at the most.
    pub(super) most: f64,
}

/// The anchors of a text, each once.
fn prints(text: &str, mask: u32) -> Arc<[u32]> {
    let mut res: Vec<u32> = anchors(text).iter().map(|it| it.hash).collect();
    res.retain(|it| it & mask == 0);
    res.sort_unstable();
    res.dedup();
    res.into()
}

/// The tables of the repositories, each made when it is first needed and again when its repository changes.
#[derive(Default)]
pub(crate) struct Finder {
    tables: Mutex<Vec<(String, Arc<Table>)>>,
}

impl Finder {
    /// The table of a repository's state. Also to be called ahead, when the repository has changed.
    pub(crate) fn table(&self, root: &str, snapshot: &Snapshot) -> Arc<Table> {
        let known = self.lock().iter().find(|it| it.0 == root).map(|it| Arc::clone(&it.1));
        let known = known.unwrap_or_default();
        if known.snapshot == snapshot.id() {
            return known;
        }
        let table = Arc::new(Table::new(snapshot, &known));
        let mut tables = self.lock();
        tables.retain(|it| it.0 != root);
        tables.push((root.to_owned(), Arc::clone(&table)));
        table
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<(String, Arc<Table>)>> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
