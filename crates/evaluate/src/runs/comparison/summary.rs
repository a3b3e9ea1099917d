//! Means over tasks with intervals, and paired differences between the engine and each other method.

use std::collections::BTreeSet;

use serde::Serialize;

use super::outcome::Outcome;
use crate::measures::coverage::Coverage;
use crate::measures::{Estimate, bootstrap, mean, paired_difference};
use crate::tasks::split::short_name;

/// A measure by name.
pub type Measure = (&'static str, fn(&Coverage) -> Option<f64>);

/// The measures; the last three need a model.
pub const MEASURES: [Measure; 9] = [
    ("identifiers", |it| it.identifiers),
    ("tokens", |it| it.tokens),
    ("lines", |it| it.lines),
    ("new lines", |it| it.new_lines),
    ("gold", |it| it.gold),
    ("saved", |it| it.saved),
    ("chrF", |it| it.chrf),
    ("exact", |it| it.exact),
    ("similarity", |it| it.similarity),
];

/// Number of measures without a model.
const WITHOUT_MODEL: usize = 6;

/// One measure of one method over some tasks.
#[derive(Clone, Debug, Serialize)]
pub struct MeasureComparison {
    pub(crate) measure: &'static str,
    /// Mean of the method.
    pub(crate) estimate: Estimate,
    pub(crate) ours_higher_by: Estimate,
}

/// One method within one budget.
#[derive(Clone, Debug, Serialize)]
pub struct MethodRow {
    pub(crate) method: String,
    /// Tokens for pieces; `null` for the method's own.
    pub(crate) budget: Option<usize>,
    pub(crate) spent: f64,
    pub(crate) pieces: f64,
    /// By [`MEASURES`].
    pub(crate) compared: Vec<MeasureComparison>,
}

/// Means over some tasks.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// The common property of the tasks.
    pub(crate) name: String,
    pub(crate) n: usize,
    /// Mean fraction of target identifiers in the repository.
    pub(crate) known: f64,
    /// Rows by method, then budget.
    pub(crate) rows: Vec<MethodRow>,
}

/// Code and tests; then the code of each language, and of each repository.
pub(super) fn summaries(outcomes: &[Outcome]) -> Vec<Summary> {
    let of = |name: &str, keep: &dyn Fn(&Outcome) -> bool| {
        summary(name, &outcomes.iter().filter(|it| keep(it)).collect::<Vec<_>>())
    };
    let mut res = vec![of("code", &|it| !it.is_test), of("tests", &|it| it.is_test)];
    let languages: BTreeSet<&str> = outcomes.iter().map(|it| it.language.as_str()).collect();
    res.extend(
        languages
            .into_iter()
            .map(|it| of(it, &|outcome| outcome.language == it && !outcome.is_test)),
    );
    let repos: BTreeSet<&str> = outcomes.iter().map(|it| it.repo.as_str()).collect();
    res.extend(
        repos
            .into_iter()
            .map(|it| of(short_name(it), &|outcome| outcome.repo == it && !outcome.is_test)),
    );
    res.retain(|it| it.n > 0);
    res
}

fn summary(name: &str, outcomes: &[&Outcome]) -> Summary {
    let n_answers = outcomes.first().map_or(0, |it| it.answers.len());
    let known: Vec<f64> = outcomes.iter().filter_map(|it| it.known).collect();
    Summary {
        name: name.to_owned(),
        n: outcomes.len(),
        known: mean(&known),
        rows: (0..n_answers).map(|idx| row(outcomes, idx)).collect(),
    }
}

/// The row of the answers at this index.
fn row(outcomes: &[&Outcome], idx: usize) -> MethodRow {
    let first = &outcomes[0].answers[idx];
    let ours = outcomes[0].answers.iter().position(|it| it.budget == first.budget).unwrap_or(0);
    let values = |idx: usize, measure: fn(&Coverage) -> Option<f64>| -> Vec<f64> {
        outcomes.iter().filter_map(|it| measure(&it.answers[idx].coverage)).collect()
    };
    let compare = |(name, measure): Measure| {
        let (our, its) = (values(ours, measure), values(idx, measure));
        MeasureComparison {
            measure: name,
            estimate: bootstrap(&its),
            ours_higher_by: paired_difference(&our, &its),
        }
    };
    let has_model = first.coverage.chrf.is_some();
    let measures = &MEASURES[..if has_model { MEASURES.len() } else { WITHOUT_MODEL }];
    let mean_of = |value: fn(&Coverage) -> usize| {
        let values = outcomes.iter().map(|it| value(&it.answers[idx].coverage) as f64);
        mean(&values.collect::<Vec<_>>())
    };
    MethodRow {
        method: first.method.clone(),
        budget: first.budget,
        spent: mean_of(|it| it.spent),
        pieces: mean_of(|it| it.pieces),
        compared: measures.iter().copied().map(compare).collect(),
    }
}
