//! Scores the chunks of one segment for a query.

use std::borrow::Cow;
use std::sync::Arc;

use crate::index::fields::Frequencies;
use crate::index::ids::ChunkId;
use crate::index::postings::{BLOCK, Block, ONCE_CODE, Postings, Seeker};
use crate::index::snapshot::SegmentView;

use super::query::{Keep, QueryTerm, ScoredChunk, WeightedQuery};
use super::top::TopChunks;

/// Score of a term in a chunk, from its maximum score, its weighted frequency and the norm of the chunk.
#[inline]
fn term_score(max: f32, frequency: f32, norm: f32) -> f32 {
    max * frequency / (frequency + norm)
}

/// Scores one segment.
pub(super) struct Scorer<'a> {
    query: &'a WeightedQuery,
    /// Index of the segment in the snapshot.
    segment: usize,
    view: &'a SegmentView,
    norms: Arc<[f32]>,
}

impl<'a> Scorer<'a> {
    pub(super) fn new(query: &'a WeightedQuery, segment: usize, view: &'a SegmentView) -> Self {
        Self { query, segment, view, norms: view.segment.norms(&query.norms) }
    }

    /// Number of chunks of the segment.
    pub(super) fn len(&self) -> usize {
        self.norms.len()
    }

    /// Scores all chunks, term at a time.
    pub(super) fn score(&self, scores: &mut [f32]) {
        for term in &self.query.terms {
            if let Some(bytes) = self.list(term) {
                self.add(term, &bytes, scores);
            }
        }
        // Chunks of files outside the snapshot are not hits.
        let dead = self.view.live.iter().flat_map(|it| &it.dead);
        dead.for_each(|it| scores[*it as usize] = 0.0);
    }

    fn list(&self, term: &QueryTerm) -> Option<Cow<'_, [u8]>> {
        self.view.segment.postings_at(term.lists[self.segment]?)
    }

    /// Adds a whole list. Each step is a separate loop over the block, so that the division is vectorised and does not
    /// wait for scattered scores.
    fn add(&self, term: &QueryTerm, bytes: &[u8], scores: &mut [f32]) {
        let (max, norms) = (self.query.max_score(term), &*self.norms);
        let (mut list, mut block) = (Postings::new(bytes), Block::new());
        let codes = &self.query.codes;
        let (mut scored, mut frequencies) = ([0.0; BLOCK], [codes[ONCE_CODE as usize]; BLOCK]);
        while list.next_block(&mut block) {
            let chunks = block.chunks();
            if chunks.last().is_none_or(|it| *it as usize >= norms.len()) {
                return;
            }
            for (to, chunk) in scored.iter_mut().zip(chunks) {
                *to = norms[*chunk as usize];
            }
            match block.codes() {
                None => frequencies.fill(codes[ONCE_CODE as usize]),
                Some(block_codes) => {
                    for (to, code) in frequencies.iter_mut().zip(block_codes) {
                        *to = codes[*code as usize];
                    }
                    self.escaped(&block, &mut frequencies);
                }
            }
            for (norm, frequency) in scored.iter_mut().zip(&frequencies) {
                *norm = term_score(max, *frequency, *norm);
            }
            for (chunk, it) in chunks.iter().zip(&scored) {
                scores[*chunk as usize] += it;
            }
        }
    }

    fn escaped(&self, block: &Block<'_>, frequencies: &mut [f32; BLOCK]) {
        for (at, escaped) in block.escaped() {
            frequencies[at] = self.query.weighted(escaped);
        }
    }

    /// Scores only these chunks, which must ascend.
    pub(super) fn look_up(&self, chunks: &[u32], top: &mut TopChunks) {
        let mut scores = vec![0.0; chunks.len()];
        for term in &self.query.terms {
            self.find(term, chunks.iter().copied(), |at, _, score| scores[at] += score);
        }
        for (&chunk, &score) in chunks.iter().zip(&scores).filter(|it| *it.1 > 0.0) {
            offer(self.view, chunk, score, None, top);
        }
    }

    /// Looks up a term in chunks, which must ascend. Calls `found` for those that contain it, with position,
    /// frequencies and score.
    pub(super) fn find(
        &self,
        term: &QueryTerm,
        chunks: impl Iterator<Item = u32>,
        mut found: impl FnMut(usize, Frequencies, f32),
    ) {
        let (Some(bytes), max) = (self.list(term), self.query.max_score(term)) else { return };
        let mut seeker = Seeker::new(&bytes);
        for (at, chunk) in chunks.enumerate() {
            let Some(norm) = self.norms.get(chunk as usize) else { return };
            if let Some(frequencies) = seeker.find(chunk) {
                let score = term_score(max, self.query.weighted(frequencies), *norm);
                found(at, frequencies, score);
            }
        }
    }
}

/// Adds a chunk of a segment to `top` if its file is in the view and `keep` accepts it.
pub(super) fn offer(
    view: &SegmentView,
    chunk: u32,
    score: f32,
    keep: Keep<'_>,
    top: &mut TopChunks,
) {
    let table = &view.segment.table;
    let Some(ord) = table.file_of(chunk) else { return };
    let owner = view.owners[ord as usize];
    let Some(file) = owner.filter(|it| keep.is_none_or(|keep| keep(*it))) else { return };
    let id = ChunkId { file, idx: chunk - table.chunks_of(ord).start };
    top.offer(ScoredChunk { chunk: id, score });
}
