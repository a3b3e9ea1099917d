//! Queries about names and terms: definitions, uses, enumeration.

use fst::automaton::AlwaysMatch;

use super::Snapshot;
use super::segment_view::SegmentView;
use super::types::DefinitionSite;
use crate::index::ids::FileId;
use crate::index::postings::{NameEntry, each_posting};
use crate::index::segment::Segment;

impl Snapshot {
    /// Definitions of `name`, sorted by path and position.
    pub fn definitions(&self, name: &str) -> Vec<DefinitionSite> {
        self.definitions_up_to(name, usize::MAX).unwrap_or_default()
    }

    /// Definitions of `name` if there are at most `most`; otherwise `None`, without reading all.
    pub fn definitions_up_to(&self, name: &str, most: usize) -> Option<Vec<DefinitionSite>> {
        if let Some(partial) = &self.partial {
            return self.partial_definitions(partial, name, most);
        }
        let mut res = Vec::new();
        for view in &self.segments {
            view.each_definition(name, most, &mut res)?;
        }
        res.sort_unstable();
        Some(res)
    }

    /// Files that use `name` with counts, sorted by path.
    pub fn references(&self, name: &str) -> Vec<(FileId, u32)> {
        let mut res = Vec::new();
        let mut views = self.segments.as_slice();
        if let Some(partial) = &self.partial {
            res = partial.sites(name, views).uses;
            views = partial.in_memory(views);
        }
        for view in views {
            let Some(list) = view.segment.name(name) else { continue };
            let entry = view.segment.read_name(&list, NameEntry::read).unwrap_or_default();
            let owned = |(ord, count)| Some((view.owner(ord)?, count));
            res.extend(entry.references.into_iter().filter_map(owned));
        }
        res.sort_unstable();
        res
    }

    /// For each file, whether it contains any of `terms`.
    pub fn files_with(&self, terms: &[String]) -> Vec<bool> {
        match &self.partial {
            Some(partial) => self.partial_files_with(partial, terms),
            None => self.files_in(&self.segments, terms),
        }
    }

    /// For each file, whether it contains any of `terms` in one of `views`.
    pub(super) fn files_in(&self, views: &[SegmentView], terms: &[String]) -> Vec<bool> {
        let mut res = vec![false; self.files.len()];
        for SegmentView { segment, owners, .. } in views {
            for offset in terms.iter().filter_map(|it| segment.offset_of(it)) {
                let bytes = segment.postings_at(offset);
                each_posting(bytes.as_deref().unwrap_or_default(), |(chunk, _)| {
                    let owner = segment.table.file_of(chunk).and_then(|it| owners[it as usize]);
                    owner.into_iter().for_each(|it| res[it.0 as usize] = true);
                });
            }
        }
        res
    }

    /// All names in some segment that `automaton` accepts and `keep` keeps, sorted. `question` identifies these two, among all
    /// that are asked of a snapshot.
    pub fn names_like<A: fst::Automaton + Clone>(
        &self,
        question: &str,
        automaton: &A,
        keep: &dyn Fn(&str) -> bool,
    ) -> Vec<String> {
        let each = |segment: &Segment, found: &mut dyn FnMut(&str)| {
            segment.names_like(automaton.clone(), found);
        };
        self.keys((1, question), automaton.clone(), keep, each)
    }

    /// All terms in some segment that `automaton`, which `question` identifies, accepts, sorted.
    pub fn terms_like<A: fst::Automaton + Clone>(
        &self,
        question: &str,
        automaton: &A,
    ) -> Vec<String> {
        let each = |segment: &Segment, found: &mut dyn FnMut(&str)| {
            segment.terms_like(automaton.clone(), found);
        };
        self.keys((0, question), automaton.clone(), &|_| true, each)
    }

    /// All terms in some segment that `keep`, which `question` identifies, keeps, sorted.
    pub(crate) fn terms_with(&self, question: &str, keep: &dyn Fn(&str) -> bool) -> Vec<String> {
        let each = |segment: &Segment, found: &mut dyn FnMut(&str)| {
            segment.terms_like(AlwaysMatch, found);
        };
        self.keys((0, question), AlwaysMatch, keep, each)
    }

    /// The keys that `each` finds in the segments, sorted, without duplicates. Those elsewhere are terms (0) or names (1).
    fn keys(
        &self,
        which: (usize, &str),
        automaton: impl fst::Automaton,
        keep: &dyn Fn(&str) -> bool,
        each: impl Fn(&Segment, &mut dyn FnMut(&str)),
    ) -> Vec<String> {
        let mut res = Vec::new();
        let mut views = self.segments.as_slice();
        if let Some(partial) = &self.partial {
            res = partial.facts.keys_like(which, automaton, keep);
            views = partial.in_memory(views);
        }
        for view in views {
            each(&view.segment, &mut |it| res.extend(keep(it).then(|| it.to_owned())));
        }
        res.sort_unstable();
        res.dedup();
        res
    }
}
