//! The files on disk beside a snapshot that was not made from them: what differs.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use foreword_engine::index::{AnalyzedFile, FileLocation, IndexedFile, PackedFile, Snapshot};
use foreword_engine::source::ContentHash;
use rayon::prelude::*;

use super::indexer::STACK;
use crate::error::LoadError;
use crate::root::Root;
use crate::stamp::now_ns;
use crate::text::{Limits, read};
use crate::threads;
use crate::walk::{FileEntry, WalkConfig, walk};
use crate::workspace::Workspace;

/// Maximum number of differing files. They are parsed for each answer, so a copy that differs more should be indexed.
const MAX_DIFFERENT: usize = 2000;

/// The files of a workspace, and which of them differ from a snapshot.
#[derive(Default)]
pub struct WorkingCopy {
    /// All files, with places in no segment.
    pub files: Vec<IndexedFile>,
    /// Differing files by path; `None` for those that are not on disk.
    pub different: BTreeMap<String, Option<Arc<PackedFile>>>,
}

/// Why a working copy cannot be compared.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WorkingCopyError {
    /// The files cannot be listed.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// Too many files differ.
    #[error("more than {most} files on disk differ from what is there")]
    TooDifferent {
        /// Maximum number of differing files.
        most: usize,
    },
}

impl WorkingCopy {
    /// Reads all files and analyses those that `snapshot` has with another text or not at all. Its own files that are not on
    /// disk count as removed, files without usable text as not being there.
    pub fn read(
        workspace: &Workspace,
        config: &WalkConfig,
        limits: &Limits,
        snapshot: &Snapshot,
    ) -> Result<Self, WorkingCopyError> {
        let comparison = Comparison {
            root: workspace.open()?,
            limits,
            snapshot,
            n_different: AtomicUsize::new(0),
        };
        let listed = walk(&workspace.root, config)?;
        let pool = threads::pool(0, STACK).map_err(|source| LoadError::Threads { source })?;
        let read = |it| comparison.read(it);
        let found: Vec<ReadFile> =
            pool.install(|| listed.files.par_iter().filter_map(read).collect());
        if comparison.n_different.into_inner() > MAX_DIFFERENT {
            return Err(WorkingCopyError::TooDifferent { most: MAX_DIFFERENT });
        }
        let (mut files, mut different) = (Vec::new(), BTreeMap::new());
        for (file, packed) in found {
            different.extend(packed.map(|it| (file.path.clone(), Some(it))));
            files.push(file);
        }
        let here: HashSet<&str> = files.iter().map(|it: &IndexedFile| it.path.as_str()).collect();
        let theirs = snapshot.files().map(|it| snapshot.path(it));
        let gone = theirs.filter(|it| !here.contains(it));
        different.extend(gone.map(|it| (it.to_owned(), None)));
        Ok(Self { files, different })
    }
}

/// A file on disk, with its analysis if it differs.
type ReadFile = (IndexedFile, Option<Arc<PackedFile>>);

/// Compares files with a snapshot.
struct Comparison<'a> {
    root: Root,
    limits: &'a Limits,
    snapshot: &'a Snapshot,
    n_different: AtomicUsize,
}

impl Comparison<'_> {
    /// Reads a file; `None` if it has no usable text.
    fn read(&self, entry: &FileEntry) -> Option<ReadFile> {
        let recorded_at_ns = now_ns();
        let text = read(&self.root, entry, self.limits).ok()?;
        let (snapshot, path) = (self.snapshot, entry.path.clone());
        let hash = ContentHash::of(text.text.as_bytes());
        let is_known = snapshot.file(&path).is_some_and(|it| snapshot.hash(it) == hash);
        let is_different =
            !is_known && self.n_different.fetch_add(1, Ordering::Relaxed) < MAX_DIFFERENT;
        let analyse = || AnalyzedFile::new(path.clone(), text.text, &snapshot.config().chunk);
        let packed = is_different.then(|| Arc::new(PackedFile::plain(analyse())));
        let (location, masked) = (FileLocation { segment: 0, ord: 0 }, text.masked);
        let stamp = text.stamp;
        Some((IndexedFile { path, stamp, recorded_at_ns, hash, location, masked }, packed))
    }
}
