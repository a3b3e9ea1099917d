//! A prompt from a plan alone: nothing is retrieved, and the cursor's text is not parsed.

use foreword_chunk::Language;

use super::compose::{Allowance, Mix, compose_plan};
use super::config::RecallConfig;
use super::plan::FilePlan;
use super::recall::{AtCursor, recall};
use crate::index::Snapshot;
use crate::preset::Preset;
use crate::prompt::{Around, PromptAnswer, Target, TooSmall};
use crate::scope::{Activity, Cursor};
use crate::trim::nearest_lines;

/// How a plan is used.
#[derive(Clone, Copy)]
pub struct PlanRecall<'p> {
    /// The plan of the cursor's file; without one the prompt has only pieces of files that were touched just now.
    pub plan: Option<&'p FilePlan>,
    /// How its blocks are ranked.
    pub config: RecallConfig,
    /// How many blocks and forecasts are shown.
    pub mix: Mix,
    /// What the user did in other files.
    pub activity: &'p Activity,
}

/// The prompt for a cursor by the plan of its file. Around the cursor it shows the nearest lines.
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
    let PlanRecall { plan, config, mix, activity } = *recalled;
    around.prompt(target, |tokens, truncation| {
        let at = AtCursor { cursor, window: &window, activity };
        let found = recall(plan, snapshot, at, (preset, &config));
        let (budget, count) = (&preset.budget, target.count);
        let allowance = Allowance { mix, tokens, budget, truncation, count };
        compose_plan(snapshot, plan, (cursor, &found), &allowance)
    })
}
