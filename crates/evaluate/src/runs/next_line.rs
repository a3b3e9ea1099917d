//! The next line of a hole, as the embedded model completes it: how often it is exactly right, with and without the
//! context, what its confidence is worth, and how long it takes.
//!
//! A hole of several lines is several tasks: every line after the true ones before it, the suffix being that of the
//! hole. So the suffix never shows a line that is asked for. The pieces are those of the hole's beginning. A line is
//! right when it is the true one but for blanks at its end. Empty lines are not asked for. With a share of each line
//! written already, what is asked for is its rest.

mod ask;
mod report;

use anyhow::Result;
use foreword_engine::preset::Preset;
use serde::Serialize;

use crate::measures::bits::Bits;
use crate::runs::comparison::{Selection, choose};
use crate::runs::run::Run;

pub use report::{Bucket, Summary, print};

/// What the model is shown, from little to much; each has what those before it have.
pub const CONTEXTS: [&str; 4] = ["file", "+ context", "+ directory", "+ repository"];

/// What is asked for of a hole.
#[derive(Clone, Copy, Debug)]
pub struct LineSettings {
    /// At most so many of its lines, evenly chosen.
    pub lines: usize,
    /// The share of each line's characters behind its indentation, from 0 to below 1, that is before the cursor.
    pub begun: f64,
}

/// A line that was written.
#[derive(Clone, Debug, Serialize)]
pub struct Prediction {
    /// The model's first choice; empty when it had none.
    pub line: String,
    /// Whether it is the true line.
    pub is_right: bool,
    /// The model's probability of it.
    pub probability: f64,
    /// What it says of itself.
    pub confidence: f64,
    /// How long it took, everything but the repository's counts being counted anew.
    pub milliseconds: f64,
}

/// A line that was asked for.
#[derive(Clone, Debug, Serialize)]
pub struct Line {
    /// The true one.
    pub truth: String,
    /// In the order of [`CONTEXTS`].
    pub written: Vec<Prediction>,
}

/// What came of one task.
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
    /// The lines that were asked for.
    pub lines: Vec<Line>,
    /// What the hole costs, with the file alone and with the context ([`crate::measures::bits`]).
    pub bits: [Bits; 2],
    /// Milliseconds that the repository's counts took.
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
