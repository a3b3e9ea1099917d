//! `remove`: tasks made by removing a function from one state of a repository.

use std::path::PathBuf;

use anyhow::Result;
use foreword_evaluate::tasks::remove::{Request, remove};

use foreword_evaluate::output;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Git directory of the repository.
    #[arg(long, value_name = "DIR")]
    git_dir: PathBuf,
    /// Name of the repository in tasks.
    #[arg(long, value_name = "OWNER/NAME")]
    repo: String,
    /// Commit; pin it for reproducible tasks.
    #[arg(long, default_value = "HEAD")]
    rev: String,
    /// Maximum number of tasks.
    #[arg(long, value_name = "N", default_value_t = 50)]
    limit: usize,
    /// Seed of the order in which functions are tried.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Output file, one JSON object per line.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

pub(crate) fn run(args: Args) -> Result<()> {
    let Args { git_dir, repo, rev: revision, limit, seed, out } = args;
    let found = remove(&Request { git_dir, repo, revision, limit, seed })?;
    let left_out: Vec<String> =
        found.left_out.iter().map(|(why, n)| format!("{n} {why}")).collect();
    output::line(&format!(
        "{} tasks of {} candidates; rejected: {}",
        found.tasks.len(),
        found.candidates,
        if left_out.is_empty() { "none".to_owned() } else { left_out.join(", ") }
    ));
    output::json_lines(&out, &found.tasks)
}
