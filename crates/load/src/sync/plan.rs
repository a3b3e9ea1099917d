//! Selects the files to read for a view.

use std::collections::HashMap;

use foreword_engine::index::{IndexedFile, SkippedFile};

use super::committed::CommittedView;
use super::deferred::is_due;
use crate::analyzer::Analyzer;
use crate::stamp::{Stamp, proves_unchanged};
use crate::walk::{FileEntry, Walk};

/// The work for a view.
pub(super) struct Plan<'w> {
    /// Files proven unchanged.
    pub(super) unchanged: Vec<IndexedFile>,
    /// Skipped files proven unchanged.
    pub(super) still_skipped: Vec<SkippedFile>,
    pub(super) to_read: Vec<&'w FileEntry>,
    /// Number of files that no longer exist.
    pub(super) removed: usize,
}

impl<'w> Plan<'w> {
    pub(super) fn new(
        committed: &CommittedView,
        walk: &'w Walk,
        reading: &str,
        analyzer: &Analyzer,
    ) -> Self {
        let manifest = &committed.manifest;
        let is_due = |it| is_due(committed, it, analyzer);
        let mut res = Self {
            unchanged: Vec::new(),
            still_skipped: Vec::new(),
            to_read: Vec::new(),
            removed: 0,
        };
        let has_same_limits = manifest.reading == reading;
        let skipped = manifest.skipped.iter();
        let skipped: HashMap<&str, &SkippedFile> =
            skipped.map(|it| (it.path.as_str(), it)).collect();
        let mut known = 0;
        for file in &walk.files {
            let proves = |stamp: &Stamp, at: i64| {
                has_same_limits && proves_unchanged(&file.stamp, stamp, at)
            };
            match (manifest.file(&file.path), skipped.get(file.path.as_str())) {
                (Some(it), _) if proves(&it.stamp, it.recorded_at_ns) && !is_due(it) => {
                    known += 1;
                    res.unchanged.push(it.clone());
                }
                (None, Some(it)) if proves(&it.stamp, it.recorded_at_ns) => {
                    res.still_skipped.push((*it).clone());
                }
                (indexed, _) => {
                    known += usize::from(indexed.is_some());
                    res.to_read.push(file);
                }
            }
        }
        res.removed = manifest.files.len() - known;
        res
    }

    pub(super) fn is_empty(&self) -> bool {
        self.to_read.is_empty() && self.removed == 0
    }
}
