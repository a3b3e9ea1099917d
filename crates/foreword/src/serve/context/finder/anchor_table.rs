//! The anchors of a repository's files, an inverted index from line pairs to files.

use std::sync::{Arc, Mutex, PoisonError};

use foreword_engine::index::Snapshot;
use foreword_engine::sorting::sort_by;
use foreword_engine::source::ContentHash;
use rustc_hash::FxHashMap;

use super::align::{TextWindow, anchors};

/// Approximate maximum number of anchors in a table, 12 bytes each. A larger repository keeps every second, fourth, …
const MAX_ANCHORS: usize = 4 << 20;

/// An anchor in more files than this is ignored.
const MAX_FILES_PER_ANCHOR: usize = 48;

/// Maximum number of files that are aligned.
const MAX_CANDIDATES: usize = 8;

/// The anchors of a snapshot.
#[derive(Default)]
pub(crate) struct AnchorTable {
    snapshot: String,
    /// Each file's path and its anchors, sorted.
    files: Vec<(Arc<str>, Arc<[u32]>)>,
    /// Anchor and index of its file, sorted.
    postings: Vec<(u32, u32)>,
    /// Only anchors that have these bits clear are kept.
    mask: u32,
    /// The anchors of a content.
    by_content: FxHashMap<ContentHash, Arc<[u32]>>,
}

impl AnchorTable {
    /// Builds the table of a snapshot, reusing the contents of an earlier table.
    pub(super) fn new(snapshot: &Snapshot, earlier: &Self) -> Self {
        let lines: usize = snapshot.files().map(|it| snapshot.size(it).1 as usize).sum();
        let mut mask = 0;
        while lines >> u32::count_ones(mask) > MAX_ANCHORS {
            mask = mask << 1 | 1;
        }
        let mut res = Self { snapshot: snapshot.id().to_owned(), mask, ..Self::default() };
        for file in snapshot.files() {
            let hash = snapshot.hash(file);
            let known = earlier.by_content.get(&hash).filter(|_| earlier.mask == mask);
            let hashes =
                known.map_or_else(|| anchor_hashes(&snapshot.text(file), mask), Arc::clone);
            let number = res.files.len() as u32;
            res.files.push((snapshot.path(file).into(), Arc::clone(&hashes)));
            res.postings.extend(hashes.iter().map(|it| (*it, number)));
            res.by_content.insert(hash, hashes);
        }
        res.postings.sort_unstable();
        res
    }

    /// The files with most of a window's anchors, rare anchors weighing more. Sorted by the upper bound of their share.
    pub(super) fn candidates(&self, window: &TextWindow<'_>) -> Vec<Candidate<'_>> {
        let mut scores: FxHashMap<u32, f64> = FxHashMap::default();
        for hash in window.hashes() {
            let start = self.postings.partition_point(|it| it.0 < hash);
            let end = start + self.postings[start..].partition_point(|it| it.0 == hash);
            if end - start <= MAX_FILES_PER_ANCHOR {
                for (_, file) in &self.postings[start..end] {
                    *scores.entry(*file).or_default() += 1.0 / (end - start) as f64;
                }
            }
        }
        let mut scored: Vec<(u32, f64)> = scores.into_iter().collect();
        scored.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let candidate = |it: &(u32, f64)| {
            let (path, anchors) = &self.files[it.0 as usize];
            // An anchor left out of the table may be in the file.
            let has = |hash| hash & self.mask != 0 || anchors.binary_search(&hash).is_ok();
            Candidate { path, max_share: window.max_share(has) }
        };
        let mut res: Vec<Candidate<'_>> =
            scored.iter().take(MAX_CANDIDATES).map(candidate).collect();
        sort_by(&mut res, |a, b| b.max_share.total_cmp(&a.max_share));
        res
    }
}

/// A file that could contain a text.
pub(super) struct Candidate<'t> {
    pub(super) path: &'t str,
    /// Upper bound of the share of the text's anchors in it, between 0 and 1.
    pub(super) max_share: f64,
}

/// The hashes of a text's anchors, sorted and without duplicates.
fn anchor_hashes(text: &str, mask: u32) -> Arc<[u32]> {
    let mut res: Vec<u32> = anchors(text).iter().map(|it| it.hash).collect();
    res.retain(|it| it & mask == 0);
    res.sort_unstable();
    res.dedup();
    res.into()
}

/// The tables of the repositories, each built when it is first needed and again when its repository changes.
#[derive(Default)]
pub(crate) struct Finder {
    tables: Mutex<Vec<(String, Arc<AnchorTable>)>>,
}

impl Finder {
    /// The table of a repository. The watcher calls this after a change, ahead of requests.
    pub(crate) fn table(&self, root: &str, snapshot: &Snapshot) -> Arc<AnchorTable> {
        let known = self.lock().iter().find(|it| it.0 == root).map(|it| Arc::clone(&it.1));
        let known = known.unwrap_or_default();
        if known.snapshot == snapshot.id() {
            return known;
        }
        let table = Arc::new(AnchorTable::new(snapshot, &known));
        // A damaged snapshot lacks texts, and the repaired one has the same name.
        if snapshot.is_damaged() {
            return table;
        }
        let mut tables = self.lock();
        tables.retain(|it| it.0 != root);
        tables.push((root.to_owned(), Arc::clone(&table)));
        table
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<(String, Arc<AnchorTable>)>> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
