//! The outcome of one task of a comparison.

use serde::Serialize;

use crate::measures::coverage::Coverage;
use crate::tasks::task::Task;

/// The context of one method within one budget.
#[derive(Clone, Debug, Serialize)]
pub struct Answer {
    pub(crate) method: String,
    /// Tokens for pieces; `null` for the method's own.
    pub(crate) budget: Option<usize>,
    #[serde(flatten)]
    pub(crate) coverage: Coverage,
    /// `path:first-last`, in the order of the prompt; only with [`Detail::Pieces`](crate::runs::completion::Detail::Pieces).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) shown: Vec<String>,
    /// The target identifiers in it; only with [`Detail::Pieces`](crate::runs::completion::Detail::Pieces).
    #[serde(rename = "had", skip_serializing_if = "Vec::is_empty")]
    pub(crate) covered: Vec<String>,
    /// The model's completion; only with [`Detail::Pieces`](crate::runs::completion::Detail::Pieces).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) written: Option<String>,
}

/// What kind of hole a task has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum HoleKind {
    /// Code that a commit added.
    Block,
    /// Code that a commit added, in the middle of the commit.
    Session,
    /// A function that was removed from a state of the repository.
    Removed,
    /// Code that a commit added to a test.
    Test,
}

impl HoleKind {
    /// The kind of a task's hole.
    pub(super) fn of(task: &Task) -> Self {
        match task {
            Task { session, .. } if !session.is_empty() => Self::Session,
            Task { meta, .. } if meta.is_test_file => Self::Test,
            Task { dataset, .. } if dataset == "removed" => Self::Removed,
            _ => Self::Block,
        }
    }
}

/// The outcome of a task.
#[derive(Clone, Debug, Serialize)]
pub struct Outcome {
    pub(crate) id: String,
    pub(crate) repo: String,
    pub(crate) language: String,
    pub(crate) is_test: bool,
    pub(crate) kind: HoleKind,
    /// Whether the task has a history.
    #[serde(skip)]
    pub(crate) has_session: bool,
    /// The engine's latency, from the snapshot to the pieces of the largest budget.
    pub(crate) milliseconds: f64,
    pub(crate) window: usize,
    /// Fraction of the target identifiers that occur in the repository.
    pub(crate) known: Option<f64>,
    #[serde(rename = "wanted")]
    pub(crate) targets: usize,
    /// The engine first, then its variants, then the baselines; each with all budgets.
    pub(crate) answers: Vec<Answer>,
}
