//! Branches that questions were answered from, for the next question about the same state.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use foreword_engine::index::{FileId, Partial, Snapshot};
use rustc_hash::FxHashMap;

use crate::layout::{KeyPage, Root};
use crate::read::FactsTable;

/// Most files of a branch whose contents are kept. Each is a segment that every question looks into.
const MOST_READ: usize = 1000;

/// What is known of a state of a branch. All of it is by content, so it holds as long as the branch has that root.
pub(crate) struct KnownBranch {
    pub(crate) repository: String,
    /// Identifies the state.
    pub(crate) root_id: String,
    pub(crate) root: Root,
    pub(crate) snapshot: Snapshot,
    pub(crate) partial: Arc<Partial>,
    /// Documents of its files, and back.
    pub(crate) ids: Vec<String>,
    pub(crate) files: FxHashMap<String, FileId>,
    /// Documents of their precise facts.
    pub(crate) facts: FactsTable,
    /// Pages of the dictionary.
    pub(crate) pages: FxHashMap<String, KeyPage>,
    /// Bytes that were read.
    pub(crate) bytes: usize,
    /// Files whose contents were read.
    pub(crate) n_read: usize,
}

/// Time for which the layout of the index is known.
const LAYOUT_HOLDS: Duration = Duration::from_mins(1);

/// Time for which the names of repositories are known.
const NAMES_HOLD: Duration = Duration::from_secs(10);

/// Known branches that no question is being answered from.
pub(crate) struct KeptBranches {
    most_bytes: usize,
    /// When the layout of the index was checked.
    checked: Mutex<Option<Instant>>,
    /// The names of all repositories, and when they were read.
    names: Mutex<Option<(Instant, Arc<Vec<String>>)>>,
    /// The last was used last. A branch is there once for each question that was answered from it at the same time.
    all: Mutex<Vec<KnownBranch>>,
}

impl KeptBranches {
    pub(crate) fn new(most_bytes: usize) -> Self {
        Self {
            most_bytes,
            checked: Mutex::default(),
            names: Mutex::default(),
            all: Mutex::default(),
        }
    }

    /// Whether the index was there a short while ago, with a layout that can be read.
    pub(crate) fn has_index(&self) -> bool {
        lock(&self.checked).is_some_and(|it| it.elapsed() < LAYOUT_HOLDS)
    }

    pub(crate) fn index_is_there(&self) {
        *lock(&self.checked) = Some(Instant::now());
    }

    /// The names of all repositories, if they were read a short while ago.
    pub(crate) fn names(&self) -> Option<Arc<Vec<String>>> {
        let names = lock(&self.names);
        let known = names.as_ref().filter(|it| it.0.elapsed() < NAMES_HOLD);
        known.map(|it| Arc::clone(&it.1))
    }

    pub(crate) fn put_names(&self, names: &Arc<Vec<String>>) {
        *lock(&self.names) = Some((Instant::now(), Arc::clone(names)));
    }

    /// Takes out a branch in a state.
    pub(crate) fn take(&self, repository: &str, root_id: &str) -> Option<KnownBranch> {
        let mut all = lock(&self.all);
        let at = all.iter().rposition(|it| it.repository == repository && it.root_id == root_id)?;
        Some(all.remove(at))
    }

    /// Keeps a branch, and forgets those that were not used for longest until all fit.
    pub(crate) fn put(&self, it: KnownBranch) {
        if it.n_read > MOST_READ || it.bytes > self.most_bytes {
            return;
        }
        it.partial.forget_questions();
        // Decoded texts and records take tens of megabytes a branch, which `bytes` does not count.
        let it = KnownBranch { snapshot: it.snapshot.without_decoded(), ..it };
        let mut all = lock(&self.all);
        all.push(it);
        let mut left = self.most_bytes;
        let fits = all.iter().rev().take_while(|it| {
            let fits = it.bytes <= left;
            left = left.saturating_sub(it.bytes);
            fits
        });
        let n = fits.count();
        let n_forgotten = all.len() - n;
        all.drain(..n_forgotten);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
