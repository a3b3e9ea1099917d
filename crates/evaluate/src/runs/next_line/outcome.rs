//! The outcome of one task: its lines, each with a prediction for every context.

use serde::Serialize;

use crate::measures::bits::Bits;

/// The contexts of the model, each including those before it.
pub const CONTEXTS: [&str; 4] = ["file", "+ context", "+ directory", "+ repository"];

/// Which lines of a hole are predicted.
#[derive(Clone, Copy, Debug)]
pub struct LineSettings {
    /// At most so many of its lines, evenly chosen.
    pub lines: usize,
    /// The share of each line's characters behind its indentation, from 0 to below 1, that is before the cursor.
    pub begun: f64,
}

/// A predicted line.
#[derive(Clone, Debug, Serialize)]
pub struct Prediction {
    /// The model's first choice; empty when it had none.
    pub line: String,
    /// Whether it is the true line.
    pub is_right: bool,
    /// The model's probability of it.
    pub probability: f64,
    /// Its confidence.
    pub confidence: f64,
    /// Its latency, including all counting except for the repository's.
    pub milliseconds: f64,
}

/// A line with its predictions.
#[derive(Clone, Debug, Serialize)]
pub struct Line {
    /// The true one.
    pub truth: String,
    /// In the order of [`CONTEXTS`].
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
