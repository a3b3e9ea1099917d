//! Snapshots whose contents are elsewhere ([`Partial`]): what a query misses is written down.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use super::changed::PartialView;
use super::types::DefinitionSite;
use super::{SegmentView, Snapshot};
use crate::index::ids::{FileId, FileLocation};
use crate::index::partial::{FactsOf, LONG_NAMES, LexicalQuery, NameSites, Partial};
use crate::index::segment::{MergeInput, Segment, merge};

impl Snapshot {
    pub(in crate::index) fn with_partial(self, partial: Arc<Partial>) -> Self {
        Self { partial: Some(PartialView::new(partial)), ..self }
    }

    /// Facts about the whole repository; `None` if all contents are here.
    pub fn partial(&self) -> Option<&Partial> {
        self.partial.as_ref().map(|it| &*it.facts)
    }

    /// Whether an answer from it is preliminary: it lacks something that was asked for and that its owner gets now.
    pub fn is_preliminary(&self) -> bool {
        self.partial().is_some_and(Partial::has_needs)
    }

    /// Whether something is known precisely of names in some file.
    pub fn has_facts(&self) -> bool {
        match self.partial() {
            Some(it) => it.is_described(),
            None => !self.facts().is_empty(),
        }
    }

    /// Writes down which precise facts an answer needs, if they are elsewhere.
    pub fn need_facts(&self, of: FactsOf<'_>) {
        self.partial().into_iter().for_each(|it| it.need_precise(of));
    }

    /// This snapshot, with the contents of these files in segments of their own.
    pub(in crate::index) fn with_segments_of(
        &self,
        contents: &HashMap<FileId, Arc<Segment>>,
    ) -> Self {
        let (mut segments, mut files) = (self.segments(), self.files.clone());
        for (file, segment) in (0..).map(FileId).zip(&mut files) {
            if let Some(it) = contents.get(&file) {
                segment.location = FileLocation { segment: segments.len() as u32, ord: 0 };
                segments.push(Arc::clone(it));
            }
        }
        let mut res = Self::of_files(segments, files, self.config);
        res.inherit(self);
        res.partial.clone_from(&self.partial);
        res.path_names = Arc::clone(&self.path_names);
        res
    }

    /// This snapshot with all contents in one segment beside those in memory, for work that asks about every name. `None` if
    /// contents are elsewhere, which is written down, or damaged.
    pub fn whole(&self) -> Option<Self> {
        let absent: Vec<FileId> = self.files().filter(|it| self.lacks(*it)).collect();
        if !absent.is_empty() {
            return None;
        }
        let in_memory = self.partial.as_ref().map_or(&[][..], |it| it.in_memory(&self.segments));
        let n_read = self.segments.len() - in_memory.len();
        let segments = self.segments();
        let keep = |it: &SegmentView| it.owners.iter().map(Option::is_some).collect();
        let inputs = segments[..n_read].iter().zip(&self.segments);
        let inputs: Vec<MergeInput<'_>> =
            inputs.map(|(segment, view)| MergeInput { segment, keep: keep(view) }).collect();
        // The crate of the key maps panics on some damaged maps.
        let merged = catch_unwind(AssertUnwindSafe(|| merge(&inputs, self.config.fingerprint())));
        let (bytes, origins) = merged.ok()??;
        let mut files = self.files.clone();
        for it in files.iter_mut().filter(|it| it.location.segment as usize >= n_read) {
            it.location.segment = it.location.segment + 1 - n_read as u32;
        }
        for (ord, (input, from)) in (0..).zip(origins) {
            let file = self.segments[input].owner(from)?;
            files[file.0 as usize].location = FileLocation { segment: 0, ord };
        }
        let merged = Arc::new(Segment::of_memory(bytes, &self.config).ok()?);
        let segments = std::iter::once(merged).chain(segments.into_iter().skip(n_read));
        let mut res = Self::of_files(segments.collect(), files, self.config);
        res.inherit(self);
        res.path_names = Arc::clone(&self.path_names);
        Some(res)
    }

