//! How much of a repository is planned, and at what cost, for `status` and the inspector.

use foreword_engine::index::Store;
use foreword_engine::speculate::{Plans, Schedule};
use foreword_load::Workspace;
use serde::Serialize;

use super::ledger::{Entry, Ledger};
use super::plan_paths::PlanPaths;
use crate::clock::unix_seconds;

/// Number of files with plans (docs/speculation.md).
#[derive(Clone, Copy, Serialize)]
pub struct PlanCounts {
    /// Files for which plans are made.
    pub files: usize,
    /// Files with a current plan.
    pub current: usize,
    /// Files whose plan was made from another text, or cites files that have changed since.
    pub outdated: usize,
    /// Size of the plans on disk, in bytes.
    pub bytes: u64,
    /// Age of the latest plan, in seconds.
    pub age_s: Option<u64>,
}

impl PlanCounts {
    /// Counts the files of a schedule.
    pub fn new(schedule: &Schedule, plans: &Plans) -> Self {
        Self {
            files: schedule.current + schedule.pending.len(),
            current: schedule.current,
            outdated: schedule.outdated,
            bytes: plans.size(),
            age_s: plans.last_made().map(|it| unix_seconds().saturating_sub(it)),
        }
    }
}

/// Total cost of all runs.
#[derive(Clone, Copy, Serialize)]
pub struct TotalCost {
    /// Number of requests to the model.
    pub requests: u64,
    /// Tokens of the prompts.
    pub prompt_tokens: u64,
    /// Tokens of the answers.
    pub answer_tokens: u64,
    /// Time waiting for the model, in seconds.
    pub seconds: f64,
    /// US dollars by the configured prices.
    pub usd: f64,
    /// Rejected blocks and forecasts.
    pub thrown_out: u64,
    /// Whether planning is paused.
    pub paused: bool,
}

impl TotalCost {
    /// Reads the ledger of a view.
    pub fn of(paths: &PlanPaths) -> Self {
        let total: Entry = Ledger::open(paths.ledger()).total().unwrap_or_default();
        Self {
            requests: total.requests,
            prompt_tokens: total.prompt_tokens,
            answer_tokens: total.answer_tokens,
            seconds: total.millis as f64 / 1e3,
            usd: total.usd,
            thrown_out: total.thrown_out,
            paused: paths.is_paused()(),
        }
    }
}

/// The plans of the chat model that planned last, with its name; `None` if no model has planned.
pub fn stored_plans(workspace: &Workspace, store: &Store) -> Option<(Plans, String)> {
    let paths = PlanPaths::new(workspace, store);
    Some((paths.plans(store)?.load(), paths.model()?.name))
}
