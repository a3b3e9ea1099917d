//! Composes a prompt from a plan alone, without retrieval and without parsing the cursor's text.

use foreword_chunk::Language;

use super::compose::{Allowance, Mix, compose_plan};
use super::plan::FilePlan;
use super::recall::{AtCursor, recall};
use crate::index::Snapshot;
use crate::preset::Preset;
use crate::prompt::{Around, PromptAnswer, Target, TooSmall};
use crate::scope::{Activity, Cursor};
use crate::trim::nearest_lines;

/// A plan, and how to use it.
#[derive(Clone, Copy)]
pub struct PlanRecall<'p> {
    /// Plan of the cursor's file; without one the prompt has only pieces of recently touched files.
    pub plan: Option<&'p FilePlan>,
    /// Weight of the plan beside the words around the cursor.
    pub weight: f32,
    /// Maximum numbers of blocks and forecasts.
    pub mix: Mix,
    /// The user's recent actions in other files.
    pub activity: &'p Activity,
}

/// Composes the prompt for a cursor from the plan of its file. The window is the nearest lines.
pub fn prompt_of_plan(
    snapshot: &Snapshot,
    recalled: &PlanRecall<'_>,
    cursor: &Cursor,
    preset: &Preset,
    target: Target<'_>,
) -> Result<PromptAnswer, TooSmall> {
    let window = nearest_lines(cursor, &preset.budget, target.count);
    let around = Around {
        path: cursor.path(),
        language: Language::of_path(cursor.path(), cursor.prefix()),
        window: &window,
        budget: &preset.budget,
    };
    let PlanRecall { plan, weight, mix, activity } = *recalled;
    around.prompt(target, |tokens, truncation| {
        let at = AtCursor { cursor, window: &window, activity };
        let found = recall(plan, snapshot, at, (preset, weight));
        let (budget, count) = (&preset.budget, target.count);
        let allowance = Allowance { mix, tokens, budget, truncation, count };
        compose_plan(snapshot, plan, (cursor, &found), &allowance)
    })
}
