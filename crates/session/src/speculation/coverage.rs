//! How much of a repository is planned, by which planner, and what that has cost: for `status` and for the inspector.

use foreword_engine::index::Store;
use foreword_engine::speculate::{Plans, Schedule};
use foreword_load::Workspace;
use serde::Serialize;

use super::agents::{Entry, Ledger, Places};
use super::now;

/// How many files have plans of one planner (docs/speculation.md).
#[derive(Clone, Copy, Serialize)]
pub struct PlanCounts {
    /// Files that are planned for.
    pub files: usize,
    /// Those with a plan that would be made again as it is.
    pub current: usize,
    /// Those whose plan was made from another text, or cites lines of files that have changed since.
    pub outdated: usize,
    /// Bytes of all plans.
    pub bytes: u64,
    /// How long ago the last of them was made, in seconds.
    pub age_s: Option<u64>,
}

impl PlanCounts {
    /// Counts what `schedule` found in `plans`.
    pub fn new(schedule: &Schedule, plans: &Plans) -> Self {
        Self {
            files: schedule.current + schedule.pending.len(),
            current: schedule.current,
            outdated: schedule.outdated,
            bytes: plans.size(),
            age_s: plans.last_made().map(|it| now().saturating_sub(it)),
        }
    }
}

/// What all runs of a chat model together have cost.
#[derive(Clone, Copy, Serialize)]
pub struct AgentCost {
    /// Number of requests to the model.
    pub requests: u64,
    /// Tokens that the model read.
    pub prompt_tokens: u64,
    /// Tokens that the model wrote.
    pub answer_tokens: u64,
    /// Time, in seconds.
    pub seconds: f64,
    /// By the prices of the configuration.
    pub usd: f64,
    /// Blocks and forecasts of the model that did not hold.
    pub thrown_out: u64,
    /// Whether planning is paused.
    pub paused: bool,
}

impl AgentCost {
    /// Reads the ledger of a view.
    pub fn of(places: &Places) -> Self {
        let total: Entry = Ledger::open(places.ledger()).total().unwrap_or_default();
        Self {
            requests: total.requests,
            prompt_tokens: total.prompt_tokens,
            answer_tokens: total.answer_tokens,
            seconds: total.millis as f64 / 1e3,
            usd: total.usd,
            thrown_out: total.thrown_out,
            paused: places.is_paused()(),
        }
    }
}

/// The plans of the chat model that planned last, with its name; `None` where none has planned.
pub fn agent_plans(workspace: &Workspace, store: &Store) -> Option<(Plans, String)> {
    let places = Places::new(workspace, store);
    Some((places.plans(store)?.load(), places.model()?.name))
}
