//! The definitions of a search result that an answer shows. A chunk holds several, and which of them answers is not
//! sure: the right one is among the first two more often than it is the first (`benchmarks/results/ask.md`, "Any piece").

use foreword_chunk::LineIndex;

use super::{DefinitionRanker, Draft, Query, Role, SearchResult, Snapshot, Why};
use super::{definition, widen};
use crate::preset::constants::ask::{
    FURTHER_LINES, LIKELY_DEFINITIONS, LIKELY_LINES, LIKELY_SHARE,
};
use crate::rerank::RerankConfig;

/// Ranks the definitions of search results.
pub(super) struct Definitions<'q> {
    snapshot: &'q Snapshot,
    ranker: DefinitionRanker<'q>,
}

impl<'q> Definitions<'q> {
    pub(super) fn new(snapshot: &'q Snapshot, query: &'q Query, config: &'q RerankConfig) -> Self {
        Self { snapshot, ranker: DefinitionRanker::new(query, snapshot, config) }
    }

    /// The definitions of a result, best first, with how well they answer.
    fn of(&self, draft: &Draft, it: &SearchResult) -> Vec<(u32, f32)> {
        let mut chunks = self.snapshot.chunks(draft.file);
        let chunk = chunks.find(|chunk| self.snapshot.chunk(*chunk).start as usize == it.start);
        chunk.map(|chunk| self.ranker.rank(self.snapshot, chunk, &it.text)).unwrap_or_default()
    }

    /// Extends a piece to the first lines of all definitions of the result that answer about as well.
    pub(super) fn extend(&self, draft: &mut Draft, it: &SearchResult) {
        let ranked = self.of(draft, it);
        let Some(best) = ranked.first().map(|it| it.1) else {
            return widen(self.snapshot, draft, (it.start_line, it.end_line));
        };
        let (text, record) = self.snapshot.contents(draft.file);
        let index = LineIndex::new(text.as_bytes());
        let likely = ranked.iter().filter(|it| it.1 >= LIKELY_SHARE * best);
        for (definition, _) in likely.take(LIKELY_DEFINITIONS) {
            let own = &record.symbols.definitions[*definition as usize];
            let (first, last) = index.lines_of(own.span);
            let last = last.min(first + LIKELY_LINES - 1).min(it.end_line);
            widen(self.snapshot, draft, (first.max(it.start_line), last));
        }
    }

    /// The first lines of the best definition of a result beside that of `draft`.
    pub(super) fn second(&self, draft: &Draft, it: &SearchResult) -> Option<Draft> {
        let ranked = self.of(draft, it);
        let other = ranked.iter().find(|it| Some(it.0) != draft.definition)?.0;
        let why: Vec<Why> = it.reasons.iter().cloned().map(Why::Ranked).collect();
        definition(self.snapshot, (draft.file, other), FURTHER_LINES, Role::Further, why)
    }
}
