//! BM25F over a snapshot, term at a time: exact, and the same however the snapshot was built.
//!
//! The weighted frequencies of the fields are added before saturation (Robertson, Zaragoza and Taylor 2004,
//! "Simple BM25 extension to multiple weighted fields"), and the length that normalises them is weighted alike.

use std::cell::RefCell;
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::sync::{Arc, PoisonError};

use super::analyse::Frequencies;
use super::postings::Postings;
use super::snapshot::{ChunkId, FileId, Held, Snapshot};

/// The parameters of the score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bm25 {
    /// How soon repeated occurrences stop to count.
    pub k1: f32,
    /// How much length is held against a chunk, 0 to 1.
    pub b: f32,
    /// Weights of the fields: body, symbols, path, doc.
    pub weights: [f32; 4],
}

/// A term of a query, in lower case as the index has it.
#[derive(Clone, Debug, PartialEq)]
pub struct WeightedTerm {
    /// The term.
    pub term: String,
    /// What its score is multiplied by.
    pub weight: f32,
}

/// A chunk that a query found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scored {
    /// The chunk.
    pub chunk: ChunkId,
    /// Sum of the terms' scores.
    pub score: f32,
    /// Bit `n` is set when the chunk defines a name with the query's `n`th term, for the first 64 terms.
    pub defines: u64,
}

/// How many sets of parameters a snapshot remembers the norms of.
const KEPT_NORMS: usize = 4;

/// Length normalisation of each chunk of each segment, for one set of parameters.
pub(super) struct Norms {
    bm25: Bm25,
    by_segment: Vec<Vec<f32>>,
}

impl Snapshot {
    /// The `limit` best chunks for `terms` among the files that `keep` accepts; ties by (path, start).
    pub fn lexical(
        &self,
        terms: &[WeightedTerm],
        bm25: &Bm25,
        keep: &dyn Fn(FileId) -> bool,
        limit: usize,
    ) -> Vec<Scored> {
        let norms = self.norms(bm25);
        let idfs: Vec<f32> = terms.iter().map(|it| self.idf(&it.term) * it.weight).collect();
        let mut best = Best::new(limit);
        for (held, norms) in self.held.iter().zip(&norms.by_segment) {
            score_segment(held, terms, &idfs, bm25, norms, keep, &mut best);
        }
        best.finish()
    }

    /// The norms of these parameters: a process uses two or three sets, each is made once.
    fn norms(&self, bm25: &Bm25) -> Arc<Norms> {
        let mut known = self.norms.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(norms) = known.iter().find(|it| it.bm25 == *bm25) {
            return Arc::clone(norms);
        }
        let norms = Arc::new(Norms::new(self, bm25));
        if known.len() == KEPT_NORMS {
            known.remove(0);
        }
        known.push(Arc::clone(&norms));
        norms
    }

    /// In how many chunks of this snapshot `term` occurs.
    pub fn document_frequency(&self, term: &str) -> u32 {
        let count = |held: &Held| {
            let Some(bytes) = held.segment.postings(term) else { return 0 };
            let list = Postings::new(&bytes);
            match &held.live {
                None => list.len(),
                Some(live) => {
                    list.filter(|it| live.get(it.0 as usize) == Some(&true)).count() as u32
                }
            }
        };
        self.held.iter().map(count).sum()
    }

    /// The inverse document frequency of `term`: ln(1 + (N − n + ½) / (n + ½)); 0 for a term that nothing has.
    pub fn idf(&self, term: &str) -> f32 {
        let n = self.document_frequency(term) as f32;
        let total = self.totals().chunks as f32;
        if n == 0.0 { 0.0 } else { ((total - n + 0.5) / (n + 0.5)).ln_1p() }
    }

    /// The score of one term in a chunk with these frequencies and weighted length, without its idf.
    pub fn saturated(&self, frequencies: Frequencies, lengths: [u16; 4], bm25: &Bm25) -> f32 {
        let norm = norm_of(lengths, average_length(self, bm25), bm25);
        saturate(weigh(frequencies, bm25), norm, bm25)
    }
}

impl Norms {
    fn new(snapshot: &Snapshot, bm25: &Bm25) -> Self {
        let average = average_length(snapshot, bm25);
        let norms = |held: &Held| {
            held.segment.table.lengths.iter().map(|it| norm_of(*it, average, bm25)).collect()
        };
        Self { bm25: *bm25, by_segment: snapshot.held.iter().map(norms).collect() }
    }
}

fn average_length(snapshot: &Snapshot, bm25: &Bm25) -> f32 {
    let totals = snapshot.totals();
    let sum: f64 = totals
        .lengths
        .iter()
        .zip(bm25.weights)
        .map(|(n, weight)| *n as f64 * f64::from(weight))
        .sum();
    ((sum / f64::from(totals.chunks.max(1))) as f32).max(1.0)
}

fn norm_of(lengths: [u16; 4], average: f32, bm25: &Bm25) -> f32 {
    let length: f32 =
        lengths.iter().zip(bm25.weights).map(|(n, weight)| f32::from(*n) * weight).sum();
    bm25.k1 * (1.0 - bm25.b + bm25.b * length / average)
}

