//! Parameters of the score, and queries weighted for a snapshot.

use serde::{Deserialize, Serialize};

use crate::index::fields::Frequencies;
use crate::index::ids::{ChunkId, FileId};
use crate::index::postings::FREQUENCIES;
use crate::index::segment::LengthNorms;
use crate::index::snapshot::Snapshot;

use super::statistics::average_length;

/// The parameters of the score.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bm25 {
    /// Saturation of term frequency.
    pub k1: f32,
    /// Penalty of long chunks, 0 to 1.
    pub b: f32,
    /// Weights of the fields: body, symbols, path, doc.
    pub weights: [f32; 4],
}

/// A term of a query, lower case as in the index.
#[derive(Clone, Debug, PartialEq)]
pub struct WeightedTerm {
    /// The term.
    pub term: String,
    /// Factor on its score.
    pub weight: f32,
}

/// A chunk that matches a query.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScoredChunk {
    /// The chunk.
    pub chunk: ChunkId,
    /// Sum of its terms' scores.
    pub score: f32,
}

/// Filter of files; `None` accepts all.
pub type Keep<'k> = Option<&'k dyn Fn(FileId) -> bool>;

/// A query term that a chunk contains.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Match<'q> {
    /// The term.
    pub term: &'q str,
    /// Its frequency in each field.
    pub frequencies: Frequencies,
    /// Its part of the chunk's score.
    pub score: f32,
}

/// The terms of a query, looked up and weighted in a snapshot once.
pub struct WeightedQuery {
    bm25: Bm25,
    pub(super) norms: LengthNorms,
    /// Weighted frequency of each posting code.
    pub(super) codes: [f32; 256],
    /// Heaviest first.
    pub(super) terms: Vec<QueryTerm>,
}

/// A query term that the snapshot contains.
pub(super) struct QueryTerm {
    /// Index in the query.
    pub(super) idx: usize,
    pub(super) term: String,
    /// Idf times weight in the query.
    pub(super) weight: f32,
    /// Offset of its posting list in each segment.
    pub(super) lists: Vec<Option<u64>>,
}

impl WeightedQuery {
    /// The terms in the snapshot with idf times weight in the query, heaviest first.
    pub fn weights(&self) -> impl Iterator<Item = (&str, f32)> {
        self.terms.iter().map(|it| (it.term.as_str(), it.weight))
    }

    /// Weighted frequency, before saturation, that each field contributes.
    pub fn by_field(&self, frequencies: Frequencies) -> [f32; 4] {
        std::array::from_fn(|field| f32::from(frequencies[field]) * self.bm25.weights[field])
    }

    /// Score, with idf and weight 1, of a term with these frequencies in a chunk with these lengths.
    pub(in crate::index) fn score_of_one(&self, it: Frequencies, lengths: [u16; 4]) -> f32 {
        let frequency = self.weighted(it);
        (self.bm25.k1 + 1.0) * frequency / (frequency + self.norms.of(lengths))
    }

    /// The average weighted length of a chunk that scores depend on.
    pub fn average_length(&self) -> f32 {
        self.norms.average
    }

    /// Upper bound of the term's score.
    pub(super) fn max_score(&self, term: &QueryTerm) -> f32 {
        term.weight * (self.bm25.k1 + 1.0)
    }

    pub(super) fn weighted(&self, frequencies: Frequencies) -> f32 {
        weighted_frequency(frequencies, &self.bm25)
    }
}

impl Snapshot {
    /// Looks up and weights the terms of a query.
    pub fn weighted_query(&self, terms: &[WeightedTerm], bm25: &Bm25) -> WeightedQuery {
        let mut walks: Vec<_> = self.segments.iter().map(|it| it.segment.offsets()).collect();
        let term = |(idx, it): (usize, &WeightedTerm)| {
            let known = self.known_frequency(&it.term);
            let lists: Vec<Option<u64>> = match known {
                // A term that the whole repository lacks is looked for in no part of it.
                Some(0) => vec![None; walks.len()],
                _ => walks.iter_mut().map(|walk| walk.get(&it.term)).collect(),
            };
            let views = self.segments.iter().zip(&lists);
            let counted = || views.map(|(view, offset)| view.frequency(*offset)).sum();
            let n_chunks = known.unwrap_or_else(counted);
            let weight = self.idf_of(n_chunks) * it.weight;
            QueryTerm { idx, term: it.term.clone(), weight, lists }
        };
        let mut terms: Vec<QueryTerm> =
            terms.iter().enumerate().map(term).filter(|it| it.weight > 0.0).collect();
        terms.sort_by(|a, b| b.weight.total_cmp(&a.weight).then(a.idx.cmp(&b.idx)));
        let &Bm25 { k1, b, weights } = bm25;
        let norms = LengthNorms { k1, b, weights, average: average_length(self, &weights) };
        let codes = FREQUENCIES.map(|it| weighted_frequency(it, bm25));
        WeightedQuery { bm25: *bm25, norms, codes, terms }
    }
}

fn weighted_frequency(frequencies: Frequencies, bm25: &Bm25) -> f32 {
    frequencies.iter().zip(bm25.weights).map(|(n, weight)| f32::from(*n) * weight).sum()
}
