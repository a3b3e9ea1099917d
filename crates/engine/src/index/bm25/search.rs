//! The best chunks for a query, and the query terms that a chunk contains.

use std::cell::Cell;

use super::query::{Keep, Match, QueryTerm, ScoredChunk, WeightedQuery};
use super::scorer::{Scorer, offer};
use super::top::{TopChunks, highest, nth, reaching};
use crate::index::fields::{Field, Frequencies};
use crate::index::ids::{ChunkId, FileId};
use crate::index::partial::LexicalQuery;
use crate::index::snapshot::Snapshot;

thread_local! {
    /// Buffer for scores of all chunks: allocating costs more than clearing.
    static SCORES: Cell<Vec<f32>> = const { Cell::new(Vec::new()) };
}

/// Scores of all chunks of a snapshot for a query, segment after segment.
pub struct Scores {
    all: Vec<f32>,
    /// Number of chunks of each segment.
    lengths: Vec<usize>,
    /// Of a snapshot whose contents are elsewhere: what was asked for.
    query: Option<LexicalQuery>,
}

impl Scores {
    fn by_segment(&self) -> Vec<&[f32]> {
        let mut rest = self.all.as_slice();
        let mut res = Vec::new();
        for length in &self.lengths {
            let (here, behind) = rest.split_at(*length);
            res.push(here);
            rest = behind;
        }
        res
    }
}

impl Drop for Scores {
    fn drop(&mut self) {
        SCORES.set(std::mem::take(&mut self.all));
    }
}

impl Snapshot {
    /// The `limit` best chunks for `query` in files that `keep` accepts (`None` for all); ties by path and start.
    pub fn lexical(&self, query: &WeightedQuery, keep: Keep<'_>, limit: usize) -> Vec<ScoredChunk> {
        self.best_of(&self.scores(query), keep, limit)
    }

    /// The scores of all chunks.
    pub(crate) fn scores(&self, query: &WeightedQuery) -> Scores {
        let scorer = |(idx, view)| Scorer::new(query, idx, view);
        let scorers: Vec<Scorer<'_>> = self.segments.iter().enumerate().map(scorer).collect();
        let lengths: Vec<usize> = scorers.iter().map(Scorer::len).collect();
        let mut all = SCORES.take();
        all.clear();
        all.resize(lengths.iter().sum(), 0.0);
        let mut rest = all.as_mut_slice();
        for scorer in scorers {
            let (here, behind) = rest.split_at_mut(scorer.len());
            scorer.score(here);
            rest = behind;
        }
        let query = self.partial().map(|_| LexicalQuery::new(query.weights()));
        Scores { all, lengths, query }
    }

    /// The `limit` best chunks by `scores`, as in [`Snapshot::lexical`].
    pub(crate) fn best_of(
        &self,
        scores: &Scores,
        keep: Keep<'_>,
        limit: usize,
    ) -> Vec<ScoredChunk> {
        let mut top = TopChunks::new(limit);
        let query = scores.query.as_ref();
        let scores = scores.by_segment();
        let groups: Vec<Vec<f32>> = scores.iter().map(|it| highest(it).collect()).collect();
        // With a filter, the best chunks may all be in rejected files.
        let threshold = if keep.is_none() { nth(groups.concat(), limit) } else { 0.0 };
        for ((view, scores), highest) in self.segments.iter().zip(scores).zip(&groups) {
            for (chunk, score) in reaching(scores, highest, threshold) {
                if score >= top.threshold() {
                    offer(view, chunk as u32, score, keep, &mut top);
                }
            }
        }
        self.need_best(query, keep, top.threshold());
        top.finish()
    }

    /// The `limit` best chunks of `files` by `scores`, as in [`Snapshot::lexical_in`].
    pub(crate) fn best_in(
        &self,
        scores: &Scores,
        files: &[FileId],
        limit: usize,
    ) -> Vec<ScoredChunk> {
        let mut top = TopChunks::new(limit);
        let scores = scores.by_segment();
        for (idx, chunks) in self.chunks_by_segment(files) {
            for chunk in chunks {
                if let Some(score) = scores[idx].get(chunk as usize).filter(|it| **it > 0.0) {
                    offer(&self.segments[idx], chunk, *score, None, &mut top);
                }
            }
        }
        top.finish()
    }

    /// The `limit` best chunks for `query` in `files`. Their chunks are looked up in the posting lists, which are not
    /// read as a whole. Scores equal those of [`Snapshot::lexical`].
    pub fn lexical_in(
        &self,
        query: &WeightedQuery,
        files: &[FileId],
        limit: usize,
    ) -> Vec<ScoredChunk> {
        let mut top = TopChunks::new(limit);
        for (idx, chunks) in self.chunks_by_segment(files) {
            Scorer::new(query, idx, &self.segments[idx]).look_up(&chunks, &mut top);
        }
        top.finish()
    }

    /// The terms of `query` in each of `chunks`, heaviest first.
    pub fn matches<'q>(&self, query: &'q WeightedQuery, chunks: &[ChunkId]) -> Vec<Vec<Match<'q>>> {
        let mut res = vec![Vec::new(); chunks.len()];
        let terms: Vec<&QueryTerm> = query.terms.iter().collect();
        self.each_match(query, &terms, chunks, |at, term, frequencies, score| {
            res[at].push(Match { term: &term.term, frequencies, score });
        });
        res
    }

    /// Score of each of `chunks`, as in [`Snapshot::lexical_in`]; 0 if none of the terms occurs.
    pub(crate) fn scores_in(&self, query: &WeightedQuery, chunks: &[ChunkId]) -> Vec<f32> {
        let mut res = vec![0.0; chunks.len()];
        let terms: Vec<&QueryTerm> = query.terms.iter().collect();
        self.each_match(query, &terms, chunks, |at, _, _, score| res[at] += score);
        res
    }

    /// For each of `chunks`, the number of query terms (with indices `words`) in names that it defines.
    pub fn n_in_defined_names(
        &self,
        query: &WeightedQuery,
        words: &[usize],
        chunks: &[ChunkId],
    ) -> Vec<usize> {
        let mut res = vec![0; chunks.len()];
        let terms: Vec<&QueryTerm> =
            query.terms.iter().filter(|it| words.contains(&it.idx)).collect();
        self.each_match(query, &terms, chunks, |at, _, frequencies, _| {
            res[at] += usize::from(frequencies[Field::Symbols as usize] > 0);
        });
        res
    }

    /// Calls `found` for each of `terms` in each of `chunks`, with the position of the chunk, the term, its frequencies
    /// and its score.
    fn each_match<'q>(
        &self,
        query: &'q WeightedQuery,
        terms: &[&'q QueryTerm],
        chunks: &[ChunkId],
        mut found: impl FnMut(usize, &'q QueryTerm, Frequencies, f32),
    ) {
        let places = self.places_of(chunks);
        for here in places.chunk_by(|a, b| a.0 == b.0) {
            let idx = here[0].0;
            let scorer = Scorer::new(query, idx, &self.segments[idx]);
            for term in terms {
                scorer.find(term, here.iter().map(|it| it.1), |at, frequencies, score| {
                    found(here[at].2, term, frequencies, score);
                });
            }
        }
    }
}
