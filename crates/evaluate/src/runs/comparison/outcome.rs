//! The outcome of one task of a comparison.

use serde::Serialize;

use crate::measures::coverage::Coverage;

/// The context of one method within one budget.
#[derive(Clone, Debug, Serialize)]
pub struct Answer {
    /// Name of the method.
    pub(crate) method: String,
    /// Tokens for pieces; `null` for the method's own.
    pub(crate) budget: Option<usize>,
    /// Its measures.
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

/// The outcome of a task.
#[derive(Clone, Debug, Serialize)]
pub struct Outcome {
    /// The task's id.
    pub(crate) id: String,
    /// `owner/name`.
    pub(crate) repo: String,
    /// In lower case.
    pub(crate) language: String,
    /// Whether the cursor is in a test.
    pub(crate) is_test: bool,
    /// Whether the task has a history.
    #[serde(skip)]
    pub(crate) has_session: bool,
    /// The engine's latency, from the snapshot to the pieces of the largest budget.
    pub(crate) milliseconds: f64,
    /// Tokens of the window.
    pub(crate) window: usize,
    /// Fraction of the target identifiers that occur in the repository.
    pub(crate) known: Option<f64>,
    /// Number of target identifiers.
    #[serde(rename = "wanted")]
    pub(crate) targets: usize,
    /// The engine first, then its variants, then the baselines; each with all budgets.
    pub(crate) answers: Vec<Answer>,
}
