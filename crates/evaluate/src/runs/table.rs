//! The table of an experiment: observations summarised by series and budget.

mod plot;
#[cfg(test)]
pub(crate) mod tests;
mod text;

use std::collections::BTreeMap;

use anyhow::{Result, ensure};
use serde::Serialize;

use crate::measures::coverage::Coverage;
use crate::measures::{Estimate, bootstrap, mean, paired_difference};
use crate::runs::completion::CompletionSettings;
use crate::runs::model_client::ModelInfo;
use crate::tasks::selection::TaskBatch;

pub use plot::plot;
pub use text::text;

/// The measures of one series in one task within one budget.
#[derive(Clone, Debug)]
pub struct Observation {
    /// Name of the series.
    pub series: String,
    /// Tokens for pieces; `None`: no limit.
    pub budget: Option<usize>,
    /// The measures.
    pub coverage: Coverage,
}

/// One series at one budget.
#[derive(Clone, Debug, Serialize)]
pub struct Point {
    /// Tokens for pieces; `null`: no limit.
    pub(crate) budget: Option<usize>,
    pub(crate) spent: f64,
    pub(crate) pieces: f64,
    /// Identifier coverage.
    pub identifiers: Estimate,
    pub(crate) tokens: Estimate,
    pub(crate) lines: Estimate,
    /// Bits per token that the pieces save.
    pub(crate) saved: Estimate,
    /// chrF, exact match and edit similarity of a model's completion, if a model was used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) written: Option<ModelScores>,
    /// The paired difference of identifier coverage to the reference at the same budget.
    pub(crate) above_reference: Option<Estimate>,
}

/// The scores of a model's completions.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct ModelScores {
    pub(crate) chrf: Estimate,
    pub(crate) exact: Estimate,
    pub(crate) similarity: Estimate,
    /// The paired difference of chrF to the reference at the same budget.
    pub(crate) above_reference: Option<Estimate>,
}

/// One variant.
#[derive(Clone, Debug, Serialize)]
pub struct Series {
    pub(crate) name: String,
    /// By budget.
    pub points: Vec<Point>,
}

/// The series over some tasks.
#[derive(Clone, Debug, Serialize)]
pub struct Group {
    /// `code` or `tests`, or a language.
    pub name: String,
    /// Number of tasks.
    pub n: usize,
    /// In the order of the experiment.
    pub series: Vec<Series>,
}

/// The result of an experiment.
#[derive(Debug, Serialize)]
pub struct Table {
    pub(crate) experiment: &'static str,
    pub(crate) reference: &'static str,
    /// The method, if the experiment has one.
    pub(crate) of: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) written_by: Option<ModelInfo>,
    /// Code, then tests.
    pub groups: Vec<Group>,
    /// The chunks of each variant, in experiments on chunks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub chunks: Vec<Chunks>,
    /// Choices, and languages with too few tasks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// The chunks of one variant over the same files.
#[derive(Clone, Debug, Serialize)]
pub struct Chunks {
    /// Name of the variant.
    pub name: String,
    /// Number of chunks.
    pub chunks: usize,
    /// Median of their sizes in non-whitespace characters.
    pub median: f64,
    /// Fraction of chunks below a tenth of the maximum size.
    pub tiny: f64,
    /// nDCG@10 of questions by chunk, if there are any.
    pub ndcg: Option<Estimate>,
    /// Recall of the relevant files in an answer of 2,000 tokens.
    pub recall: Option<Estimate>,
    /// Paired difference of nDCG@10 to the reference, by question.
    pub above_reference: Option<Estimate>,
}

/// Whether a task is in a test, and its observations.
pub type TaskObservations = (bool, Vec<Observation>);

