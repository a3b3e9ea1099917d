//! The files of a store, and stores of other versions beside it.
//!
//! ```text
//! CACHEDIR.TAG            marks the directory for backup programs and our own walk
//! v5.2.2/                 the store of one version of foreword
//!   writer.lock           locked by the kernel while a process writes
//!   segments/ID.segment   immutable, named by their checksum, shared by all views
//!   views/KEY.manifest    replaced as a whole
//!   precise/facts         what compilers said of names, by path and text (`precise`); it may be missing
//!   walks/KEY.walk        what the last walk of the view depended on; it may be missing
//! ```
//!
//! Each installed version of foreword has its own directory and does not touch the files of others. Versions before
//! v5.2.2 wrote `segments` and `views` directly into the workspace's directory; these are also left alone.
#![expect(clippy::disallowed_methods, reason = "the index directory is the engine's own")]

use std::fs::DirEntry;
use std::path::{Path, PathBuf};

/// Folder of the segments.
const SEGMENTS: &str = "segments";

/// Folder of the manifests.
const VIEWS: &str = "views";

/// Folder of the records of walks.
const WALKS: &str = "walks";

/// Folder of precise facts.
const PRECISE: &str = "precise";

/// The end of a walk record's name.
pub(super) const WALK: &str = ".walk";

/// The end of a manifest's name.
pub(super) const MANIFEST: &str = ".manifest";

/// Content of `CACHEDIR.TAG` in a workspace's directory. The first line is the signature of the cache directory
/// convention (<https://bford.info/cachedir/>), which excludes a directory from backups.
pub const INDEX_TAG: &str = "Signature: 8a477f597d28d172789f06886806bc55\n\
# This directory holds an index of foreword, which can be made again at any time.\n";

/// Paths of a store.
#[derive(Clone, Debug)]
pub(super) struct StoreDirectory {
    /// The workspace's directory, with the stores of all versions.
    pub(super) workspace: PathBuf,
    /// The directory of this version.
    pub(super) root: PathBuf,
}

impl StoreDirectory {
    pub(super) fn new(workspace: PathBuf, version: &str) -> Self {
        Self { root: workspace.join(version), workspace }
    }

    pub(super) fn segments(&self) -> PathBuf {
        self.root.join(SEGMENTS)
    }

    pub(super) fn views(&self) -> PathBuf {
        self.root.join(VIEWS)
    }

    pub(super) fn walks(&self) -> PathBuf {
        self.root.join(WALKS)
    }

    pub(super) fn lock(&self) -> PathBuf {
        self.root.join("writer.lock")
    }

    /// Path of the tag file.
    pub(super) fn tag(&self) -> PathBuf {
        self.workspace.join("CACHEDIR.TAG")
    }

    /// Bytes of all files of the store.
    pub(super) fn size(&self) -> u64 {
        store_size(&self.root)
    }

    /// The stores of other versions, by path.
    pub(super) fn others(&self) -> Vec<OtherStore> {
        let is_store = |it: &PathBuf| it.join(SEGMENTS).is_dir() || it.join(VIEWS).is_dir();
        let versions = entries(&self.workspace).map(|it| it.path());
        let mut paths: Vec<PathBuf> = versions.filter(|it| *it != self.root).collect();
        paths.push(self.workspace.clone());
        paths.retain(is_store);
        paths.sort();
        paths.into_iter().map(|path| OtherStore { bytes: store_size(&path), path }).collect()
    }
}

/// A store of another version of foreword for the same workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherStore {
    /// Its directory, with `segments` and `views`.
    pub path: PathBuf,
    /// Bytes of its segments and manifests.
    pub bytes: u64,
}

fn store_size(root: &Path) -> u64 {
    let files =
        [SEGMENTS, VIEWS, WALKS, PRECISE].into_iter().flat_map(|it| entries(&root.join(it)));
    files.filter_map(|it| it.metadata().ok()).map(|it| it.len()).sum()
}

/// The entries of a directory; empty if it cannot be read.
pub(super) fn entries(dir: &Path) -> impl Iterator<Item = DirEntry> + use<> {
    let entries = std::fs::read_dir(dir).into_iter().flatten();
    entries.filter_map(Result::ok)
}
