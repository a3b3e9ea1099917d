//! Orders candidates after the text around the cursor is known.

use std::ops::Range;

use super::window::VisibleText;
use crate::evidence::DropReason;
use crate::fuse::Candidate;
use crate::index::{ChunkId, Snapshot};
use crate::preset::constants::trim::{MOSTLY_VISIBLE, PARTLY_VISIBLE};
use crate::sorting::sort_by;

/// A candidate and its remaining score.
#[derive(Clone, Copy, Debug)]
pub struct RankedCandidate<'c> {
    /// The candidate.
    pub candidate: &'c Candidate,
    /// Its score, reduced if the text around the cursor shows part of it.
    pub score: f32,
    /// Share of its chunk that the text around the cursor shows.
    seen: f32,
}

impl RankedCandidate<'_> {
    /// The chunk of the candidate.
    pub fn chunk(&self) -> ChunkId {
        self.candidate.chunk
    }

    /// The reason for dropping it. A candidate that is mostly shown around the cursor is not weak, but visible.
    pub(super) fn left_out(&self, why: DropReason) -> DropReason {
        if self.seen > MOSTLY_VISIBLE { DropReason::Beside } else { why }
    }
}

/// Sorts candidates by their scores beside the text around the cursor, best first, stably.
pub fn ranked_candidates<'c>(
    snapshot: &Snapshot,
    visible: &VisibleText<'_>,
    candidates: &'c [Candidate],
) -> Vec<RankedCandidate<'c>> {
    let seen = |span: &Range<usize>| -> usize {
        let ranges = visible.window.visible.iter();
        ranges.map(|it| it.end.min(span.end).saturating_sub(it.start.max(span.start))).sum()
    };
    let ranked = |candidate: &'c Candidate| {
        if Some(candidate.chunk.file) != visible.file {
            return RankedCandidate { candidate, score: candidate.score, seen: 0.0 };
        }
        let info = snapshot.chunk(candidate.chunk);
        let span = info.start as usize..info.end as usize;
        let seen = seen(&span) as f32 / span.len().max(1) as f32;
        let left = if seen > 0.0 { PARTLY_VISIBLE * (1.0 - seen) } else { 1.0 };
        RankedCandidate { candidate, score: candidate.score * left, seen }
    };
    let mut res: Vec<RankedCandidate<'c>> = candidates.iter().map(ranked).collect();
    sort_by(&mut res, |a, b| b.score.total_cmp(&a.score));
    res
}
