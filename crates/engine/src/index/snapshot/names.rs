//! Queries about names and terms: definitions, uses, enumeration.

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
        if let Some(partial) = &self.partial {
            return partial.sites(name).uses;
        }
        let mut res = Vec::new();
        for view in &self.segments {
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
        let mut res = vec![false; self.files.len()];
        if let Some(partial) = &self.partial {
            let found = terms.iter().flat_map(|it| partial.files_of(it));
            found.for_each(|it| res[it.0 as usize] = true);
            return res;
        }
        for SegmentView { segment, owners, .. } in &self.segments {
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

    /// All names in some segment that `automaton` accepts, sorted.
    pub fn names_like<A: fst::Automaton + Clone>(&self, automaton: &A) -> Vec<String> {
        if let Some(partial) = &self.partial {
            return partial.keys_like(1, automaton.clone());
        }
        self.keys(|segment, found| segment.names_like(automaton.clone(), found))
    }

    /// All terms in some segment that `automaton` accepts, sorted.
    pub fn terms_like<A: fst::Automaton + Clone>(&self, automaton: &A) -> Vec<String> {
        if let Some(partial) = &self.partial {
            return partial.keys_like(0, automaton.clone());
        }
        self.keys(|segment, found| segment.terms_like(automaton.clone(), found))
    }

    /// The keys that `each` finds in the segments, sorted, without duplicates.
    fn keys(&self, each: impl Fn(&Segment, &mut dyn FnMut(&str))) -> Vec<String> {
        let mut res = Vec::new();
        for view in &self.segments {
            each(&view.segment, &mut |it| res.push(it.to_owned()));
        }
        res.sort_unstable();
        res.dedup();
        res
    }
}
