//! The signal `speculated`: lines cited by a plan for the cursor's file.

use super::inputs::{HoleInputs, Inputs};
use super::list::Hit;
use crate::evidence::Reason;
use crate::scope::PlannedLines;

/// For each citation, the chunk that contains most of the cited lines.
pub(super) fn planned(inputs: &Inputs<'_>, hole: &HoleInputs<'_>) -> Vec<Hit> {
    let snapshot = inputs.snapshot;
    let hit = |it: &PlannedLines| {
        let file = snapshot.file(&it.path)?;
        let shared = |at| {
            let chunk = snapshot.chunk(at);
            let end = chunk.end_line.min(it.last_line) + 1;
            end.saturating_sub(chunk.start_line.max(it.first_line))
        };
        // Ties go to the first chunk.
        let chunk = snapshot.chunks(file).rev().max_by_key(|at| shared(*at))?;
        let reason = Reason::Speculated { why: it.why.clone(), is_old: it.is_old };
        (shared(chunk) > 0).then_some(Hit { chunk, definition: None, score: it.score, reason })
    };
    hole.view.activity().planned.iter().filter_map(hit).collect()
}
