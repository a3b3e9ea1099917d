//! The arguments of speculation.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};

use crate::speculation::MOST_FILES;

/// How plans are used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum Speculated {
    /// Not at all
    #[default]
    Without,
    /// As one more signal of what is retrieved
    With,
    /// Alone: nothing is retrieved
    Only,
}

#[derive(Debug, ClapArgs)]
pub(in crate::cli) struct SpeculateArgs {
    /// A directory of the repository, all files of which are planned; or a file, whose plan is shown [default: the
    /// current directory]
    pub(in crate::cli) path: Option<PathBuf>,
    /// Plan by the repository alone, without a model; there is no other planner yet, so this is the default
    #[arg(long = "static")]
    pub(in crate::cli) is_static: bool,
    /// Stop after this time, as in 30s, 5m or 1h; the next run goes on
    #[arg(long, value_name = "TIME")]
    pub(in crate::cli) budget: Option<String>,
    /// The most files that have plans, those first that were changed last
    #[arg(long, value_name = "N", default_value_t = MOST_FILES)]
    pub(in crate::cli) most: usize,
    /// Say what would be done, and do nothing
    #[arg(long)]
    pub(in crate::cli) dry_run: bool,
    /// Print one JSON object
    #[arg(long)]
    pub(in crate::cli) json: bool,
}
