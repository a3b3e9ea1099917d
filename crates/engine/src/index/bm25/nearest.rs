//! Finds the chunks nearest to a vector by comparing all: a repository has too few for an index to pay off.

use super::query::{Keep, ScoredChunk};
use super::top::TopChunks;
use crate::dense::QuestionVector;
use crate::index::ids::ChunkId;
use crate::index::snapshot::Snapshot;
use crate::index::vectors::Vectors;
use crate::preset::constants::index::{CANDIDATES_A_HIT, EXACT_VECTORS, FEWEST_CANDIDATES};

impl Snapshot {
    /// The `limit` chunks nearest to a question in files that `keep` accepts, with cosines.
    pub(crate) fn nearest(
        &self,
        question: &QuestionVector,
        vectors: &Vectors,
        keep: Keep<'_>,
        limit: usize,
    ) -> Vec<ScoredChunk> {
        let rows = vectors.rows_of(self);
        let is_kept = |it: &&(ChunkId, u32)| keep.is_none_or(|keep| keep(it.0.file));
        let kept: Vec<(ChunkId, u32)> = rows.rows.iter().filter(is_kept).copied().collect();
        let most = (limit * CANDIDATES_A_HIT).max(FEWEST_CANDIDATES);
        let kept =
            if kept.len() > EXACT_VECTORS { alike(kept, question, vectors, most) } else { kept };
        let mut top = TopChunks::new(limit);
        for (chunk, row) in kept {
            let score = question.packed.likeness(vectors.view(row)).max(0.0);
            if score >= top.threshold() {
                top.offer(ScoredChunk { chunk, score });
            }
        }
        top.finish()
    }
}

/// The rows, at least `most`, with the most signs in common with a question, in order.
fn alike(
    rows: Vec<(ChunkId, u32)>,
    question: &QuestionVector,
    vectors: &Vectors,
    most: usize,
) -> Vec<(ChunkId, u32)> {
    let signs: Vec<u64> = question.packed.view().signs().collect();
    let distances: Vec<u32> = rows.iter().map(|it| vectors.distance(it.1, &signs)).collect();
    let mut counts = vec![0_usize; signs.len() * 64 + 1];
    distances.iter().for_each(|it| counts[*it as usize] += 1);
    let mut sum = 0;
    let reaches = |n: &usize| {
        sum += n;
        sum >= most
    };
    let farthest = counts.iter().position(reaches).unwrap_or(counts.len()) as u32;
    let near = rows.into_iter().zip(distances).filter(|it| it.1 <= farthest);
    near.map(|it| it.0).collect()
}
