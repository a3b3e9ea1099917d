//! Compares the engine's context for holes with [`baselines`](crate::baselines) that get the same window, token
//! estimate and budgets.
//!
//! Tasks are holes that later commits filled, over the tree of the parent commit, or holes cut into files of a
//! directory. In both, the cursor's file is exactly prefix + suffix during retrieval: for a commit this is checked
//! (else the hole may be in the corpus), for a directory the text replaces the file. All methods and budgets have the
//! window of the preset; a budget limits the pieces besides it. [`coverage`](crate::measures::coverage) defines the
//! measures. Tasks in test files are summarised separately: they copy their neighbours, and most of a history is tests.
//!
//! With [`LeftToRight`](crate::runs::completion::Protocol::LeftToRight) the suffix is unknown: the cursor's file ends
//! at the hole. RepoCoder ran RepoEval this way, which excludes the windows of the target file after the hole.

mod ask;
mod halves;
mod markdown;
mod outcome;
mod result;
mod summary;
mod table;

use anyhow::Result;
use foreword_engine::preset::Preset;

use crate::measures::percentile;
use crate::runs::completion::{CompletionSettings, choose};
use crate::runs::run::Run;

pub use halves::halves;
pub use markdown::markdown;
pub use outcome::{Answer, HoleKind, Outcome};
pub use result::Comparison;
pub use summary::{MEASURES, Measure, MeasureComparison, MethodRow, Summary};
pub use table::{Tables, print};

/// Runs all selected tasks, the repositories in parallel, the tasks of one in turn.
pub fn run(settings: &CompletionSettings, preset: &Preset) -> Result<Run<Comparison>> {
    let mut batch = choose(settings)?;
    let outcomes = batch.ask(|tasks| ask::all(settings, tasks, preset));
    let times: Vec<f64> = outcomes.iter().map(|it| it.milliseconds).collect();
    let result = Comparison {
        protocol: settings.protocol,
        session: settings.session,
        written_by: settings.model.as_ref().map(|it| it.info()),
        without_session: outcomes.iter().filter(|it| !it.has_session).count(),
        summaries: summary::summaries(&outcomes),
        p50: percentile(&times, 0.5),
        p95: percentile(&times, 0.95),
        outcomes,
    };
    Ok(Run::new(preset, batch, result))
}

#[cfg(test)]
mod tests;
