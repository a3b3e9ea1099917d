//! Means over tasks, and differences to live retrieval with intervals over repositories.

use serde::Serialize;

use super::SpeculationTable;
use super::agents::AgentTotals;
use super::ask::{LIVE, TaskResult};
use crate::measures::coverage::Coverage;
use crate::measures::{Estimate, mean, over_groups, percentile};
use crate::runs::comparison::Measure;

/// The measures, with their names.
pub(super) const MEASURES: [Measure; 4] = [
    ("identifiers", |it| it.identifiers),
    ("words", |it| it.tokens),
    ("lines", |it| it.lines),
    ("bits", |it| it.saved),
];

/// One series at one budget.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    pub(crate) series: String,
    /// Maximum tokens of pieces; `null`: the preset's.
    pub(crate) budget: Option<usize>,
    pub(crate) spent: f64,
    pub(crate) pieces: f64,
    /// Means over tasks: identifiers, words, lines, bits per token that the pieces save.
    pub(crate) means: [f64; 4],
    /// Difference to live retrieval: the mean of the repositories' means, with its interval over repositories.
    pub(crate) above_live: [Estimate; 4],
}

/// Milliseconds at the 50th and the 95th percentile.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Latency {
    pub(crate) live: [f64; 2],
    pub(crate) plan: [f64; 2],
}

pub(super) fn table(seen: &[TaskResult], ages: &[usize], agents: AgentTotals) -> SpeculationTable {
    let n = seen.first().map_or(0, |it| it.observations.len());
    let share = |at: usize| {
        let there = seen.iter().filter(|it| it.planned[at]).count();
        there as f64 / seen.len() as f64
    };
    let times = |at: usize| {
        let all: Vec<f64> = seen.iter().map(|it| it.times[at]).collect();
        [percentile(&all, 0.5), percentile(&all, 0.95)]
    };
    SpeculationTable {
        rows: (0..n).map(|at| row(seen, at)).collect(),
        tasks: seen.len(),
        planned: ages.iter().enumerate().map(|(at, age)| (*age, share(at))).collect(),
        latency: Latency { live: times(0), plan: times(1) },
        agents,
    }
}

fn row(seen: &[TaskResult], at: usize) -> Row {
    let first = &seen[0].observations[at];
    let live = seen[0]
        .observations
        .iter()
        .position(|it| it.series == LIVE && it.budget == first.budget)
        .unwrap_or(0);
    let mean_of = |value: &dyn Fn(&Coverage) -> Option<f64>| {
        let values = seen.iter().filter_map(|it| value(&it.observations[at].coverage));
        mean(&values.collect::<Vec<f64>>())
    };
    let above = |value: fn(&Coverage) -> Option<f64>| {
        over_groups(seen.iter().filter_map(|it| {
            let of = |idx: usize| value(&it.observations[idx].coverage);
            Some((it.repo.as_str(), of(at)? - of(live)?))
        }))
    };
    Row {
        series: first.series.clone(),
        budget: first.budget,
        spent: mean_of(&|it| Some(it.spent as f64)),
        pieces: mean_of(&|it| Some(it.pieces as f64)),
        means: MEASURES.map(|it| mean_of(&it.1)),
        above_live: MEASURES.map(|it| above(it.1)),
    }
}
