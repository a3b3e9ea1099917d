//! The words of the query, by BM25F.

use super::inputs::Inputs;
use super::list::Hit;
use crate::evidence::Reason;
use crate::index::bm25::WeightedQuery;
use crate::index::{ChunkId, Field, Snapshot};
use crate::sorting::sort_by;

/// The best chunks for the terms of the query. The reasons are empty: to make them, each term is looked up again, so
/// [`explain`] does that for the chunks that are shown.
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

/// The terms of the query that each chunk has, with their scores and the field that contributes most, the heaviest first.
pub fn explain(
    snapshot: &Snapshot,
    weighed: &WeightedQuery,
    chunks: &[ChunkId],
) -> Vec<Vec<(String, f32, Field)>> {
    let mut res = Vec::new();
    for matches in snapshot.matches(weighed, chunks) {
        let field = |shares: [f32; 4]| Field::ALL[heaviest(shares)];
        let explained =
            matches.iter().map(|it| (it.term, it.score, field(weighed.by_field(it.frequencies))));
        let mut explained: Vec<(&str, f32, Field)> = explained.collect();
        sort_by(&mut explained, |a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(b.0)));
        res.push(explained.into_iter().map(|it| (it.0.to_owned(), it.1, it.2)).collect());
    }
    res
}

/// The index of the greatest, the first of equal ones.
fn heaviest(shares: [f32; 4]) -> usize {
    (0..shares.len()).rev().max_by(|a, b| shares[*a].total_cmp(&shares[*b])).unwrap_or(0)
}
