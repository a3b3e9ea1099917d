//! Texts in memory over a snapshot whose contents are elsewhere: what they change of the facts about all files.

use std::collections::HashMap;
use std::sync::Arc;

use super::{SegmentView, Snapshot};
use crate::index::ids::{FileId, FileLocation};
use crate::index::partial::{NameSites, Partial};
use crate::index::postings::NameEntry;
use crate::index::segment::Segment;

/// Facts about a repository, and the files that differ from those that they are about.
#[derive(Clone)]
pub(super) struct PartialView {
    pub(super) facts: Arc<Partial>,
    /// `None` if no file differs.
    changed: Option<Arc<ChangedFiles>>,
}

/// Files of a snapshot beside those that its facts are about, the *base*.
struct ChangedFiles {
    /// For each file here, that of the base; `None` for a text in memory.
    bases: Vec<Option<FileId>>,
    /// For each file of the base, that here; `None` for a file that was replaced or removed.
    files: Vec<Option<FileId>>,
    /// Files of the base that are not here, where they are stored.
    gone: Vec<(FileId, FileLocation)>,
    /// The first segment of texts in memory.
    first_segment: usize,
}

impl PartialView {
    pub(super) fn new(facts: Arc<Partial>) -> Self {
        Self { facts, changed: None }
    }

    /// The view of `after`, which was made from `before` by changing files.
    pub(super) fn after(&self, before: &Snapshot, after: &Snapshot) -> Self {
        let n_base = self.changed.as_ref().map_or(before.files.len(), |it| it.files.len());
        let mut base_of: HashMap<FileLocation, FileId> = HashMap::new();
        for (file, it) in (0..).map(FileId).zip(&before.files) {
            base_of.extend(self.base_of(file).map(|base| (it.location, base)));
        }
        let gone = self.changed.iter().flat_map(|it| &it.gone);
        base_of.extend(gone.map(|(base, location)| (*location, *base)));
        let mut files = vec![None; n_base];
        let mut bases = Vec::with_capacity(after.files.len());
        for (file, it) in (0..).map(FileId).zip(&after.files) {
            let base = base_of.remove(&it.location);
            base.into_iter().for_each(|it| files[it.0 as usize] = Some(file));
            bases.push(base);
        }
        let mut gone: Vec<(FileId, FileLocation)> =
            base_of.into_iter().map(|(location, base)| (base, location)).collect();
        gone.sort_unstable_by_key(|it| it.0);
        let first = self.changed.as_ref().map(|it| it.first_segment);
        let first_segment = first.unwrap_or(before.segments.len());
        let changed = Arc::new(ChangedFiles { bases, files, gone, first_segment });
        Self { facts: Arc::clone(&self.facts), changed: Some(changed) }
    }

    /// The file of the base; `None` for a text in memory.
    pub(super) fn base_of(&self, file: FileId) -> Option<FileId> {
        let Some(changed) = &self.changed else { return Some(file) };
        changed.bases.get(file.0 as usize).copied().flatten()
    }

    /// The file here; `None` if it was replaced or removed.
    pub(super) fn file_of(&self, base: FileId) -> Option<FileId> {
        let Some(changed) = &self.changed else { return Some(base) };
        changed.files.get(base.0 as usize).copied().flatten()
    }

    /// The segments of texts in memory.
    pub(super) fn in_memory<'s>(&self, segments: &'s [SegmentView]) -> &'s [SegmentView] {
        let first = self.changed.as_ref().map_or(segments.len(), |it| it.first_segment);
        &segments[first.min(segments.len())..]
    }

    /// Number of chunks that contain a term.
    pub(super) fn frequency(&self, term: &str, segments: &[SegmentView]) -> u32 {
        let count = |it: &SegmentView| it.frequency(it.segment.offset_of(term));
        let added: u32 = self.in_memory(segments).iter().map(count).sum();
        let gone: u32 =
            self.gone(segments).filter_map(|it| Some(it.postings_len(it.offset_of(term)?))).sum();
        (self.facts.frequency(term) + added).saturating_sub(gone)
    }

    /// Where a name occurs in files of the base that are here, as files of this snapshot.
    pub(super) fn sites(&self, name: &str, segments: &[SegmentView]) -> NameSites {
        let mut res = self.facts.sites(name);
        let defined = self
            .gone(segments)
            .filter_map(|it| Some(NameEntry::n_definitions_in(&it.name(name)?) as u32));
        res.definitions = res.definitions.saturating_sub(defined.sum());
        res.defined_in = res.defined_in.into_iter().filter_map(|it| self.file_of(it)).collect();
        let uses = res.uses.into_iter();
        res.uses = uses.filter_map(|(it, count)| Some((self.file_of(it)?, count))).collect();
        res
    }

    /// The segments of files of the base that are not here any more; one that is elsewhere is asked for.
    fn gone<'s>(&'s self, segments: &'s [SegmentView]) -> impl Iterator<Item = &'s Segment> {
        let gone = self.changed.iter().flat_map(|it| &it.gone);
        gone.filter_map(|(base, location)| {
            let segment = &segments[location.segment as usize].segment;
            if segment.has_contents(location.ord) {
                return Some(&**segment);
            }
            self.facts.need_file(*base);
            None
        })
    }
}
