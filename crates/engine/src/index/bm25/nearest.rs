//! The chunks that are nearest to a vector: all are compared, since a repository has too few for an index to pay.

use super::query::{Keep, ScoredChunk};
use super::top::{TopChunks, highest, nth, reaching};
use crate::dense::{Packed, TermTable};
use crate::index::ids::ChunkId;
use crate::index::snapshot::{SegmentView, Snapshot};

impl Snapshot {
    /// The `limit` chunks that are nearest to a vector in the files that `keep` accepts, with their cosines.
    pub(crate) fn nearest(
        &self,
        vector: &Packed,
        table: &TermTable,
        keep: Keep<'_>,
        limit: usize,
    ) -> Vec<ScoredChunk> {
        let scores: Vec<Vec<f32>> =
            self.segments.iter().map(|it| likenesses(it, vector, table)).collect();
        let groups: Vec<Vec<f32>> = scores.iter().map(|it| highest(it).collect()).collect();
        let least = if keep.is_none() { nth(groups.concat(), limit) } else { 0.0 };
        let mut top = TopChunks::new(limit);
        for ((view, scores), highest) in self.segments.iter().zip(&scores).zip(&groups) {
            for (chunk, score) in reaching(scores, highest, least) {
                if score < top.threshold() {
                    continue;
                }
                let chunk = chunk as u32;
                let Some(ord) = view.segment.table.file_of(chunk) else { continue };
                let Some(file) = view.owner(ord) else { continue };
                if keep.is_none_or(|keep| keep(file)) {
                    let idx = chunk - view.segment.table.chunks_of(ord).start;
                    top.offer(ScoredChunk { chunk: ChunkId { file, idx }, score });
                }
            }
        }
        top.finish()
    }
}

/// The cosines of all chunks of a segment; 0 for those that are not in the view, and instead of less.
fn likenesses(view: &SegmentView, vector: &Packed, table: &TermTable) -> Vec<f32> {
    let vectors = view.segment.vectors(table);
    let of = |at: usize| vector.likeness(vectors.view(at)).max(0.0);
    let mut res: Vec<f32> = (0..vectors.len()).map(of).collect();
    let dead = view.live.iter().flat_map(|it| &it.dead);
    dead.for_each(|it| res[*it as usize] = 0.0);
    res
}
