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
        let query = Weighed::new(self, terms, bm25);
        let mut best = Best::new(limit);
        for (held, norms) in self.held.iter().zip(&norms.by_segment) {
            Scorer { held, norms, query: &query, bm25, keep }.score(&mut best);
        }
        best.finish()
    }

    /// The `limit` best chunks for `terms` in some few `files`: their chunks are looked up in the posting lists, which
    /// are not read whole. Scores are those of [`Snapshot::lexical`].
    pub fn lexical_in(
        &self,
        terms: &[WeightedTerm],
        bm25: &Bm25,
        files: &[FileId],
        limit: usize,
    ) -> Vec<Scored> {
        let norms = self.norms(bm25);
        let query = Weighed::new(self, terms, bm25);
        let mut best = Best::new(limit);
        let keep = |_: FileId| true;
        for (idx, (held, norms)) in self.held.iter().zip(&norms.by_segment).enumerate() {
            let chunks = self.chunks_in(idx, files);
            if !chunks.is_empty() {
                Scorer { held, norms, query: &query, bm25, keep: &keep }.look_up(chunks, &mut best);
            }
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
        self.held.iter().map(|held| frequency_in(held, term)).sum()
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

/// In how many live chunks of a segment `term` occurs.
fn frequency_in(held: &Held, term: &str) -> u32 {
    let Some(bytes) = held.segment.postings(term) else { return 0 };
    let mut list = Postings::new(&bytes);
    let Some(live) = &held.live else { return list.len() };
    // Few dead chunks are looked up; of many, the list is read.
    if live.dead.len() * 16 < list.len() as usize {
        let is_dead = |chunk: &&u32| list.seek(**chunk).is_some_and(|it| it.0 == **chunk);
        let dead = live.dead.iter().filter(is_dead).count() as u32;
        return Postings::new(&bytes).len() - dead;
    }
    list.filter(|it| live.chunks.get(it.0 as usize) == Some(&true)).count() as u32
}

thread_local! {
    /// Scores of one segment's chunks; kept, since allocating it costs more than clearing it.
    static SCORES: RefCell<Vec<f32>> = const { RefCell::new(Vec::new()) };
}

/// The terms of a query, the one that can give most first.
struct Weighed<'t> {
    terms: Vec<Weight<'t>>,
    /// For each term the most that it and all after it can give together.
    rest: Vec<f32>,
}

struct Weight<'t> {
    /// Its place in the query.
    idx: usize,
    term: &'t str,
    /// Its idf by its weight in the query.
    idf: f32,
}

impl<'t> Weighed<'t> {
    fn new(snapshot: &Snapshot, terms: &'t [WeightedTerm], bm25: &Bm25) -> Self {
        let weight = |(idx, it): (usize, &'t WeightedTerm)| Weight {
            idx,
            term: &it.term,
            idf: snapshot.idf(&it.term) * it.weight,
        };
        let mut terms: Vec<Weight<'t>> =
            terms.iter().enumerate().map(weight).filter(|it| it.idf > 0.0).collect();
        terms.sort_by(|a, b| b.idf.total_cmp(&a.idf).then(a.idx.cmp(&b.idx)));
        let mut rest: Vec<f32> = terms.iter().map(|it| it.idf * (bm25.k1 + 1.0)).collect();
        for at in (0..rest.len().saturating_sub(1)).rev() {
            rest[at] += rest[at + 1];
        }
        Self { terms, rest }
    }
}

/// What one term is worth where.
type Defines = Vec<(u32, u8)>;

/// Scores one segment.
struct Scorer<'a> {
    held: &'a Held,
    norms: &'a [f32],
    query: &'a Weighed<'a>,
    bm25: &'a Bm25,
    keep: &'a dyn Fn(FileId) -> bool,
}

