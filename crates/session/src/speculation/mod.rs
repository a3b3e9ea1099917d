//! Plans of a repository's files by a chat model: which are missing, making them within budgets, and what they cost.
//!
//! Beside the plans (`plans/VIEW.agents.plans`) the index directory has the transcript of each file's last run, the ledger of
//! costs, the name of the model, and a mark while planning is paused. All of it is a cache: deleting it costs planning again,
//! and changes no other answer.

pub mod budget;
mod budget_guard;
pub mod coverage;
mod ledger;
mod plan_paths;
mod planner;
mod report;
mod run;
mod state;

pub use self::budget_guard::{BudgetGuard, usd};
pub use self::ledger::Ledger;
pub use self::plan_paths::{KnownModel, PlanPaths};
pub use self::planner::ModelPlanner;
pub use self::report::{FileOutcome, FileReport, RunReport};
pub use self::state::{RepositoryState, schedule_of};

/// Maximum number of files with plans; in a larger repository those likeliest to be edited get one.
pub const MAX_FILES: usize = 20_000;
