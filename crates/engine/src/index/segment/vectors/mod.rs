//! The vectors of a segment's chunks, made from its postings.

mod file;

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use super::Segment;
use crate::dense::{BLOCK, PackedView, TermTable, pack};
use crate::index::postings::{Block, Postings};

/// A vector for each chunk of a segment, by one table.
pub(crate) struct ChunkVectors {
    /// Of the table.
    id: [u8; 8],
    dimensions: usize,
    numbers: Vec<i8>,
    /// One for each [`BLOCK`] of numbers; all 0 for a chunk without known terms.
    factors: Vec<f32>,
}

/// The vectors of a segment, once they are made.
#[derive(Default)]
pub(crate) struct VectorCache(Mutex<Option<Arc<ChunkVectors>>>);

impl VectorCache {
    /// The vectors by a table, made at most once while the table is the same.
    /// They are read from the file beside the segment at `path`, or written there.
    pub(super) fn get(
        &self,
        segment: &Segment,
        path: Option<&Path>,
        table: &TermTable,
    ) -> Arc<ChunkVectors> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match &*kept {
            Some(vectors) if vectors.id == table.id() => Arc::clone(vectors),
            _ => Arc::clone(kept.insert(Arc::new(ChunkVectors::of(segment, path, table)))),
        }
    }
}

/// Chunks whose vectors are summed together: 16 MB of sums at 256 dimensions.
const SUMMED: usize = 16 << 10;

impl ChunkVectors {
    /// The vectors beside the segment; they are made where there are none.
    fn of(segment: &Segment, path: Option<&Path>, table: &TermTable) -> Self {
        let path = path.map(|it| file::path_of(it, table));
        let known =
            path.as_deref().and_then(|it| file::read(it, segment.n_chunks() as usize, table));
        known.unwrap_or_else(|| {
            let made = Self::new(segment, table);
            // What a damaged segment gives must not outlive it.
            if let Some(path) = path.filter(|_| !segment.is_damaged()) {
                file::write(&path, &made);
            }
            made
        })
    }

    /// Sums, for each chunk, the vectors of its terms.
    fn new(segment: &Segment, table: &TermTable) -> Self {
        let (n, dimensions) = (segment.n_chunks() as usize, table.dimensions());
        let mut res = Self {
            id: table.id(),
            dimensions,
            numbers: vec![0; n * dimensions],
            factors: vec![0.0; n * dimensions / BLOCK],
        };
        let lists = known_lists(segment, table);
        let mut sums = vec![0.0; n.min(SUMMED) * dimensions];
        for first in (0..n).step_by(SUMMED) {
            let count = (n - first).min(SUMMED);
            let sums = &mut sums[..count * dimensions];
            sums.fill(0.0);
            for (term, offset) in &lists {
                add_list(segment, table, (*term, *offset), first, sums);
            }
            for (at, sum) in (first..).zip(sums.chunks_exact(dimensions)) {
                let numbers = &mut res.numbers[at * dimensions..][..dimensions];
                let blocks = dimensions / BLOCK;
                pack(sum, numbers, &mut res.factors[at * blocks..][..blocks]);
            }
        }
        res
    }

    /// The vector of chunk `at`.
    pub(crate) fn view(&self, at: usize) -> PackedView<'_> {
        let blocks = self.dimensions / BLOCK;
        PackedView {
            numbers: &self.numbers[at * self.dimensions..][..self.dimensions],
            factors: &self.factors[at * blocks..][..blocks],
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.numbers.len() / self.dimensions
    }
}

/// The terms that a segment and a table both have: the number in the table, and the offset of the posting list.
fn known_lists(segment: &Segment, table: &TermTable) -> Vec<(usize, u64)> {
    let mut walk = segment.offsets();
    let terms = table.terms().iter().enumerate();
    terms.filter_map(|(at, term)| Some((at, walk.get(term)?))).collect()
}

/// Adds the vector of a term to the sums of those chunks from `first` on that have it.
fn add_list(
    segment: &Segment,
    table: &TermTable,
    (term, offset): (usize, u64),
    first: usize,
    sums: &mut [f32],
) {
    let Some(bytes) = segment.postings_at(offset) else { return };
    let dimensions = table.dimensions();
    let (mut list, mut block) = (Postings::new(&bytes), Block::new());
    list.skip_to(first as u32);
    while list.next_block(&mut block) {
        for (chunk, frequencies) in block.postings() {
            let Some(at) = (chunk as usize).checked_sub(first) else { continue };
            let Some(sum) = sums.get_mut(at * dimensions..(at + 1) * dimensions) else { return };
            table.add(term, table.weight(frequencies), sum);
        }
    }
}
