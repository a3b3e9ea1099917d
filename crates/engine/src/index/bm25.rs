//! BM25F over a snapshot, term at a time: exact, and the same however the snapshot was built.
//!
//! The weighted frequencies of the fields are added before saturation (Robertson, Zaragoza and Taylor 2004,
//! "Simple BM25 extension to multiple weighted fields"), and the length that normalises them is weighted alike.

use std::borrow::Cow;
use std::cell::RefCell;
use std::sync::{Arc, PoisonError};

use serde::{Deserialize, Serialize};

use super::analyse::{Field, Frequencies};
use super::best::{Best, highest, nth, reaching};
use super::codes::{FREQUENCIES, ONCE};
use super::keys::Walk;
use super::postings::{BLOCK, Block, Postings, Seeker, each_posting};
use super::segment::Segment;
use super::snapshot::{ChunkId, FileId, Held, Snapshot};

/// The parameters of the score.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
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
}

/// The length normalisation of each chunk of a segment, for one set of parameters and one average length.
pub(super) struct Norms {
    bm25: Bm25,
    average: f32,
    by_chunk: Vec<f32>,
}

/// Which files are wanted; `None` for all.
pub type Keep<'k> = Option<&'k dyn Fn(FileId) -> bool>;

/// How many sets of norms a segment remembers: a process uses two or three sets of parameters.
const KEPT_NORMS: usize = 4;

/// The terms of a query, looked up once in one snapshot for all that score with them.
pub struct Weighed {
    bm25: Bm25,
    average: f32,
    /// The weighed frequency of each code of a posting.
    codes: [f32; 256],
    /// The one that can give most first.
    terms: Vec<Term>,
}

struct Term {
    /// Its place in the query.
    idx: usize,
    term: String,
    /// Its idf by its weight in the query.
    idf: f32,
    /// Where its list is in each segment.
    lists: Vec<Option<u64>>,
}

impl Weighed {
    /// The terms that the snapshot has, each with its idf by its weight in the query; the heaviest first.
    pub fn weights(&self) -> impl Iterator<Item = (&str, f32)> {
        self.terms.iter().map(|it| (it.term.as_str(), it.idf))
    }

    /// How much a chunk gets from each field for a term that occurs as often as `frequencies` say, before saturation.
    pub fn by_field(&self, frequencies: Frequencies) -> [f32; 4] {
        std::array::from_fn(|field| f32::from(frequencies[field]) * self.bm25.weights[field])
    }
}

/// A term of a query in a chunk.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Match<'q> {
    /// The term.
    pub term: &'q str,
    /// How often it occurs in each field.
    pub frequencies: Frequencies,
    /// Its part of the chunk's score.
    pub score: f32,
}

impl Snapshot {
    /// Looks the terms of a query up.
    pub fn weigh(&self, terms: &[WeightedTerm], bm25: &Bm25) -> Weighed {
        let mut walks: Vec<Walk<'_>> = self.held.iter().map(|it| it.segment.places()).collect();
        let term = |(idx, it): (usize, &WeightedTerm)| {
            let lists: Vec<Option<u64>> = walks.iter_mut().map(|walk| walk.get(&it.term)).collect();
            let frequencies = self.held.iter().zip(&lists).map(|(held, at)| frequency(held, *at));
            let idf = self.idf_of(frequencies.sum()) * it.weight;
            Term { idx, term: it.term.clone(), idf, lists }
        };
        let mut terms: Vec<Term> =
            terms.iter().enumerate().map(term).filter(|it| it.idf > 0.0).collect();
        terms.sort_by(|a, b| b.idf.total_cmp(&a.idf).then(a.idx.cmp(&b.idx)));
        let codes = FREQUENCIES.map(|it| weigh(it, bm25));
        Weighed { bm25: *bm25, average: average_length(self, bm25), codes, terms }
    }

