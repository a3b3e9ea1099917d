//! The common part of runs over holes: their selection, their settings, and the engine's retrieval at a cursor.

pub mod cursor;
pub mod retrieval;
pub mod scorer;

use std::sync::Arc;

use anyhow::Result;
use foreword_engine::preset::Preset;
use serde::Serialize;

use crate::baselines::Baseline;
use crate::runs::model_client::ModelClient;
use crate::tasks::corpora::Corpora;
use crate::tasks::selection::{Selection, TaskBatch, TaskKind};

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

/// The tasks of a run and its settings.
#[derive(Clone, Debug)]
pub struct CompletionSettings {
    /// The tasks.
    pub tasks: Selection,
    /// Location of their code.
    pub corpora: Corpora,
    /// The baselines.
    pub baselines: Vec<Baseline>,
    /// The engine with other settings.
    pub variants: Vec<Variant>,
    /// Tokens for pieces; `None` for each method's own.
    pub budgets: Vec<Option<usize>>,
    /// Whether the text after the cursor is known.
    pub protocol: Protocol,
    /// Whether methods know the edits of earlier commits.
    pub session: SessionUse,
    /// Level of detail of outcomes.
    pub detail: Detail,
    /// The model that completes with each context, if any.
    pub model: Option<Arc<ModelClient>>,
}

/// The engine with other settings.
#[derive(Clone, Debug)]
pub struct Variant {
    /// The differences: `key=value,key=value`.
    pub name: String,
    /// All settings.
    pub preset: Preset,
}

/// Access of methods to the edits of earlier commits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SessionUse {
    /// All methods know them.
    #[default]
    Told,
    /// No method knows them.
    Untold,
    /// The engine knows the saved edits of a task's own session, by their difference to the commit, as on the command
    /// line; the baselines know nothing.
    Saved,
}

/// Level of detail of an outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Detail {
    /// The measures.
    #[default]
    Measures,
    /// Also the locations of the pieces and the identifiers that they contain.
    Pieces,
}

/// A method that chooses a context.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// This project's engine.
    Engine,
    /// A baseline.
    Baseline(Baseline),
}

impl Method {
    /// Name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Engine => "foreword",
            Self::Baseline(it) => it.name(),
        }
    }
}

/// Holes whose code is published.
const HOLES: TaskKind = TaskKind {
    name: "completion",
    matches: |it| it.task == "completion",
    has_corpus: Some(|it| it.corpus.kind != "none"),
};

/// Reads the tasks of a selection.
pub fn choose(settings: &CompletionSettings) -> Result<TaskBatch> {
    settings.tasks.read(&HOLES, |it| settings.corpora.has(it))
}
