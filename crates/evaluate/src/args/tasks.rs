//! Arguments that select tasks of a file.

use std::path::PathBuf;

use crate::tasks::selection::Selection;
use crate::tasks::split::Split;

/// Filters on a task file.
#[derive(clap::Args)]
pub struct TaskArgs {
    /// Only this repository (may be repeated).
    #[arg(long = "repo", value_name = "NAME")]
    repos: Vec<String>,
    /// The part of the repositories [default: dev for search, sweep, feedback and next-line, else all].
    #[arg(long, value_enum)]
    split: Option<Split>,
    /// Only tasks whose id contains this (may be repeated).
    #[arg(long = "id", value_name = "PART")]
    ids: Vec<String>,
    /// Maximum number of tasks per repository, evenly chosen.
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
}

impl TaskArgs {
    /// The selection from a file; `default` applies without a split.
    pub fn select(self, file: PathBuf, default: Split) -> Selection {
        let Self { repos, split, ids, limit } = self;
        Selection { file, repos, split: split.unwrap_or(default), ids, limit }
    }
}