    /// The `limit` best chunks for `query` in the files that `keep` accepts (`None`: in all); ties by (path, start).
    pub fn lexical(&self, query: &Weighed, keep: Keep<'_>, limit: usize) -> Vec<Scored> {
        let scorer = |(idx, held)| Scorer::new(query, idx, held, keep);
        let scorers: Vec<Scorer<'_>> = self.held.iter().enumerate().map(scorer).collect();
        let mut best = Best::new(limit);
        SCORES.with_borrow_mut(|scores| {
            let scores = score_all(&scorers, scores);
            let groups: Vec<Vec<f32>> = scores.iter().map(|it| highest(it).collect()).collect();
            // Where files are left out, as many as that may be of them.
            let least = if keep.is_none() { nth(groups.concat(), limit) } else { 0.0 };
            for ((scorer, scores), highest) in scorers.iter().zip(scores).zip(&groups) {
                for (chunk, score) in reaching(scores, highest, least) {
                    if score >= best.least() {
                        scorer.offer(chunk as u32, score, &mut best);
                    }
                }
            }
        });
        best.finish()
    }

    /// The `limit` best chunks for `query` in some few `files`: their chunks are looked up in the posting lists, which
    /// are not read whole. Scores are those of [`Snapshot::lexical`].
    pub fn lexical_in(&self, query: &Weighed, files: &[FileId], limit: usize) -> Vec<Scored> {
        let mut best = Best::new(limit);
        for (idx, held) in self.held.iter().enumerate() {
            let chunks = self.chunks_in(idx, files);
            if !chunks.is_empty() {
                Scorer::new(query, idx, held, None).look_up(&chunks, &mut best);
            }
        }
        best.finish()
    }

    /// The terms of `query` that each of `chunks` has, heaviest term first.
    pub fn matches<'q>(&self, query: &'q Weighed, chunks: &[ChunkId]) -> Vec<Vec<Match<'q>>> {
        let mut res = vec![Vec::new(); chunks.len()];
        let terms: Vec<&Term> = query.terms.iter().collect();
        self.each_match(query, &terms, chunks, |at, term, frequencies, score| {
            res[at].push(Match { term: &term.term, frequencies, score });
        });
        res
    }

    /// How many of the query's terms with the numbers `words` each of `chunks` has in a name that it defines.
    pub fn defined(&self, query: &Weighed, words: &[usize], chunks: &[ChunkId]) -> Vec<usize> {
        let mut res = vec![0; chunks.len()];
        let terms: Vec<&Term> = query.terms.iter().filter(|it| words.contains(&it.idx)).collect();
        self.each_match(query, &terms, chunks, |at, _, frequencies, _| {
            res[at] += usize::from(frequencies[Field::Symbols as usize] > 0);
        });
        res
    }

    /// Calls `found` with each of `terms` that one of `chunks` has: the chunk's place among them, the term, how often it
    /// occurs and what it gives.
    fn each_match<'q>(
        &self,
        query: &'q Weighed,
        terms: &[&'q Term],
        chunks: &[ChunkId],
        mut found: impl FnMut(usize, &'q Term, Frequencies, f32),
    ) {
        for (idx, held) in self.held.iter().enumerate() {
            let mut here = self.places_in(idx, chunks);
            here.sort_unstable();
            if here.is_empty() {
                continue;
            }
            let scorer = Scorer::new(query, idx, held, None);
            for term in terms {
                scorer.find(term, here.iter().map(|it| it.0), |at, frequencies, score| {
                    found(here[at].1, term, frequencies, score);
                });
            }
        }
    }

    /// In how many chunks of this snapshot `term` occurs.
    pub fn document_frequency(&self, term: &str) -> u32 {
        self.held.iter().map(|held| frequency(held, held.segment.place_of(term))).sum()
    }

    /// The same of each of several terms, which is faster where they come in order.
    pub fn document_frequencies(&self, terms: &[&str]) -> Vec<u32> {
        let mut res = vec![0; terms.len()];
        for held in &self.held {
            let mut walk = held.segment.places();
            for (sum, term) in res.iter_mut().zip(terms) {
                *sum += frequency(held, walk.get(term));
            }
        }
        res
    }

    /// The inverse document frequency of `term`: ln(1 + (N − n + ½) / (n + ½)); 0 for a term that nothing has.
    pub fn idf(&self, term: &str) -> f32 {
        self.idf_of(self.document_frequency(term))
    }

    fn idf_of(&self, frequency: u32) -> f32 {
        let (n, total) = (frequency as f32, self.totals().chunks as f32);
        if frequency == 0 { 0.0 } else { ((total - n + 0.5) / (n + 0.5)).ln_1p() }
    }
}

