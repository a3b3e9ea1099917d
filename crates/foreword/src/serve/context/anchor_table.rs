//! A table of anchors: an inverted index from line pairs to the files of a repository, by which a text is found without
//! its path.
//!
//! A change of some files adds a small table beside the large one, so that a saved file costs no sorting of all anchors.

use std::cmp::Ordering;
use std::sync::{Arc, Mutex, PoisonError};

use foreword_engine::index::{FileId, Snapshot};
use foreword_engine::sorting::sort_by;
use foreword_engine::source::ContentHash;
use rustc_hash::{FxHashMap, FxHashSet};

use super::anchors::{TextWindow, anchors};

/// Approximate maximum number of anchors in a table, 12 bytes each. A larger repository keeps every second, fourth, …
const MAX_ANCHORS: usize = 4 << 20;

/// An anchor in more files than this is ignored.
const MAX_FILES_PER_ANCHOR: usize = 48;

/// Maximum number of files that are aligned.
const MAX_CANDIDATES: usize = 8;

/// Maximum number of files beside the large table. With more, it is built again.
const MAX_RECENT: usize = 256;

/// The anchors of a snapshot.
#[derive(Default)]
pub(crate) struct AnchorTable {
    snapshot: String,
    /// Only anchors that have these bits clear are kept.
    mask: u32,
    /// The files of an earlier snapshot.
    base: Arc<FilesByAnchor>,
    /// Those of them, by number, that the snapshot has no longer.
    gone: FxHashSet<u32>,
    /// Files that the earlier snapshot did not have.
    recent: FilesByAnchor,
}

/// Files with their anchors.
#[derive(Default)]
struct FilesByAnchor {
    /// Sorted by path.
    files: Vec<FileAnchors>,
    /// Anchor and number of its file, sorted.
    postings: Vec<(u32, u32)>,
    /// For each value of an anchor's upper bits, the first posting with it or a higher one; and the end. A search in the
    /// whole list would wait for memory some twenty times for each line of a text.
    starts: Vec<u32>,
}

/// Number of upper bits of an anchor by which postings are found.
const START_BITS: u32 = 16;

struct FileAnchors {
    path: Arc<str>,
    content: ContentHash,
    /// Sorted, each once.
    anchors: Arc<[u32]>,
}

impl FilesByAnchor {
    fn new(files: Vec<FileAnchors>) -> Self {
        let of_file = |(number, file): (u32, &FileAnchors)| {
            let pairs: Vec<(u32, u32)> = file.anchors.iter().map(|it| (*it, number)).collect();
            pairs
        };
        let mut postings: Vec<(u32, u32)> = (0..).zip(&files).flat_map(of_file).collect();
        postings.sort_unstable();
        let starts = starts_of(&postings);
        Self { files, postings, starts }
    }

    /// The numbers of the files with an anchor, each once.
    fn files_with(&self, anchor: u32) -> impl Iterator<Item = u32> {
        let upper = upper_bits(anchor);
        let bound = |at: usize| self.starts.get(at).map_or(0, |it| *it as usize);
        let postings = &self.postings[bound(upper)..bound(upper + 1)];
        let start = postings.partition_point(|it| it.0 < anchor);
        postings[start..].iter().take_while(move |it| it.0 == anchor).map(|it| it.1)
    }
}

fn upper_bits(anchor: u32) -> usize {
    (anchor >> (u32::BITS - START_BITS)) as usize
}

/// The starts of sorted postings by upper bits, empty without postings.
fn starts_of(postings: &[(u32, u32)]) -> Vec<u32> {
    let mut res = Vec::new();
    for (at, (anchor, _)) in (0..).zip(postings) {
        res.resize(res.len().max(upper_bits(*anchor) + 1), at);
    }
    if !postings.is_empty() {
        res.resize((1 << START_BITS) + 1, postings.len() as u32);
    }
    res
}

impl AnchorTable {
    /// Builds the table of a snapshot from that of an earlier one: files with the same text are not read.
    pub(super) fn new(snapshot: &Snapshot, earlier: &Self) -> Self {
        let lines: usize = snapshot.files().map(|it| snapshot.size(it).1 as usize).sum();
        let mut mask = 0;
        while lines >> u32::count_ones(mask) > MAX_ANCHORS {
            mask = mask << 1 | 1;
        }
        let earlier = Some(earlier).filter(|it| it.mask == mask);
        let name = snapshot.id().to_owned();
        let anchors_of = |known: &[&FilesByAnchor], files: Vec<FileId>| {
            let known = known.iter().flat_map(|it| &it.files);
            let known: FxHashMap<ContentHash, &Arc<[u32]>> =
                known.map(|it| (it.content, &it.anchors)).collect();
            let file = |file: FileId| {
                let content = snapshot.hash(file);
                let anchors = known.get(&content).map(|it| Arc::clone(it));
                let anchors = anchors.unwrap_or_else(|| anchor_hashes(&snapshot.text(file), mask));
                FileAnchors { path: snapshot.path(file).into(), content, anchors }
            };
            FilesByAnchor::new(files.into_iter().map(file).collect())
        };
        if let Some(earlier) = earlier {
            let (gone, new) = earlier.base.differences(snapshot);
            if gone.len() + new.len() <= MAX_RECENT {
                let base = Arc::clone(&earlier.base);
                let recent = anchors_of(&[&earlier.recent], new);
                return Self { snapshot: name, mask, base, gone, recent };
            }
        }
        let known: Vec<&FilesByAnchor> =
            earlier.iter().flat_map(|it| [&*it.base, &it.recent]).collect();
        let base = Arc::new(anchors_of(&known, snapshot.files().collect()));
        Self { snapshot: name, mask, base, ..Self::default() }
    }

