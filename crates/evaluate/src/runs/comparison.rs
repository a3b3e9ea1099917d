//! Compares the engine's context for holes with [`baselines`](crate::baselines) that get the same window, the same token
//! estimate and the same budgets.
//!
//! Tasks are holes that later commits filled, over the tree of the parent commit, or holes that were cut into files of
//! a directory. In both, the cursor's file is exactly prefix + suffix during retrieval: for a commit this is checked
//! (else the hole may be in the corpus), for a directory the text replaces the file. The window around the cursor is
//! that of the preset, the same for all methods and budgets; a budget limits the pieces beside it. The measures are
//! defined in [`coverage`](crate::measures::coverage). Tasks in test files are summarised separately: they copy their
//! neighbours, and most of a history is tests.
//!
//! With [`Protocol::LeftToRight`] nothing after the cursor is known: there is no suffix, and the cursor's file ends at
//! the hole. RepoCoder ran RepoEval this way, which leaves out the windows of the target file after the hole.

pub(crate) mod ask;
mod markdown;
mod summary;
mod table;

use std::sync::Arc;

use anyhow::Result;
use foreword_engine::preset::Preset;
use serde::Serialize;

use crate::baselines::Baseline;
use crate::measures::coverage::Coverage;
use crate::measures::percentile;
use crate::runs::run::Run;
use crate::runs::writer::{ModelClient, ModelInfo};
use crate::tasks::corpora::Corpora;
use crate::tasks::{
    self,
    selection::{TaskBatch, TaskKind},
};

pub(crate) use ask::cursor_of;
pub use ask::{Method, ask};
pub use markdown::markdown;
pub use summary::{MEASURES, Measure, MeasureComparison, MethodRow, Summary};
pub use table::print;

/// Whether the text after the cursor is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Protocol {
    /// The text after the hole is known.
    #[default]
    FillIn,
    /// The file ends at the hole.
    LeftToRight,
}

/// Which tasks are asked, and how.
#[derive(Clone, Debug)]
pub struct Selection {
    /// The tasks.
    pub tasks: tasks::selection::Selection,
    /// Where their code is.
    pub corpora: Corpora,
    /// The baselines.
    pub baselines: Vec<Baseline>,
    /// The engine with other settings.
    pub variants: Vec<Variant>,
    /// Tokens for pieces; `None`: each method's own.
    pub budgets: Vec<Option<usize>>,
    /// Whether the text after the cursor is known.
    pub protocol: Protocol,
    /// Whether methods know the edits of earlier commits.
    pub session: SessionUse,
    /// How much of an answer outcomes keep.
    pub detail: Detail,
    /// The model that completes with each context, if any.
    pub writer: Option<Arc<ModelClient>>,
}

/// The engine with other settings.
#[derive(Clone, Debug)]
pub struct Variant {
    /// The differences: `key=value,key=value`.
    pub name: String,
    /// All settings.
    pub preset: Preset,
}

/// Whether methods know the edits of earlier commits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SessionUse {
    /// All methods do, the engine too.
    #[default]
    Told,
    /// None does.
    Untold,
}

/// How much of an answer an outcome keeps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Detail {
    /// The measures.
    #[default]
    Measures,
    /// Also the locations of the pieces and the identifiers that they contain.
    Pieces,
}

/// The context of one method within one budget.
#[derive(Clone, Debug, Serialize)]
pub struct Answer {
    /// Which method.
    pub method: String,
    /// Tokens for pieces; `null`: its own.
    pub budget: Option<usize>,
    /// Its measures.
    #[serde(flatten)]
    pub coverage: Coverage,
    /// `path:first-last`, in the order of the prompt; only with [`Detail::Pieces`].
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shown: Vec<String>,
    /// The target identifiers that it has; only with [`Detail::Pieces`].
    #[serde(rename = "had", skip_serializing_if = "Vec::is_empty")]
    pub covered: Vec<String>,
    /// The model's completion; only with [`Detail::Pieces`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub written: Option<String>,
}

/// The outcome of a task.
#[derive(Clone, Debug, Serialize)]
pub struct Outcome {
    /// The task's id.
    pub id: String,
    /// `owner/name`.
    pub repo: String,
    /// In lower case.
    pub language: String,
    /// Whether the cursor is in a test.
    pub is_test: bool,
    /// The engine's latency, from the snapshot to the pieces of the largest budget.
    pub milliseconds: f64,
    /// Tokens of the window.
    pub window: usize,
    /// The share of the target identifiers that the repository has anywhere.
    pub known: Option<f64>,
    /// How many target identifiers there are.
    #[serde(rename = "wanted")]
    pub targets: usize,
    /// The engine first, then its variants, then the baselines; of each all budgets.
    pub answers: Vec<Answer>,
}

/// The result of a comparison.
#[derive(Serialize)]
pub struct Comparison {
    /// Whether the text after the cursor was known.
    pub protocol: Protocol,
    /// Whether methods knew the edits of earlier commits.
    pub session: SessionUse,
    /// The model that completed, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub written_by: Option<ModelInfo>,
    /// Tasks without a history, in which the baselines that depend on one show nothing.
    pub without_session: usize,
    /// Code and tests, then the code of each language and repository.
    pub summaries: Vec<Summary>,
    /// Median latency in milliseconds.
    pub p50: f64,
    /// 95th percentile of the latency in milliseconds.
    pub p95: f64,
    /// One by one.
    pub outcomes: Vec<Outcome>,
}

/// Asks all selected tasks. Repositories are asked in parallel, the tasks of one in turn.
pub fn run(selection: &Selection, preset: &Preset) -> Result<Run<Comparison>> {
    let mut batch = choose(selection)?;
    let asked = batch.ask(|tasks| ask::all(selection, tasks, preset));
    let without_session = asked.iter().filter(|it| !it.has_session).count();
    let outcomes: Vec<Outcome> = asked.into_iter().map(|it| it.outcome).collect();
    let times: Vec<f64> = outcomes.iter().map(|it| it.milliseconds).collect();
    let result = Comparison {
        protocol: selection.protocol,
        session: selection.session,
        written_by: selection.writer.as_ref().map(|it| it.info()),
        without_session,
        summaries: summary::summaries(&outcomes),
        p50: percentile(&times, 0.5),
        p95: percentile(&times, 0.95),
        outcomes,
    };
    Ok(Run::new(preset, batch, result))
}

/// Holes whose code is published.
const HOLES: TaskKind = TaskKind {
    name: "completion",
    matches: |it| it.task == "completion",
    has_corpus: Some(|it| it.corpus.kind != "none"),
};

/// Reads the tasks of a selection.
pub(crate) fn choose(selection: &Selection) -> Result<TaskBatch> {
    selection.tasks.read(&HOLES, |it| selection.corpora.has(it))
}

#[cfg(test)]
mod tests;
