//! The files on disk beside a snapshot that was not made from them: what differs.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use foreword_engine::index::{
    AnalyzedFile, CUSTOMISATION_FOLDER, FileLocation, IndexedFile, PackedFile, Snapshot,
};
use foreword_engine::source::ContentHash;
use rayon::prelude::*;

use crate::error::LoadError;
use crate::stamp::now_ns;
use crate::text::{Limits, read};
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
        let root = workspace.open()?;
        let listed = walk(&workspace.root, config)?;
        let n_different = AtomicUsize::new(0);
        let known = |path: &str| snapshot.file(path).map(|it| snapshot.hash(it));
        let read = |entry: &FileEntry| {
            let recorded_at_ns = now_ns();
            let text = read(&root, entry, limits).ok()?;
            let hash = ContentHash::of(text.text.as_bytes());
            let is_different = known(&entry.path) != Some(hash)
                && n_different.fetch_add(1, Ordering::Relaxed) < MAX_DIFFERENT;
            let analyse =
                || AnalyzedFile::new(entry.path.clone(), text.text, &snapshot.config().chunk);
            let packed = is_different.then(|| Arc::new(PackedFile::plain(analyse())));
            let file = IndexedFile {
                path: entry.path.clone(),
                stamp: text.stamp,
                recorded_at_ns,
                hash,
                location: FileLocation { segment: 0, ord: 0 },
                masked: text.masked,
            };
            Some((file, packed))
        };
        let found: Vec<(IndexedFile, Option<Arc<PackedFile>>)> =
            listed.files.par_iter().filter_map(read).collect();
        if n_different.into_inner() > MAX_DIFFERENT {
            return Err(WorkingCopyError::TooDifferent { most: MAX_DIFFERENT });
        }
        let mut different: BTreeMap<String, Option<Arc<PackedFile>>> = found
            .iter()
            .filter_map(|(file, packed)| Some((file.path.clone(), Some(packed.clone()?))))
            .collect();
        let files: Vec<IndexedFile> = found.into_iter().map(|it| it.0).collect();
        let here: HashSet<&str> = files.iter().map(|it| it.path.as_str()).collect();
        let theirs = snapshot.files().map(|it| snapshot.path(it));
        let gone = theirs.filter(|it| !here.contains(it) && !it.starts_with(CUSTOMISATION_FOLDER));
        different.extend(gone.map(|it| (it.to_owned(), None)));
        Ok(Self { files, different })
    }
}
