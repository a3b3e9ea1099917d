//! The signal `dense`: chunks similar in meaning, whatever their words.

use super::inputs::Inputs;
use super::list::Hit;
use super::question::Meanings;
use crate::evidence::Reason;
use crate::index::bm25::ScoredChunk;

/// Returns the chunks nearest to the question. A score is the cosine minus the lowest on the list, because any two
/// texts have some similarity. Names are matched by their letters, not by meaning.
pub(super) fn dense(inputs: &Inputs<'_>, meanings: Meanings<'_>) -> Vec<Hit> {
    let Inputs { snapshot, query, keep, limit, .. } = *inputs;
    if query.is_symbol {
        return Vec::new();
    }
    let found = snapshot.nearest(meanings.question, meanings.chunks, keep, limit);
    // A list that is not full contains all chunks with any similarity.
    let least = found.last().filter(|_| found.len() == limit).map_or(0.0, |it| it.score);
    let hit = |it: &ScoredChunk| Hit {
        chunk: it.chunk,
        definition: None,
        score: it.score - least,
        reason: Reason::Meaning { likeness: it.score },
    };
    found.iter().map(hit).filter(|it| it.score > 0.0).collect()
}
