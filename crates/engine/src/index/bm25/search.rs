//! The best chunks for a query, and which of its terms a chunk contains.

use std::cell::RefCell;

use super::query::{Keep, Match, QueryTerm, ScoredChunk, WeightedQuery};
use super::scorer::Scorer;
use super::top::{TopChunks, highest, nth, reaching};
use crate::index::fields::{Field, Frequencies};
use crate::index::ids::{ChunkId, FileId};
use crate::index::snapshot::Snapshot;

thread_local! {
    /// Scores of all chunks; reused, since allocating it costs more than clearing it.
    static SCORES: RefCell<Vec<f32>> = const { RefCell::new(Vec::new()) };
}

impl Snapshot {
    /// The `limit` best chunks for `query` in the files that `keep` accepts (`None`: in all); ties by (path, start).
    pub fn lexical(&self, query: &WeightedQuery, keep: Keep<'_>, limit: usize) -> Vec<ScoredChunk> {
        let scorer = |(idx, view)| Scorer::new(query, idx, view, keep);
        let scorers: Vec<Scorer<'_>> = self.segments.iter().enumerate().map(scorer).collect();
        let mut top = TopChunks::new(limit);
        SCORES.with_borrow_mut(|scores| {
            let scores = score_all(&scorers, scores);
            let groups: Vec<Vec<f32>> = scores.iter().map(|it| highest(it).collect()).collect();
            // With a filter, the best chunks may all be of files that it rejects.
            let threshold = if keep.is_none() { nth(groups.concat(), limit) } else { 0.0 };
            for ((scorer, scores), highest) in scorers.iter().zip(scores).zip(&groups) {
                for (chunk, score) in reaching(scores, highest, threshold) {
                    if score >= top.threshold() {
                        scorer.offer(chunk as u32, score, &mut top);
                    }
                }
            }
        });
        top.finish()
    }

    /// The `limit` best chunks for `query` in a few `files`: their chunks are looked up in the posting lists, which are
    /// not read as a whole. Scores are those of [`Snapshot::lexical`].
    pub fn lexical_in(
        &self,
        query: &WeightedQuery,
        files: &[FileId],
        limit: usize,
    ) -> Vec<ScoredChunk> {
        let mut top = TopChunks::new(limit);
        for (idx, view) in self.segments.iter().enumerate() {
            let chunks = self.chunks_in(idx, files);
            if !chunks.is_empty() {
                Scorer::new(query, idx, view, None).look_up(&chunks, &mut top);
            }
        }
        top.finish()
    }

    /// The terms of `query` that each of `chunks` contains, heaviest first.
    pub fn matches<'q>(&self, query: &'q WeightedQuery, chunks: &[ChunkId]) -> Vec<Vec<Match<'q>>> {
        let mut res = vec![Vec::new(); chunks.len()];
        let terms: Vec<&QueryTerm> = query.terms.iter().collect();
        self.each_match(query, &terms, chunks, |at, term, frequencies, score| {
            res[at].push(Match { term: &term.term, frequencies, score });
        });
        res
    }

    /// For each of `chunks`, how many of the query's terms with the numbers `words` occur in names that it defines.
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

    /// Calls `found` for each of `terms` that one of `chunks` contains: with the position of the chunk among them, the
    /// term, its frequencies and its score.
    fn each_match<'q>(
        &self,
        query: &'q WeightedQuery,
        terms: &[&'q QueryTerm],
        chunks: &[ChunkId],
        mut found: impl FnMut(usize, &'q QueryTerm, Frequencies, f32),
    ) {
        for (idx, view) in self.segments.iter().enumerate() {
            let mut here = self.positions_in(idx, chunks);
            here.sort_unstable();
            if here.is_empty() {
                continue;
            }
            let scorer = Scorer::new(query, idx, view, None);
            for term in terms {
                scorer.find(term, here.iter().map(|it| it.0), |at, frequencies, score| {
                    found(here[at].1, term, frequencies, score);
                });
            }
        }
    }
}

/// Scores every chunk; `scores` holds the segments one after the other, and the result is a slice for each.
fn score_all<'s>(scorers: &[Scorer<'_>], scores: &'s mut Vec<f32>) -> Vec<&'s [f32]> {
    scores.clear();
    scores.resize(scorers.iter().map(Scorer::len).sum(), 0.0);
    let mut rest = scores.as_mut_slice();
    let mut res = Vec::new();
    for scorer in scorers {
        let (here, behind) = rest.split_at_mut(scorer.len());
        scorer.score(here);
        res.push(&*here);
        rest = behind;
    }
    res
}
