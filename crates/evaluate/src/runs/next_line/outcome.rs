//! The outcome of one task: its lines, each with a prediction for every context.

use serde::Serialize;

use crate::measures::bits::Bits;

/// The contexts of the model, each including those before it.
pub const CONTEXTS: [&str; 4] = ["file", "+ context", "+ directory", "+ repository"];

/// Selects the predicted lines of a hole.
#[derive(Clone, Copy, Debug)]
pub struct LineSettings {
    /// Maximum number of lines, evenly chosen.
    pub lines: usize,
    /// Fraction of each line's characters after its indentation, from 0 to below 1, that precedes the cursor.
    pub begun: f64,
}

/// A predicted line.
#[derive(Clone, Debug, Serialize)]
pub struct Prediction {
    /// The model's first choice; empty without one.
    pub line: String,
    /// Whether it equals the true line.
    pub is_right: bool,
    /// The model's probability.
    pub probability: f64,
    /// Its confidence.
    pub confidence: f64,
    /// Its latency, including all counting except the repository's.
    pub milliseconds: f64,
}

/// A line with its predictions.
#[derive(Clone, Debug, Serialize)]
pub struct Line {
    /// The true line.
    pub truth: String,
    /// By [`CONTEXTS`].
    pub written: Vec<Prediction>,
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
    /// The predicted lines.
    pub lines: Vec<Line>,
    /// The cross-entropy of the hole, with the file alone and with the context ([`crate::measures::bits`]).
    pub bits: [Bits; 2],
    /// Milliseconds for counting the repository.
    pub counting: f64,
}
