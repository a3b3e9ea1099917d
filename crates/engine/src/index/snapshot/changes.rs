//! Derives snapshots by applying changes in memory.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::third_party::is_evidence;
use super::types::Change;
use super::{File, PathEntry, Snapshot};
use crate::index::analyze::AnalyzedFile;
use crate::index::config::IndexConfig;
use crate::index::ids::FileLocation;
use crate::index::segment::{PackedFile, Segment, SegmentBuilder, SegmentError};
use crate::source::Source;

impl Snapshot {
    /// A snapshot in memory of these sources only.
    pub fn of_sources(sources: Vec<Source>, config: IndexConfig) -> Result<Self, SegmentError> {
        Self::empty(config).with_changes(sources.into_iter().map(Change::Write).collect())
    }

    /// This snapshot with `changes` applied in order, with the new texts in memory.
    pub fn with_changes(&self, changes: Vec<Change>) -> Result<Self, SegmentError> {
        let last = changes.into_iter().map(|it| match it {
            Change::Write(source) => (source.path, Some(source.text)),
            Change::Remove(path) => (path, None),
        });
        // The last change of a path wins. Paths are sorted, so that the result does not depend on hashes.
        let last: BTreeMap<String, Option<String>> = last.collect();
        let analysed = |(path, text): (String, Option<String>)| {
            let analyse = |it| AnalyzedFile::new(path.clone(), it, &self.config.chunk);
            let packed = text.map(|it| Arc::new(PackedFile::new(analyse(it))));
            (path, packed)
        };
        self.with_packed(&last.into_iter().map(analysed).collect())
    }

    /// Takes what does not depend on the files.
    pub(super) fn inherit(&mut self, other: &Self) {
        self.complete = other.complete;
        self.caches = Arc::clone(&other.caches);
        self.diff = Arc::clone(&other.diff);
        self.facts.clone_from(&other.facts);
    }

    /// This snapshot with analysed files, by path; `None` removes a file.
    pub fn with_packed(
        &self,
        last: &BTreeMap<String, Option<Arc<PackedFile>>>,
    ) -> Result<Self, SegmentError> {
        let mut segments: Vec<Arc<Segment>> =
            self.segments.iter().map(|it| Arc::clone(&it.segment)).collect();
        let mut builder = SegmentBuilder::new(&self.config);
        let mut written = Vec::new();
        for (path, packed) in last {
            let Some(packed) = packed else { continue };
            let location =
                FileLocation { segment: segments.len() as u32, ord: written.len() as u32 };
            written.push(File { path: PathEntry::new(path), hash: packed.hash(), location });
            builder.add(packed);
        }
        if !written.is_empty() {
            segments.push(Arc::new(builder.finish_in_memory(&self.config)?));
        }
        let is_same =
            |(path, packed): (&String, &Option<_>)| packed.is_some() && self.file(path).is_some();
        let same_paths = last.iter().all(is_same);
        let mut files = self.all_files();
        if same_paths {
            for it in written {
                let at = files.partition_point(|other| other.path() < it.path());
                files[at] = it;
            }
        } else {
            files.retain(|it| !last.contains_key(it.path()));
            files.extend(written);
            files.sort_by(|a, b| a.path().cmp(b.path()));
        }
        let mut res = Self::of_parts(segments, files, self.config);
        res.inherit(self);
        if same_paths {
            res.path_names = Arc::clone(&self.path_names);
            if !last.keys().any(|it| is_evidence(it)) {
                res.third_party = Arc::clone(&self.third_party);
            }
        }
        Ok(res)
    }

    /// This snapshot with what an earlier one of the same repository has computed or decoded and is the same here, so that
    /// the first answer after a change is as fast as others.
    #[must_use]
    pub fn with_known_of(mut self, earlier: &Self) -> Self {
        if earlier.is_damaged() || earlier.config != self.config {
            return self;
        }
        self.caches = Arc::clone(&earlier.caches);
        let mut known = earlier.files.iter().peekable();
        let (mut same_paths, mut same_evidence) = (self.files.len() == earlier.files.len(), true);
        for file in &mut self.files {
            while known.next_if(|it| it.path() < file.path()).is_some() {}
            match known.next_if(|it| it.path() == file.path()) {
                Some(it) if it.hash == file.hash => file.path = Arc::clone(&it.path),
                Some(_) => same_evidence &= !is_evidence(file.path()),
                None => same_paths = false,
            }
        }
        if same_paths {
            self.path_names = Arc::clone(&earlier.path_names);
        }
        if same_paths && same_evidence {
            self.third_party = Arc::clone(&earlier.third_party);
        }
        self
    }

    /// Its files and those of the customisation, sorted by path.
    fn all_files(&self) -> Vec<File> {
        let mut res = self.files.clone();
        if !self.customisation.is_empty() {
            res.extend(self.customisation.iter().cloned());
            res.sort_by(|a, b| a.path().cmp(b.path()));
        }
        res
    }
}
