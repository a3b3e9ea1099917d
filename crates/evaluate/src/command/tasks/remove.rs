//! `remove`: tasks from one state of a repository, out of which a function was taken.

use std::path::PathBuf;

use anyhow::Result;
use foreword_evaluate::tasks::remove::{Request, remove};

use super::super::output;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The repository's git directory.
    #[arg(long, value_name = "DIR")]
    git_dir: PathBuf,
    /// What tasks call it.
    #[arg(long, value_name = "OWNER/NAME")]
    repo: String,
    /// The state; pin it for tasks that can be made again.
    #[arg(long, default_value = "HEAD")]
    rev: String,
    /// At most so many tasks.
    #[arg(long, value_name = "N", default_value_t = 50)]
    limit: usize,
    /// Decides which functions are tried first.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Where the tasks go, one JSON object a line.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

pub(crate) fn run(args: Args) -> Result<()> {
    let Args { git_dir, repo, rev: revision, limit, seed, out } = args;
    let found = remove(&Request { git_dir, repo, revision, limit, seed })?;
    let left_out: Vec<String> =
        found.left_out.iter().map(|(why, n)| format!("{n} {why}")).collect();
    output::line(&format!(
        "{} tasks of {} candidates; tried in vain: {}",
        found.tasks.len(),
        found.candidates,
        if left_out.is_empty() { "none".to_owned() } else { left_out.join(", ") }
    ));
    output::json_lines(&out, &found.tasks)
}
