//! Where candidates stand once it is known what of the cursor's own file is shown around it.

use std::ops::Range;

use super::select::VisibleText;
use crate::evidence::DropReason;
use crate::fuse::Candidate;
use crate::index::{ChunkId, Snapshot};
use crate::sorting::sort_by;

/// What of a score is left, beside the share of a chunk that the text around the cursor does not show: the words by which
/// the chunk was found may be in the part that it shows. Without any of it the rest of such chunks, three candidates of a
/// cursor, was never shown (`benchmarks/results/cursor.md`).
const REST: f32 = 0.7;

/// Of a chunk of which the text around the cursor shows more than this share, nothing is missing that is looked for there.
const MOST: f32 = 0.5;

/// A candidate, and how much it is wanted.
#[derive(Clone, Copy, Debug)]
pub struct Standing<'c> {
    /// The candidate.
    pub candidate: &'c Candidate,
    /// Its score; less where the text around the cursor shows a part of it.
    pub score: f32,
    /// The share of its chunk that the text around the cursor shows.
    seen: f32,
}

impl Standing<'_> {
    /// The chunk that the candidate is of.
    pub fn chunk(&self) -> ChunkId {
        self.candidate.chunk
    }

    /// Why it is left out, where it is for its score or for want of room: what is shown around the cursor is not weak.
    pub(super) fn left_out(&self, why: DropReason) -> DropReason {
        if self.seen > MOST { DropReason::Beside } else { why }
    }
}

/// Candidates by what is left of them beside the text around the cursor, best first; equal ones stay in their order.
pub fn standings<'c>(
    snapshot: &Snapshot,
    visible: &VisibleText<'_>,
    candidates: &'c [Candidate],
) -> Vec<Standing<'c>> {
    let seen = |span: &Range<usize>| -> usize {
        let ranges = visible.window.visible.iter();
        ranges.map(|it| it.end.min(span.end).saturating_sub(it.start.max(span.start))).sum()
    };
    let standing = |candidate: &'c Candidate| {
        if Some(candidate.chunk.file) != visible.file {
            return Standing { candidate, score: candidate.score, seen: 0.0 };
        }
        let info = snapshot.chunk(candidate.chunk);
        let span = info.start as usize..info.end as usize;
        let seen = seen(&span) as f32 / span.len().max(1) as f32;
        let left = if seen > 0.0 { REST * (1.0 - seen) } else { 1.0 };
        Standing { candidate, score: candidate.score * left, seen }
    };
    let mut res: Vec<Standing<'c>> = candidates.iter().map(standing).collect();
    sort_by(&mut res, |a, b| b.score.total_cmp(&a.score));
    res
}