    /// Whether the contents of a file are elsewhere, which is written down.
    pub(in crate::index) fn lacks(&self, file: FileId) -> bool {
        let Some(partial) = &self.partial else { return false };
        let res = self.is_absent(file);
        if res {
            partial.base_of(file).into_iter().for_each(|it| partial.facts.need_file(it));
        }
        res
    }

    /// Writes down that the contents of a file are needed, if they are elsewhere.
    pub(super) fn need_contents(&self, file: FileId) {
        let _ = self.lacks(file);
    }

    fn is_absent(&self, file: FileId) -> bool {
        let (segment, ord) = self.locate(file);
        !segment.has_contents(ord)
    }

    /// Number of chunks that contain a term, where contents are elsewhere; `None` where they are here, to be counted.
    pub(in crate::index) fn known_frequency(&self, term: &str) -> Option<u32> {
        self.partial.as_ref().map(|it| it.frequency(term, &self.segments))
    }

    /// Writes down which files the best chunks for a query may be in beside those found, with scores from `least` on.
    pub(in crate::index) fn need_best(
        &self,
        query: Option<&LexicalQuery>,
        keep: Option<&dyn Fn(FileId) -> bool>,
        least: f32,
    ) {
        let (Some(partial), Some(query)) = (&self.partial, query) else { return };
        let is_absent = |base| {
            let file = partial.file_of(base)?;
            let is_kept = keep.is_none_or(|keep| keep(file));
            is_kept.then(|| self.is_absent(file))
        };
        partial.facts.need_best(query, is_absent, least);
    }

    /// Definitions of a name if there are at most `most`, by the files that are known to have them.
    pub(super) fn partial_definitions(
        &self,
        partial: &PartialView,
        name: &str,
        most: usize,
    ) -> Option<Vec<DefinitionSite>> {
        let NameSites { definitions, defined_in, .. } = partial.sites(name, &self.segments);
        let mut res = Vec::new();
        for view in partial.in_memory(&self.segments) {
            view.each_definition(name, most, &mut res)?;
        }
        if definitions as usize + res.len() > most {
            return None;
        }
        for file in defined_in.into_iter().filter(|it| !self.lacks(*it)) {
            let view = &self.segments[self.files[file.0 as usize].location.segment as usize];
            // Without a limit, all of them are read.
            let _ = view.each_definition(name, usize::MAX, &mut res);
        }
        res.sort_unstable();
        Some(res)
    }

    /// For each file, whether it is known to contain any of `terms`.
    pub(super) fn partial_files_with(&self, partial: &PartialView, terms: &[String]) -> Vec<bool> {
        let mut res = self.files_in(partial.in_memory(&self.segments), terms);
        let found = terms.iter().flat_map(|it| partial.facts.files_of(it));
        let here = found.filter_map(|it| partial.file_of(it));
        here.for_each(|it| res[it.0 as usize] = true);
        res
    }

    /// For each file, whether it is known to have a name that is too long to be a term; texts in memory count as if they had one.
    pub(crate) fn has_long_names(&self) -> Vec<bool> {
        let Some(partial) = &self.partial else { return vec![true; self.files.len()] };
        let mut res: Vec<bool> = self.files().map(|it| partial.base_of(it).is_none()).collect();
        let found = partial.facts.files_of(LONG_NAMES);
        let here = found.into_iter().filter_map(|it| partial.file_of(it));
        here.for_each(|it| res[it.0 as usize] = true);
        res
    }

    /// Writes down that further files with a term are needed.
    pub(in crate::index) fn need_files_with(&self, term: &str) {
        let Some(partial) = &self.partial else { return };
        let is_absent = |base| partial.file_of(base).map(|it| self.is_absent(it));
        partial.facts.need_files_of(term, is_absent);
    }
}