#[inline]
fn weigh(frequencies: Frequencies, bm25: &Bm25) -> f32 {
    frequencies.iter().zip(bm25.weights).map(|(n, weight)| f32::from(*n) * weight).sum()
}

#[inline]
fn saturate(frequency: f32, norm: f32, bm25: &Bm25) -> f32 {
    frequency * (bm25.k1 + 1.0) / (frequency + norm)
}

thread_local! {
    /// Scores of one segment's chunks; kept, since allocating it costs more than clearing it.
    static SCORES: RefCell<Vec<f32>> = const { RefCell::new(Vec::new()) };
}

fn score_segment(
    held: &Held,
    terms: &[WeightedTerm],
    idfs: &[f32],
    bm25: &Bm25,
    norms: &[f32],
    keep: &dyn Fn(FileId) -> bool,
    best: &mut Best,
) {
    SCORES.with_borrow_mut(|scores| {
        scores.clear();
        scores.resize(norms.len(), 0.0);
        let mut defines: Vec<(u32, u8)> = Vec::new();
        for (idx, (term, idf)) in terms.iter().zip(idfs).enumerate() {
            if *idf <= 0.0 {
                continue;
            }
            let Some(bytes) = held.segment.postings(&term.term) else { continue };
            let once = weigh([1, 0, 0, 0], bm25) * (bm25.k1 + 1.0) * idf;
            let body = bm25.weights[0];
            for (chunk, frequencies) in Postings::new(&bytes) {
                let (Some(score), Some(norm)) =
                    (scores.get_mut(chunk as usize), norms.get(chunk as usize))
                else {
                    break;
                };
                if frequencies == [1, 0, 0, 0] {
                    *score += once / (body + norm);
                    continue;
                }
                *score += idf * saturate(weigh(frequencies, bm25), *norm, bm25);
                if frequencies[1] > 0 && idx < 64 {
                    defines.push((chunk, idx as u8));
                }
            }
        }
        collect(held, scores, &defines, keep, best);
    });
}

/// Offers every scored chunk of the segment, then says of those that stayed what they define.
fn collect(
    held: &Held,
    scores: &[f32],
    defines: &[(u32, u8)],
    keep: &dyn Fn(FileId) -> bool,
    best: &mut Best,
) {
    let table = &held.segment.table;
    let mut offered = Vec::new();
    for (chunk, score) in scores.iter().enumerate().filter(|(_, it)| **it > 0.0) {
        if *score < best.least() {
            continue;
        }
        let ord = table.first_chunks.partition_point(|it| *it as usize <= chunk) - 1;
        let Some(file) = held.owners[ord].filter(|it| keep(*it)) else { continue };
        let id = ChunkId { file, idx: chunk as u32 - table.first_chunks[ord] };
        if best.offer(Scored { chunk: id, score: *score, defines: 0 }) {
            offered.push((chunk as u32, id));
        }
    }
    if defines.is_empty() {
        return;
    }
    let mut masks = rustc_hash::FxHashMap::<ChunkId, u64>::default();
    for &(chunk, term) in defines {
        if let Ok(at) = offered.binary_search_by_key(&chunk, |it| it.0) {
            *masks.entry(offered[at].1).or_default() |= 1 << term;
        }
    }
    best.add_masks(&masks);
}

/// The best so far: a heap with the worst on top.
struct Best {
    limit: usize,
    heap: BinaryHeap<Reverse<Ranked>>,
}

#[derive(PartialEq)]
struct Ranked(Scored);

impl Eq for Ranked {}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ranked {
    /// Higher scores first; of equal ones the earlier chunk.
    fn cmp(&self, other: &Self) -> Ordering {
        let by_score = self.0.score.total_cmp(&other.0.score);
        by_score.then_with(|| other.0.chunk.cmp(&self.0.chunk))
    }
}

impl Best {
    fn new(limit: usize) -> Self {
        Self { limit, heap: BinaryHeap::with_capacity(limit + 1) }
    }

    /// What a score must reach to have a chance.
    fn least(&self) -> f32 {
        if self.heap.len() < self.limit {
            return f32::MIN;
        }
        self.heap.peek().map_or(f32::MAX, |it| it.0.0.score)
    }

    fn offer(&mut self, scored: Scored) -> bool {
        if self.limit == 0 {
            return false;
        }
        let ranked = Ranked(scored);
        if self.heap.len() == self.limit {
            if self.heap.peek().is_some_and(|worst| ranked <= worst.0) {
                return false;
            }
            self.heap.pop();
        }
        self.heap.push(Reverse(ranked));
        true
    }

    fn add_masks(&mut self, masks: &rustc_hash::FxHashMap<ChunkId, u64>) {
        let ranked = std::mem::take(&mut self.heap).into_iter().map(|Reverse(Ranked(mut it))| {
            it.defines |= masks.get(&it.chunk).copied().unwrap_or(0);
            Reverse(Ranked(it))
        });
        self.heap = ranked.collect();
    }

    fn finish(self) -> Vec<Scored> {
        self.heap.into_sorted_vec().into_iter().map(|Reverse(Ranked(it))| it).collect()
    }
}
