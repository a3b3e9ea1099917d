//! The outcome of one task of a comparison.

use serde::Serialize;

use crate::measures::coverage::Coverage;

/// The context of one method within one budget.
#[derive(Clone, Debug, Serialize)]
pub struct Answer {
    /// Name of the method.
    pub method: String,
    /// Tokens for pieces; `null` for the method's own.
    pub budget: Option<usize>,
    /// Its measures.
    #[serde(flatten)]
    pub coverage: Coverage,
    /// `path:first-last`, in the order of the prompt; only with [`Detail::Pieces`](crate::runs::completion::Detail::Pieces).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shown: Vec<String>,
    /// The target identifiers in it; only with [`Detail::Pieces`](crate::runs::completion::Detail::Pieces).
    #[serde(rename = "had", skip_serializing_if = "Vec::is_empty")]
    pub covered: Vec<String>,
    /// The model's completion; only with [`Detail::Pieces`](crate::runs::completion::Detail::Pieces).
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
    /// Whether the task has a history.
    #[serde(skip)]
    pub has_session: bool,
    /// The engine's latency, from the snapshot to the pieces of the largest budget.
    pub milliseconds: f64,
    /// Tokens of the window.
    pub window: usize,
    /// Fraction of the target identifiers that occur in the repository.
    pub known: Option<f64>,
    /// Number of target identifiers.
    #[serde(rename = "wanted")]
    pub targets: usize,
    /// The engine first, then its variants, then the baselines; each with all budgets.
    pub answers: Vec<Answer>,
}
