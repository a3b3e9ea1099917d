//! The outcome of one task: its lines, each with a prediction for every context.

use serde::Serialize;

use crate::measures::bits::Bits;

/// The contexts of the model, each including those before it.
pub const CONTEXTS: [&str; 4] = ["file", "+ context", "+ directory", "+ repository"];

/// Selects the predicted lines of a hole.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct LineSettings {
    /// Maximum number of lines per hole, evenly chosen.
    #[arg(long, value_name = "N", default_value_t = 6)]
    pub lines: usize,
    /// Fraction of each line after its indentation, from 0 to below 1, that is already written.
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    pub begun: f64,
    /// Number of contexts: the file alone, the composed pieces, the directory, the repository.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..=4))]
    pub contexts: u8,
}

/// A predicted line.
#[derive(Clone, Debug, Serialize)]
pub struct Prediction {
    /// The model's first choice; empty without one.
    pub(crate) line: String,
    /// Whether it equals the true line.
    pub(crate) is_right: bool,
    pub(crate) probability: f64,
    /// The probability of the second choice.
    pub(crate) second: f64,
    /// Number of tokens.
    pub(crate) tokens: usize,
    /// How often the whole line occurs in the texts that the model read.
    pub(crate) repeated: usize,
    pub(crate) confidence: f64,
    /// Its latency, including all counting except the repository's.
    pub(crate) milliseconds: f64,
}

/// A line with its predictions.
#[derive(Clone, Debug, Serialize)]
pub struct Line {
    pub(crate) truth: String,
    /// The text that is already written on the line.
    pub(crate) begun: String,
    /// By [`CONTEXTS`], the first ones of them.
    pub(crate) written: Vec<Prediction>,
}

/// The outcome of a task.
#[derive(Clone, Debug, Serialize)]
pub struct Outcome {
    pub(crate) id: String,
    pub(crate) repo: String,
    pub(crate) language: String,
    pub(crate) is_test: bool,
    pub(crate) lines: Vec<Line>,
    /// The cross-entropy of the hole, with the file alone and with the context ([`crate::measures::bits`]).
    pub(crate) bits: [Bits; 2],
    /// Milliseconds for counting the repository.
    pub(crate) counting: f64,
}
