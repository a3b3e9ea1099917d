//! The signal `lexical`: BM25F over the terms of the query.

use super::inputs::Inputs;
use super::list::Hit;
use crate::evidence::Reason;
use crate::index::bm25::{Match, WeightedQuery};
use crate::index::{ChunkId, Field, Snapshot};
use crate::preset::constants::retrieve::LEXICAL_TERMS;
use crate::sorting::sort_by;

/// Returns the best chunks for the terms of the query. Reasons are left empty, because they need another lookup of each
/// term; [`explain`] makes them for the chunks that are shown.
pub(super) fn lexical(inputs: &Inputs<'_>) -> Vec<Hit> {
    let Inputs { snapshot, scores, keep, limit, .. } = *inputs;
    let scored = snapshot.best_of(scores, keep, limit);
    let hits = scored.into_iter().map(|it| Hit {
        chunk: it.chunk,
        definition: None,
        score: it.score,
        reason: Reason::Lexical { terms: Vec::new() },
    });
    hits.collect()
}

/// For each chunk, the query terms that contribute most, with their scores and best field, highest first.
pub fn explain(
    snapshot: &Snapshot,
    weighed: &WeightedQuery,
    chunks: &[ChunkId],
) -> Vec<Vec<(String, f32, Field)>> {
    let mut res = Vec::new();
    for mut matches in snapshot.matches(weighed, chunks) {
        sort_by(&mut matches, |a, b| b.score.total_cmp(&a.score).then_with(|| a.term.cmp(b.term)));
        let explained = |it: &Match<'_>| {
            let field = Field::ALL[heaviest(weighed.by_field(it.frequencies))];
            (it.term.to_owned(), it.score, field)
        };
        res.push(matches.iter().take(LEXICAL_TERMS).map(explained).collect());
    }
    res
}

/// Index of the maximum; the first one of equals.
fn heaviest(shares: [f32; 4]) -> usize {
    (0..shares.len()).rev().max_by(|a, b| shares[*a].total_cmp(&shares[*b])).unwrap_or(0)
}
