//! What `embed` and `status` say of the map of questions (docs/embedding.md).

use foreword_engine::dense::query_map::{LEAST_PAIRS, MOST_DIMENSIONS, Outcome, Report};
use serde::Serialize;

/// How questions are mapped, or why they are not (docs/json.md).
#[derive(Serialize)]
pub(super) struct MapSummary {
    in_force: bool,
    /// `better`, `too-few-pairs`, `no-gain`, `too-long`.
    why: &'static str,
    /// What it was learned from.
    doc_pairs: usize,
    feedback_pairs: usize,
    /// The mean reciprocal rank of the right answer on left-out pairs, without the map and with it, and the standard error of the
    /// difference.
    before: f32,
    after: f32,
    error: f32,
}

impl MapSummary {
    pub(super) fn new(report: &Report) -> Self {
        let why = match report.outcome {
            Outcome::InForce => "better",
            Outcome::TooFewPairs => "too-few-pairs",
            Outcome::NoGain => "no-gain",
            Outcome::TooLong => "too-long",
        };
        Self {
            in_force: report.outcome == Outcome::InForce,
            why,
            doc_pairs: report.docs,
            feedback_pairs: report.feedback,
            before: report.before,
            after: report.after,
            error: report.error,
        }
    }

    pub(super) fn text(&self) -> String {
        let Self { doc_pairs, feedback_pairs, before, after, error, .. } = self;
        let pairs = format!("{feedback_pairs} verdicts and {doc_pairs} doc comments");
        let ranks = format!("on those left out {before:.3} → {after:.3} ± {error:.3}");
        let said = match self.why {
            "better" => format!("in force, learned from {pairs}; {ranks}"),
            "too-few-pairs" => format!("none: {pairs}, and {LEAST_PAIRS} are needed"),
            "too-long" => format!("none: vectors have more than {MOST_DIMENSIONS} numbers"),
            _ => format!("none: {pairs} do not help by more than chance; {ranks}"),
        };
        format!("map of questions: {said}\n")
    }
}
