//! Predicts the next line of a hole with the embedded model: how often it is exactly right, with and without the
//! context, how well its confidence is calibrated, and how long it takes.
//!
//! Each line of a hole is predicted after the true lines before it, with the suffix of the hole, so that the suffix never
//! contains the line. The pieces are those at the hole's beginning. A prediction is right when it equals the true line
//! except for trailing white space. Empty lines are not predicted. Where a share of each line is already written, its
//! rest is predicted.

mod ask;
mod outcome;
mod report;

use anyhow::Result;
use foreword_engine::preset::Preset;

use crate::runs::completion::{CompletionSettings, choose};
use crate::runs::run::Run;

pub use outcome::{CONTEXTS, Line, LineSettings, Outcome, Prediction};
pub use report::{Bucket, NextLines, Summary, print};

/// Asks all selected tasks. Repositories are asked in parallel, the tasks of one in turn. The baselines and budgets of
/// the selection are not used here.
pub fn run(
    settings: &CompletionSettings,
    lines: LineSettings,
    preset: &Preset,
) -> Result<Run<NextLines>> {
    let mut batch = choose(settings)?;
    let outcomes = batch.ask(|tasks| ask::all(settings, lines, tasks, preset));
    let (summaries, buckets) = (report::summaries(&outcomes), report::buckets(&outcomes));
    Ok(Run::new(preset, batch, NextLines { summaries, buckets, outcomes }))
}
