//! Arguments of `foreword speculate` and of contexts from plans.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use foreword_session::speculation::MAX_FILES;

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
