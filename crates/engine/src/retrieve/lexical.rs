//! The words of the query, by BM25F.

use super::{Hit, RankedList, Reason, Signal};
use crate::index::bm25::{Keep, Weighed};
use crate::index::{ChunkId, Field, Snapshot};

/// The `limit` best chunks for the query's terms in the files that `keep` accepts. The reasons are empty: making
/// them looks each term up again, so [`explain`] does it for those that are shown.
pub fn lexical(snapshot: &Snapshot, weighed: &Weighed, keep: Keep<'_>, limit: usize) -> RankedList {
    let scored = snapshot.lexical(weighed, keep, limit);
    let hits = scored.into_iter().map(|it| Hit {
        chunk: it.chunk,
        definition: None,
        score: it.score,
        reason: Reason::Lexical { terms: Vec::new() },
    });
    RankedList { signal: Signal::Lexical, hits: hits.collect() }
}

/// Which terms of the query each chunk has, with their scores and the field that gives most, the heaviest first.
pub fn explain(
    snapshot: &Snapshot,
    weighed: &Weighed,
    chunks: &[ChunkId],
) -> Vec<Vec<(String, f32, Field)>> {
    let mut res = Vec::new();
    for matches in snapshot.matches(weighed, chunks) {
        let field = |shares: [f32; 4]| Field::ALL[heaviest(shares)];
        let explained =
            matches.iter().map(|it| (it.term, it.score, field(weighed.by_field(it.frequencies))));
        let mut explained: Vec<(&str, f32, Field)> = explained.collect();
        explained.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(b.0)));
        res.push(explained.into_iter().map(|it| (it.0.to_owned(), it.1, it.2)).collect());
    }
    res
}

/// The place of the greatest, the first of equal ones.
fn heaviest(shares: [f32; 4]) -> usize {
    (0..shares.len()).rev().max_by(|a, b| shares[*a].total_cmp(&shares[*b])).unwrap_or(0)
}