impl Scorer<'_> {
    /// Term at a time, the rarest first. Once the terms that are left cannot lift a new chunk into the result (Turtle
    /// and Flood 1995, "max score"), only the chunks that can still get there are looked up in their lists.
    fn score(&self, best: &mut Best) {
        SCORES.with_borrow_mut(|scores| {
            scores.clear();
            scores.resize(self.norms.len(), 0.0);
            let mut defines = Defines::new();
            let lists: Vec<_> =
                self.query.terms.iter().map(|it| self.held.segment.postings(it.term)).collect();
            let len =
                |at: usize| lists[at].as_ref().map_or(0, |it| Postings::new(it).len() as usize);
            let mut left: usize = (0..lists.len()).map(len).sum();
            let mut since = 0;
            for (at, bytes) in lists.iter().enumerate() {
                // A look costs about a pass over the scores, so it must be worth that.
                if left > 2 * scores.len() && since * 2 > scores.len() {
                    since = 0;
                    if let Some(chunks) = self.candidates(scores, at, left, best) {
                        let lists = lists[at..].iter().map(Option::as_deref);
                        self.finish(scores, &chunks, at, lists, &mut defines);
                        let scored = chunks.iter().map(|&it| (it, scores[it as usize]));
                        return self.collect(scored, &defines, best);
                    }
                }
                let Some(bytes) = bytes else { continue };
                self.add(&self.query.terms[at], Postings::new(bytes), scores, &mut defines);
                left -= len(at);
                since += len(at);
            }
            let scored = (0_u32..).zip(scores.iter().copied()).filter(|it| it.1 > 0.0);
            self.collect(scored, &defines, best);
        });
    }

    /// Scores these chunks alone; they come in order.
    fn look_up(&self, chunks: Vec<u32>, best: &mut Best) {
        let mut sparse = vec![0.0; chunks.len()];
        let mut defines = Defines::new();
        for weight in &self.query.terms {
            let Some(bytes) = self.held.segment.postings(weight.term) else { continue };
            let mut list = Postings::new(&bytes);
            for (score, &chunk) in sparse.iter_mut().zip(&chunks) {
                match list.seek(chunk) {
                    Some(it) if it.0 == chunk => *score += self.worth(weight, it, &mut defines),
                    Some(_) => {}
                    None => break,
                }
            }
        }
        let scored = chunks.into_iter().zip(sparse).filter(|it| it.1 > 0.0);
        self.collect(scored, &defines, best);
    }

    /// Adds one whole list. Parameters are copied: behind references they would be read again for each posting.
    fn add(
        &self,
        weight: &Weight<'_>,
        list: Postings<'_>,
        scores: &mut [f32],
        defines: &mut Defines,
    ) {
        let (bm25, norms, idf) = (*self.bm25, self.norms, weight.idf);
        let body = bm25.weights[0];
        let once = body * (bm25.k1 + 1.0) * idf;
        let names = weight.idx < 64;
        for (chunk, frequencies) in list {
            let at = chunk as usize;
            let (Some(score), Some(norm)) = (scores.get_mut(at), norms.get(at)) else { break };
            if frequencies == [1, 0, 0, 0] {
                *score += once / (body + norm);
                continue;
            }
            *score += idf * saturate(weigh(frequencies, &bm25), *norm, &bm25);
            if frequencies[1] > 0 && names {
                defines.push((chunk, weight.idx as u8));
            }
        }
    }

    /// What a term gives a chunk.
    #[inline]
    fn worth(
        &self,
        weight: &Weight<'_>,
        posting: (u32, Frequencies),
        defines: &mut Defines,
    ) -> f32 {
        let (chunk, frequencies) = posting;
        let Some(norm) = self.norms.get(chunk as usize) else { return 0.0 };
        let body = self.bm25.weights[0];
        if frequencies == [1, 0, 0, 0] {
            return body * (self.bm25.k1 + 1.0) * weight.idf / (body + norm);
        }
        if frequencies[1] > 0 && weight.idx < 64 {
            defines.push((chunk, weight.idx as u8));
        }
        weight.idf * saturate(weigh(frequencies, self.bm25), *norm, self.bm25)
    }

    /// The chunks that the terms from `at` on can still lift into the result, if they are few against `left` postings.
    fn candidates(&self, scores: &[f32], at: usize, left: usize, best: &Best) -> Option<Vec<u32>> {
        // A little more than the terms can give, for rounding.
        let rest = self.query.rest[at] * 1.0001 + 1e-4;
        let mut least = best.least();
        if least <= rest {
            least = least.max(self.least_of(scores, best.limit)?);
        }
        let needed = least - rest;
        if needed <= 0.0 {
            return None;
        }
        let reach = |it: &(u32, &f32)| *it.1 >= needed;
        let chunks: Vec<u32> = (0_u32..).zip(scores).filter(reach).map(|it| it.0).collect();
        let worth_it = chunks.len() * (self.query.terms.len() - at) * 8 < left;
        worth_it.then_some(chunks)
    }

    /// The score of the `limit`th best chunk so far; `None` while there are fewer.
    fn least_of(&self, scores: &[f32], limit: usize) -> Option<f32> {
        let mut kept: Vec<f32> = Vec::new();
        let table = &self.held.segment.table;
        for (ord, owner) in self.held.owners.iter().enumerate() {
            if owner.is_some_and(|it| (self.keep)(it)) {
                let range = table.chunks_of(ord as u32);
                let of_file = &scores[range.start as usize..range.end as usize];
                kept.extend(of_file.iter().filter(|it| **it > 0.0));
            }
        }
        if limit == 0 || kept.len() < limit {
            return None;
        }
        let (_, least, _) = kept.select_nth_unstable_by(limit - 1, |a, b| b.total_cmp(a));
        Some(*least)
    }

    /// Adds the terms from `at` on to some chunks, which come in order.
    fn finish<'b>(
        &self,
        scores: &mut [f32],
        chunks: &[u32],
        at: usize,
        lists: impl Iterator<Item = Option<&'b [u8]>>,
        defines: &mut Defines,
    ) {
        for (weight, bytes) in self.query.terms[at..].iter().zip(lists) {
            let Some(bytes) = bytes else { continue };
            let mut list = Postings::new(bytes);
            for &chunk in chunks {
                match list.seek(chunk) {
                    Some(it) if it.0 == chunk => {
                        scores[chunk as usize] += self.worth(weight, it, defines);
                    }
                    Some(_) => {}
                    None => break,
                }
            }
        }
    }

    /// Offers scored chunks, then says of those that stayed what they define.
    fn collect(
        &self,
        scored: impl Iterator<Item = (u32, f32)>,
        defines: &Defines,
        best: &mut Best,
    ) {
        let table = &self.held.segment.table;
        let mut offered = Vec::new();
        for (chunk, score) in scored {
            if score < best.least() {
                continue;
            }
            let ord = table.first_chunks.partition_point(|it| *it <= chunk) - 1;
            let Some(file) = self.held.owners[ord].filter(|it| (self.keep)(*it)) else { continue };
            let id = ChunkId { file, idx: chunk - table.first_chunks[ord] };
            if best.offer(Scored { chunk: id, score, defines: 0 }) {
                offered.push((chunk, id));
            }
        }
        let mut masks = rustc_hash::FxHashMap::<ChunkId, u64>::default();
        for &(chunk, term) in defines {
            if let Ok(at) = offered.binary_search_by_key(&chunk, |it| it.0) {
                *masks.entry(offered[at].1).or_default() |= 1 << term;
            }
        }
        if !masks.is_empty() {
            best.add_masks(&masks);
        }
    }
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
