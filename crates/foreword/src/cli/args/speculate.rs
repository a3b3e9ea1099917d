//! Arguments of `foreword speculate` and of contexts from plans.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};
use foreword_engine::speculate::ContextMix;

use foreword_session::speculation::MAX_FILES;

/// Use of plans.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum PlanUse {
    /// Ignore plans
    #[default]
    Without,
    /// Add the plan as a signal of retrieval
    With,
    /// Use the plan alone, without retrieval
    Only,
}

#[derive(Debug, ClapArgs)]
pub(in crate::cli) struct PlanArgs {
    /// Use the file's plan by `foreword speculate`: not at all, beside retrieval, or alone
    #[arg(long, value_name = "HOW", default_value = "without")]
    pub(in crate::cli) speculated: PlanUse,
    /// Maximum forecasts of the plan beside retrieval, as in live+3 [default: `forecasts` in the configuration, if the plan is
    /// current]; or maximum blocks and forecasts with --speculated only, as in 9+3
    #[arg(long, value_name = "MIX")]
    pub(in crate::cli) mix: Option<ContextMix>,
}

#[derive(Debug, ClapArgs)]
pub(in crate::cli) struct SpeculateArgs {
    /// A directory of the repository to plan, or a file whose plan to show [default: the current directory]
    pub(in crate::cli) path: Option<PathBuf>,
    /// Stop when this time, these tokens or this money is used up, as in 30s, 5m, 500kt or 10m,500kt,2usd. The next run
    /// continues
    #[arg(long, value_name = "BUDGET")]
    pub(in crate::cli) budget: Option<String>,
    /// Budget of any hour, all runs together [default: `hourly` of `[models.chat]`]
    #[arg(long, value_name = "BUDGET")]
    pub(in crate::cli) hourly: Option<String>,
    /// Make the plan of a file again from the transcript of its last run, without requests
    #[arg(long, conflicts_with_all = ["dry_run", "pause", "resume"])]
    pub(in crate::cli) replay: bool,
    /// Stop a running process before its next request, and refuse to start until --resume
    #[arg(long, conflicts_with = "resume")]
    pub(in crate::cli) pause: bool,
    /// Continue after --pause
    #[arg(long)]
    pub(in crate::cli) resume: bool,
    /// Maximum number of files with plans; recently changed files come first
    #[arg(long, value_name = "N", default_value_t = MAX_FILES)]
    pub(in crate::cli) most: usize,
    /// Show the files to plan and the estimated cost, and send nothing
    #[arg(long)]
    pub(in crate::cli) dry_run: bool,
    /// Print one JSON object
    #[arg(long)]
    pub(in crate::cli) json: bool,
}