    /// The files with most of a window's anchors, rare anchors weighing more. Sorted by the upper bound of their share.
    pub(super) fn candidates(&self, window: &TextWindow<'_>) -> Vec<Candidate<'_>> {
        let n_base = self.base.files.len() as u32;
        let mut scores: FxHashMap<u32, f64> = FxHashMap::default();
        for hash in window.hashes() {
            let base = self.base.files_with(hash).filter(|it| !self.gone.contains(it));
            let recent = self.recent.files_with(hash).map(|it| n_base + it);
            let files = base.chain(recent);
            let files: Vec<u32> = files.take(MAX_FILES_PER_ANCHOR + 1).collect();
            if files.len() <= MAX_FILES_PER_ANCHOR {
                for file in &files {
                    *scores.entry(*file).or_default() += 1.0 / files.len() as f64;
                }
            }
        }
        let mut scored: Vec<(&FileAnchors, f64)> =
            scores.into_iter().map(|(number, score)| (self.file(number), score)).collect();
        scored.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.path.cmp(&b.0.path)));
        let candidate = |(file, _)| {
            let file: &FileAnchors = file;
            // An anchor left out of the table may be in the file.
            let has = |hash| hash & self.mask != 0 || file.anchors.binary_search(&hash).is_ok();
            Candidate { path: &file.path, max_share: window.max_share(has) }
        };
        let mut res: Vec<Candidate<'_>> =
            scored.into_iter().take(MAX_CANDIDATES).map(candidate).collect();
        sort_by(&mut res, |a, b| b.max_share.total_cmp(&a.max_share));
        res
    }

    /// The file with a number, those of the base first.
    fn file(&self, number: u32) -> &FileAnchors {
        match self.base.files.get(number as usize) {
            Some(file) => file,
            None => &self.recent.files[number as usize - self.base.files.len()],
        }
    }
}

impl FilesByAnchor {
    /// The numbers of files that a snapshot does not have or has with another text, and its files that are not here.
    fn differences(&self, snapshot: &Snapshot) -> (FxHashSet<u32>, Vec<FileId>) {
        let (mut gone, mut new) = (FxHashSet::default(), Vec::new());
        let mut files = snapshot.files().peekable();
        for (number, known) in (0..).zip(&self.files) {
            while let Some(it) = files.next_if(|it| snapshot.path(*it) < &*known.path) {
                new.push(it);
            }
            match files.next_if(|it| snapshot.path(*it).cmp(&known.path) == Ordering::Equal) {
                Some(it) if snapshot.hash(it) == known.content => {}
                other => {
                    gone.insert(number);
                    new.extend(other);
                }
            }
        }
        new.extend(files);
        (gone, new)
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
        match known.snapshot == snapshot.id() {
            true => known,
            false => self.update(root, snapshot, &known),
        }
    }

    fn update(&self, root: &str, snapshot: &Snapshot, known: &AnchorTable) -> Arc<AnchorTable> {
        let table = Arc::new(AnchorTable::new(snapshot, known));
        // A damaged snapshot lacks texts, and the repaired one has the same name.
        if !snapshot.is_damaged() {
            let mut tables = self.lock();
            tables.retain(|it| it.0 != root);
            tables.push((root.to_owned(), Arc::clone(&table)));
        }
        table
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<(String, Arc<AnchorTable>)>> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use foreword_engine::index::IndexConfig;
    use foreword_engine::source::Source;

    use super::*;

    fn snapshot(edit: impl Fn(usize) -> Option<usize>) -> Snapshot {
        let text =
            |it| (0..40).map(|line| format!("value_{it}_{line} = {line}\n")).collect::<String>();
        let files = (0..300).filter_map(|at| {
            let text = text(edit(at)?);
            Some(Source { path: format!("src/file_{at:03}.py"), text })
        });
        Snapshot::of_sources(files.collect(), IndexConfig::default()).unwrap()
    }

    fn found(table: &AnchorTable, of: usize) -> Vec<(String, f64)> {
        let text: String = (3..30).map(|line| format!("value_{of}_{line} = {line}\n")).collect();
        let window = TextWindow::new(&text, 9);
        let pair = |it: Candidate<'_>| (it.path.to_owned(), it.max_share);
        table.candidates(&window).into_iter().map(pair).collect()
    }

    #[test]
    fn a_table_that_follows_some_changes_finds_what_a_new_one_finds() {
        let first = AnchorTable::new(&snapshot(Some), &AnchorTable::default());
        // File 7 has the text of file 8, 8 that of no other, 9 is gone.
        let edited = snapshot(|at| match at {
            7 => Some(8),
            8 => Some(1000),
            9 => None,
            _ => Some(at),
        });
        let after = AnchorTable::new(&edited, &first);
        assert!(Arc::ptr_eq(&after.base, &first.base), "the large table is kept");
        let whole = AnchorTable::new(&edited, &AnchorTable::default());
        for of in [6, 7, 8, 9, 10, 1000] {
            assert_eq!(found(&after, of), found(&whole, of), "{of}");
        }
        assert_eq!(found(&after, 8)[0].0, "src/file_007.py");
        assert_eq!(found(&after, 9), []);
        // Back again, with the small table as its only difference.
        let back = AnchorTable::new(&snapshot(Some), &after);
        assert_eq!(found(&back, 9), found(&first, 9));
    }

    #[test]
    fn many_changes_build_the_table_again() {
        let first = AnchorTable::new(&snapshot(Some), &AnchorTable::default());
        let moved = snapshot(|at| Some(at + 5000));
        let after = AnchorTable::new(&moved, &first);
        assert!(!Arc::ptr_eq(&after.base, &first.base) && after.gone.is_empty());
        assert_eq!(found(&after, 5001)[0].0, "src/file_001.py");
    }
}
