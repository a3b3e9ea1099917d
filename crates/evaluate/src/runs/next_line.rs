//! Predicts the next line of a hole with the embedded model: its accuracy with and without the context, the calibration
//! of its confidence, and its latency.
//!
//! Each line of a hole is predicted after the true lines before it, with the suffix of the hole, so that the suffix
//! never contains the line. The pieces are those at the hole's beginning. A prediction is right when it equals the true
//! line except for trailing white space. Empty lines are skipped. Where a fraction of each line is already written, its
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

/// Runs all selected tasks, the repositories in parallel, the tasks of one in turn. Ignores the baselines and budgets
/// of the selection.
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
