//! Chunks that mean what a question says, whatever words they have.

use super::inputs::Inputs;
use super::list::Hit;
use super::question::Meanings;
use crate::evidence::Reason;
use crate::index::bm25::ScoredChunk;

/// The chunks nearest to the question. A score is the part of the cosine that is above the least on the list, so that
/// margins count and not the cosine that any two texts have. A name is looked for by its letters, not by its meaning.
pub(super) fn dense(inputs: &Inputs<'_>, meanings: Meanings<'_>) -> Vec<Hit> {
    let Inputs { snapshot, query, keep, limit, .. } = *inputs;
    if query.is_symbol {
        return Vec::new();
    }
    let found = snapshot.nearest(meanings.question, meanings.chunks, keep, limit);
    // A list that is not full has all chunks that are like the question at all.
    let least = found.last().filter(|_| found.len() == limit).map_or(0.0, |it| it.score);
    let hit = |it: &ScoredChunk| Hit {
        chunk: it.chunk,
        definition: None,
        score: it.score - least,
        reason: Reason::Meaning { likeness: it.score },
    };
    found.iter().map(hit).filter(|it| it.score > 0.0).collect()
}