/// The average weighted length of a chunk, rounded to 5 binary digits after the first (1.6 % at most): so one edit
/// seldom changes it, and the norms of all segments stay as they are.
fn average_length(snapshot: &Snapshot, bm25: &Bm25) -> f32 {
    let totals = snapshot.totals();
    let lengths = totals.lengths.iter().zip(bm25.weights);
    let sum: f64 = lengths.map(|(n, weight)| *n as f64 * f64::from(weight)).sum();
    let average = ((sum / f64::from(totals.chunks.max(1))) as f32).max(1.0);
    let dropped = f32::MANTISSA_DIGITS - 1 - 5;
    let half = 1 << (dropped - 1);
    f32::from_bits((average.to_bits() + half) >> dropped << dropped)
}

fn norm_of(lengths: [u16; 4], average: f32, bm25: &Bm25) -> f32 {
    let length: f32 =
        lengths.iter().zip(bm25.weights).map(|(n, weight)| f32::from(*n) * weight).sum();
    // Above nothing, so that nothing over nothing is never asked.
    (bm25.k1 * (1.0 - bm25.b + bm25.b * length / average)).max(f32::MIN_POSITIVE)
}

fn weigh(frequencies: Frequencies, bm25: &Bm25) -> f32 {
    frequencies.iter().zip(bm25.weights).map(|(n, weight)| f32::from(*n) * weight).sum()
}

/// What a term of weight `most` gives a chunk, by its weighed frequency and the chunk's norm.
#[inline]
fn worth(most: f32, frequency: f32, norm: f32) -> f32 {
    most * frequency / (frequency + norm)
}

/// The norms of a segment's chunks for a query; made once for each set of parameters.
fn norms(segment: &Segment, query: &Weighed) -> Arc<Norms> {
    let mut known = segment.norms.lock().unwrap_or_else(PoisonError::into_inner);
    let same = |it: &&Arc<Norms>| (it.bm25, it.average) == (query.bm25, query.average);
    if let Some(norms) = known.iter().find(same) {
        return Arc::clone(norms);
    }
    let norm = |lengths: &[u16; 4]| norm_of(*lengths, query.average, &query.bm25);
    let by_chunk = segment.table.lengths.iter().map(norm).collect();
    let norms = Arc::new(Norms { bm25: query.bm25, average: query.average, by_chunk });
    if known.len() == KEPT_NORMS {
        known.remove(0);
    }
    known.push(Arc::clone(&norms));
    norms
}

/// In how many live chunks of a segment the term occurs whose list is at `place`.
fn frequency(held: &Held, place: Option<u64>) -> u32 {
    let Some(place) = place else { return 0 };
    let len = held.segment.postings_len(place);
    let Some(live) = &held.live else { return len };
    let Some(bytes) = held.segment.postings_at(place) else { return 0 };
    // Few dead chunks are looked up; of many, the list is read.
    if live.dead.len() * 16 < len as usize {
        let mut seeker = Seeker::new(&bytes);
        return len - live.dead.iter().filter(|it| seeker.find(**it).is_some()).count() as u32;
    }
    let mut res = 0;
    each_posting(&bytes, |it| res += u32::from(live.chunks.get(it.0 as usize) == Some(&true)));
    res
}

thread_local! {
    /// Scores of all chunks; kept, since allocating it costs more than clearing it.
    static SCORES: RefCell<Vec<f32>> = const { RefCell::new(Vec::new()) };
}

/// The scores of each segment's chunks, one segment after the other in `scores`.
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

/// Scores one segment.
struct Scorer<'a> {
    query: &'a Weighed,
    /// Number of the segment in the snapshot.
    segment: usize,
    held: &'a Held,
    norms: Arc<Norms>,
    keep: Keep<'a>,
}

impl<'a> Scorer<'a> {
    fn new(query: &'a Weighed, segment: usize, held: &'a Held, keep: Keep<'a>) -> Self {
        Self { query, segment, held, norms: norms(&held.segment, query), keep }
    }

