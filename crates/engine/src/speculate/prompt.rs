//! Composes a prompt from a plan alone, without retrieval and without parsing the cursor's text; or from live retrieval with
//! forecasts of the plan beside it.

use foreword_chunk::Language;

use super::compose::{Allowance, ShownForecasts, compose_plan};
use super::mix::Mix;
use super::plan::FilePlan;
use super::recall::{AtCursor, recall};
use crate::index::Snapshot;
use crate::order::Truncation;
use crate::pipeline::CursorRetrieval;
use crate::preset::Preset;
use crate::prompt::{Around, PromptAnswer, Target, TooSmall};
use crate::scope::{Activity, Cursor};
use crate::sorting::sort_by_key;
use crate::trim::{Count, Selection, nearest_lines};

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

/// Composes the prompt of live retrieval with forecasts beside its pieces.
pub fn prompt_beside(
    retrieval: &CursorRetrieval<'_>,
    forecasts: &ShownForecasts<'_>,
    target: Target<'_>,
) -> Result<PromptAnswer, TooSmall> {
    let around = Around {
        path: retrieval.cursor.path(),
        language: retrieval.scope.language,
        window: &retrieval.window,
        budget: &retrieval.preset.budget,
    };
    around.prompt(target, |tokens, truncation| {
        select_beside(retrieval, forecasts, (tokens, truncation), target.count)
    })
}

/// The pieces of live retrieval, with forecasts that take their tokens from them.
pub fn select_beside(
    retrieval: &CursorRetrieval<'_>,
    forecasts: &ShownForecasts<'_>,
    (tokens, truncation): (usize, Truncation),
    count: Count<'_>,
) -> Selection {
    let (snapshot, cursor) = (retrieval.view.snapshot(), retrieval.cursor);
    let shown = forecasts.pieces(snapshot, cursor, (tokens, truncation, count));
    let spent: usize = shown.iter().map(|it| it.tokens).sum();
    let mut res = retrieval.select(tokens - spent, truncation, count);
    res.pieces.extend(shown);
    sort_by_key(&mut res.pieces, |it| it.position);
    res
}
