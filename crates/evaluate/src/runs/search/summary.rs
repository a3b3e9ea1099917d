//! Means over outcomes: overall, by category, repository and language, and within token budgets.

use serde::Serialize;

use super::outcome::Outcome;
use crate::measures::budget::BUDGETS;
use crate::measures::{Estimate, bootstrap, mean, over_groups, percentile};
use crate::tasks::split::short_name;

/// Fractions of questions are given for the first so many results.
pub(crate) const LINE_DEPTHS: [usize; 3] = [3, 5, 10];

/// Means over some outcomes.
#[derive(Clone, Debug, Serialize)]
pub struct Group {
    /// The common category, repository or language.
    pub name: String,
    /// Number of outcomes.
    pub n: usize,
    pub(crate) ndcg: Estimate,
    /// Mean nDCG@10 by files.
    pub(crate) file_ndcg: f64,
    pub(crate) mrr: f64,
    pub(crate) recall: f64,
    /// Fraction of questions with a line of an answer in the first [`LINE_DEPTHS`] results, mean over repositories'
    /// means; over the questions whose truth has lines.
    pub(crate) lines: [Estimate; LINE_DEPTHS.len()],
}

/// Recall within a number of tokens.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct BudgetRecall {
    /// Tokens of chunks, from the first.
    pub budget: usize,
    /// Recall of relevant files, mean over questions.
    pub recall: Estimate,
    /// Recall of relevant files, mean over repositories' means.
    pub(crate) by_repository: Estimate,
}

/// The result of a run.
#[derive(Serialize)]
pub struct SearchResults {
    /// Relevant files that no snapshot contains.
    pub(crate) missing: Vec<String>,
    /// nDCG@10, mean over questions.
    pub(crate) by_query: Estimate,
    /// nDCG@10, mean over repositories' means.
    pub(crate) by_repository: Estimate,
    /// Recall within each budget of [`BUDGETS`].
    pub budgets: Vec<BudgetRecall>,
    /// Tokens up to the first relevant chunk, over the questions that have one.
    pub(crate) tokens_to_hit: Estimate,
    /// All, then by category, repository and language.
    pub(crate) groups: Vec<(&'static str, Vec<Group>)>,
    /// Median latency in milliseconds.
    pub p50: f64,
    /// 95th percentile of the latency in milliseconds.
    pub p95: f64,
    /// Each question's outcome.
    pub outcomes: Vec<Outcome>,
}

/// Summarises outcomes.
pub(super) fn summarise(outcomes: Vec<Outcome>, missing: Vec<String>) -> SearchResults {
    let scores: Vec<f64> = outcomes.iter().map(|it| it.ndcg).collect();
    let repositories = groups(&outcomes, |it| short_name(&it.repo));
    let of_repositories: Vec<f64> = repositories.iter().map(|it| it.ndcg.mean).collect();
    let to_hit: Vec<f64> =
        outcomes.iter().filter_map(|it| Some(it.tokens_to_hit? as f64)).collect();
    let times: Vec<f64> = outcomes.iter().map(|it| it.milliseconds).collect();
    SearchResults {
        missing,
        by_query: bootstrap(&scores),
        by_repository: bootstrap(&of_repositories),
        budgets: budgets(&outcomes),
        tokens_to_hit: bootstrap(&to_hit),
        groups: vec![
            ("all", groups(&outcomes, |_| "all")),
            ("category", groups(&outcomes, |it| &it.category)),
            ("repository", repositories),
            ("language", groups(&outcomes, |it| &it.language)),
        ],
        p50: percentile(&times, 0.5),
        p95: percentile(&times, 0.95),
        outcomes,
    }
}

fn budgets(outcomes: &[Outcome]) -> Vec<BudgetRecall> {
    let at = |(idx, budget): (usize, usize)| {
        let values = || outcomes.iter().map(|it| (it.repo.as_str(), it.recall_at[idx]));
        let recall = bootstrap(&values().map(|it| it.1).collect::<Vec<_>>());
        BudgetRecall { budget, recall, by_repository: over_groups(values()) }
    };
    BUDGETS.into_iter().enumerate().map(at).collect()
}

fn lines_at(outcomes: &[&Outcome], depth: usize) -> Estimate {
    let is_hit = |rank: Option<usize>| f64::from(u8::from(rank.is_some_and(|it| it <= depth)));
    over_groups(outcomes.iter().filter_map(|it| Some((it.repo.as_str(), is_hit(it.lines?)))))
}

/// Means by `key`, sorted.
fn groups(outcomes: &[Outcome], key: impl Fn(&Outcome) -> &str) -> Vec<Group> {
    let names: std::collections::BTreeSet<&str> = outcomes.iter().map(&key).collect();
    let group = |name: &str| {
        let its: Vec<&Outcome> = outcomes.iter().filter(|it| key(it) == name).collect();
        let mean_of =
            |value: fn(&Outcome) -> f64| mean(&its.iter().map(|it| value(it)).collect::<Vec<_>>());
        Group {
            name: name.to_owned(),
            n: its.len(),
            ndcg: bootstrap(&its.iter().map(|it| it.ndcg).collect::<Vec<_>>()),
            file_ndcg: mean_of(|it| it.file_ndcg),
            mrr: mean_of(|it| it.reciprocal_rank),
            recall: mean_of(|it| it.recall),
            lines: LINE_DEPTHS.map(|depth| lines_at(&its, depth)),
        }
    };
    names.into_iter().map(group).collect()
}