    /// How many chunks it scores.
    fn len(&self) -> usize {
        self.norms.by_chunk.len()
    }

    /// Term at a time over all chunks.
    fn score(&self, scores: &mut [f32]) {
        for term in &self.query.terms {
            if let Some(bytes) = self.list(term) {
                self.add(term, &bytes, scores);
            }
        }
        // What no file of the snapshot has is no hit.
        let dead = self.held.live.iter().flat_map(|it| &it.dead);
        dead.for_each(|it| scores[*it as usize] = 0.0);
    }

    fn list(&self, term: &Term) -> Option<Cow<'_, [u8]>> {
        self.held.segment.postings_at(term.lists[self.segment]?)
    }

    /// What a term can give at most.
    fn most(&self, term: &Term) -> f32 {
        term.idf * (self.query.bm25.k1 + 1.0)
    }

    /// Adds one whole list. Each step is a loop of its own over the block: so the division is done for several postings
    /// at once, and nothing waits for the scores, which lie apart.
    fn add(&self, term: &Term, bytes: &[u8], scores: &mut [f32]) {
        let (most, norms) = (self.most(term), self.norms.by_chunk.as_slice());
        let (mut list, mut block) = (Postings::new(bytes), Block::new());
        let codes = &self.query.codes;
        let (mut given, mut frequencies) = ([0.0; BLOCK], [codes[ONCE as usize]; BLOCK]);
        while list.next_block(&mut block) {
            let chunks = block.chunks();
            if chunks.last().is_none_or(|it| *it as usize >= norms.len()) {
                return;
            }
            for (to, chunk) in given.iter_mut().zip(chunks) {
                *to = norms[*chunk as usize];
            }
            match block.codes() {
                None => frequencies.fill(codes[ONCE as usize]),
                Some(block_codes) => {
                    for (to, code) in frequencies.iter_mut().zip(block_codes) {
                        *to = codes[*code as usize];
                    }
                    self.escaped(&block, &mut frequencies);
                }
            }
            for (norm, frequency) in given.iter_mut().zip(&frequencies) {
                *norm = worth(most, *frequency, *norm);
            }
            for (chunk, it) in chunks.iter().zip(&given) {
                scores[*chunk as usize] += it;
            }
        }
    }

    fn escaped(&self, block: &Block<'_>, frequencies: &mut [f32; BLOCK]) {
        for (at, escaped) in block.escaped() {
            frequencies[at] = weigh(escaped, &self.query.bm25);
        }
    }

    /// Scores these chunks alone; they come in order.
    fn look_up(&self, chunks: &[u32], best: &mut Best) {
        let mut scores = vec![0.0; chunks.len()];
        for term in &self.query.terms {
            self.find(term, chunks.iter().copied(), |at, _, score| scores[at] += score);
        }
        for (&chunk, &score) in chunks.iter().zip(&scores).filter(|it| *it.1 > 0.0) {
            self.offer(chunk, score, best);
        }
    }

    /// Looks a term up in some chunks, which come in order, and says of those that have it how often and what it gives.
    fn find(
        &self,
        term: &Term,
        chunks: impl Iterator<Item = u32>,
        mut found: impl FnMut(usize, Frequencies, f32),
    ) {
        let (Some(bytes), most) = (self.list(term), self.most(term)) else { return };
        let mut seeker = Seeker::new(&bytes);
        for (at, chunk) in chunks.enumerate() {
            let Some(norm) = self.norms.by_chunk.get(chunk as usize) else { return };
            if let Some(frequencies) = seeker.find(chunk) {
                let score = worth(most, weigh(frequencies, &self.query.bm25), *norm);
                found(at, frequencies, score);
            }
        }
    }

    fn offer(&self, chunk: u32, score: f32, best: &mut Best) {
        let table = &self.held.segment.table;
        let Some(ord) = table.file_of(chunk) else { return };
        let owner = self.held.owners[ord as usize];
        let Some(file) = owner.filter(|it| self.keep.is_none_or(|keep| keep(*it))) else { return };
        let id = ChunkId { file, idx: chunk - table.chunks_of(ord).start };
        best.offer(Scored { chunk: id, score });
    }
}
