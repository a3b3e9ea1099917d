//! Selects the files to read for a view.

use std::collections::HashMap;

use foreword_engine::index::SkippedFile;

use super::committed::CommittedView;
use super::deferred::is_due;
use crate::analyzer::Analyzer;
use crate::stamp::{Stamp, proves_unchanged};
use crate::walk::{FileEntry, Walk};

/// The work for a view.
pub(super) struct Plan<'w> {
    /// Files proven unchanged: their places in the manifest.
    pub(super) unchanged: Vec<usize>,
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
        // Both are sorted by path.
        let mut stored = manifest.files.iter().enumerate().peekable();
        let mut known = 0;
        for file in &walk.files {
            let proves = |stamp: &Stamp, at: i64| {
                has_same_limits && proves_unchanged(&file.stamp, stamp, at)
            };
            while stored.next_if(|it| it.1.path < file.path).is_some() {}
            let indexed = stored.next_if(|it| it.1.path == file.path);
            known += usize::from(indexed.is_some());
            match indexed {
                Some((at, it)) if proves(&it.stamp, it.recorded_at_ns) && !is_due(it) => {
                    res.unchanged.push(at);
                }
                None => match skipped.get(file.path.as_str()) {
                    Some(it) if proves(&it.stamp, it.recorded_at_ns) => {
                        res.still_skipped.push((*it).clone());
                    }
                    _ => res.to_read.push(file),
                },
                Some(_) => res.to_read.push(file),
            }
        }
        res.removed = manifest.files.len() - known;
        res
    }

    pub(super) fn is_empty(&self) -> bool {
        self.to_read.is_empty() && self.removed == 0
    }
}
