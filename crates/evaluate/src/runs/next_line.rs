//! Predicts the next line of a hole with the embedded model: how often it is exactly right, with and without the
//! context, how well its confidence is calibrated, and how long it takes.
//!
//! Each line of a hole is predicted after the true lines before it, with the suffix of the hole, so that the suffix never
//! contains the line. The pieces are those at the hole's beginning. A prediction is right when it equals the true line
//! except for trailing white space. Empty lines are not predicted. Where a share of each line is already written, its
//! rest is predicted.

mod ask;
mod report;

use anyhow::Result;
use foreword_engine::preset::Preset;
use serde::Serialize;

use crate::measures::bits::Bits;
use crate::runs::comparison::{Selection, choose};
use crate::runs::run::Run;

pub use report::{Bucket, Summary, print};

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

/// The result of a run.
#[derive(Serialize)]
pub struct NextLines {
    /// All, code and tests, then each language.
    pub summaries: Vec<Summary>,
    /// The calibration of the confidence, by [`CONTEXTS`].
    pub buckets: Vec<Vec<Bucket>>,
    /// One by one.
    pub outcomes: Vec<Outcome>,
}

/// Asks all selected tasks. Repositories are asked in parallel, the tasks of one in turn. The baselines and budgets of
/// the selection are not used here.
pub fn run(selection: &Selection, lines: LineSettings, preset: &Preset) -> Result<Run<NextLines>> {
    let mut batch = choose(selection)?;
    let outcomes = batch.ask(|tasks| ask::all(selection, lines, tasks, preset));
    let (summaries, buckets) = (report::summaries(&outcomes), report::buckets(&outcomes));
    Ok(Run::new(preset, batch, NextLines { summaries, buckets, outcomes }))
}