/// Summarises the observations of a batch.
pub fn tabulate(
    experiment: &'static str,
    reference: &'static str,
    settings: &CompletionSettings,
    asked: Vec<TaskObservations>,
    batch: &TaskBatch,
) -> Result<Table> {
    ensure!(!asked.is_empty(), "no task was asked: {}", batch.left_out.reasons());
    let (tests, code): (Vec<_>, Vec<_>) = asked.into_iter().partition(|it| it.0);
    let group = |name: &str, tasks: Vec<TaskObservations>| {
        let tasks: Vec<Vec<Observation>> = tasks.into_iter().map(|it| it.1).collect();
        Group { name: name.to_owned(), n: tasks.len(), series: series(&tasks, reference) }
    };
    let mut groups = vec![group("code", code), group("tests", tests)];
    groups.retain(|it| it.n > 0);
    let written_by = settings.model.as_ref().map(|it| it.info());
    Ok(Table { groups, ..empty_table(experiment, reference, written_by) })
}

/// A table without observations.
pub fn empty_table(
    experiment: &'static str,
    reference: &'static str,
    written_by: Option<ModelInfo>,
) -> Table {
    Table {
        experiment,
        reference,
        of: None,
        written_by,
        groups: Vec::new(),
        chunks: Vec::new(),
        notes: Vec::new(),
    }
}

/// Summarises the series; each task must have the same series and budgets in the same order.
pub fn series(tasks: &[Vec<Observation>], reference: &str) -> Vec<Series> {
    let Some(first) = tasks.first() else { return Vec::new() };
    let place = |series: &str, budget| {
        first.iter().position(|it| it.series == series && it.budget == budget)
    };
    let mut res: Vec<Series> = Vec::new();
    for (idx, it) in first.iter().enumerate() {
        let of_reference = place(reference, it.budget).filter(|_| it.series != reference);
        let point = point(tasks, idx, of_reference);
        match res.iter_mut().find(|known| known.name == it.series) {
            Some(known) => known.points.push(point),
            None => res.push(Series { name: it.series.clone(), points: vec![point] }),
        }
    }
    res
}

fn point(tasks: &[Vec<Observation>], idx: usize, reference: Option<usize>) -> Point {
    let values = |idx: usize, value: fn(&Coverage) -> Option<f64>| -> Vec<f64> {
        tasks.iter().filter_map(|it| value(&it[idx].coverage)).collect()
    };
    let identifiers = values(idx, |it| it.identifiers);
    let above = |other: usize| paired_difference(&identifiers, &values(other, |it| it.identifiers));
    let chrf = values(idx, |it| it.chrf);
    let written = (!chrf.is_empty()).then(|| ModelScores {
        chrf: bootstrap(&chrf),
        exact: bootstrap(&values(idx, |it| it.exact)),
        similarity: bootstrap(&values(idx, |it| it.similarity)),
        above_reference: reference
            .map(|other| paired_difference(&chrf, &values(other, |it| it.chrf))),
    });
    Point {
        budget: tasks[0][idx].budget,
        spent: mean(&values(idx, |it| Some(it.spent as f64))),
        pieces: mean(&values(idx, |it| Some(it.pieces as f64))),
        tokens: bootstrap(&values(idx, |it| it.tokens)),
        lines: bootstrap(&values(idx, |it| it.lines)),
        saved: bootstrap(&values(idx, |it| it.saved)),
        written,
        above_reference: reference.map(above),
        identifiers: bootstrap(&identifiers),
    }
}

/// The measures of one series at each budget.
pub fn observe(
    series: &str,
    budgets: &[Option<usize>],
    measure: impl Fn(Option<usize>) -> Coverage,
) -> Vec<Observation> {
    let one = |budget: &Option<usize>| Observation {
        series: series.to_owned(),
        budget: *budget,
        coverage: measure(*budget),
    };
    budgets.iter().map(one).collect()
}

/// Budgets by number, for a plot.
pub fn by_budget(points: &[Point]) -> BTreeMap<usize, &Point> {
    points.iter().filter_map(|it| Some((it.budget?, it))).collect()
}
