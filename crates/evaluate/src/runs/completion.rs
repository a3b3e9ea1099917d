//! What all runs over holes share: which holes, with which settings, and the engine's retrieval at a cursor.

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

/// Which tasks are asked, and how.
#[derive(Clone, Debug)]
pub struct CompletionSettings {
    /// The tasks.
    pub tasks: Selection,
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

/// Whether methods know the edits of earlier commits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SessionUse {
    /// All methods do, the engine too.
    #[default]
    Told,
    /// None does.
    Untold,
    /// The engine knows what a task's own session saved, by its difference to the commit, as the command line does; the
    /// baselines know nothing.
    Saved,
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

/// What chooses a context.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// This project's engine.
    Engine,
    /// A baseline.
    Baseline(Baseline),
}

impl Method {
    /// The name in reports.
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
