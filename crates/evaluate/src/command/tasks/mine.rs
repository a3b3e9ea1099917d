//! `mine`: tasks from a repository's history.

use std::path::PathBuf;

use anyhow::Result;
use foreword_evaluate::tasks::mine::{Before, Grain, Request, TestFilter, mine};

use foreword_evaluate::output;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Git directory of the repository.
    #[arg(long, value_name = "DIR")]
    git_dir: PathBuf,
    /// Name of the repository in tasks.
    #[arg(long, value_name = "OWNER/NAME")]
    repo: String,
    /// Last commit; pin it for reproducible tasks.
    #[arg(long, default_value = "HEAD")]
    rev: String,
    /// Number of commits to read, from the last one back.
    #[arg(long, value_name = "N", default_value_t = 500)]
    commits: usize,
    /// Extent of a hole.
    #[arg(long, value_enum, default_value = "block")]
    grain: Grain,
    /// Make edit sessions: apply other hunks of the commit before the hole.
    #[arg(long)]
    sessions: bool,
    /// Selects holes inside or outside of tests.
    #[arg(long, value_enum, default_value_t)]
    tests: TestFilter,
    /// Maximum number of holes per commit.
    #[arg(long, value_name = "N", default_value_t = 2)]
    of_a_commit: usize,
    /// Maximum number of tasks.
    #[arg(long, value_name = "N", default_value_t = 100)]
    limit: usize,
    /// Seed of the sample.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Output file, one JSON object per line.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

pub(crate) fn run(args: Args) -> Result<()> {
    let Args { git_dir, repo, rev: revision, commits, grain, tests, .. } = args;
    let Args { of_a_commit, limit, seed, sessions, out, .. } = args;
    let before = if sessions { Before::Session } else { Before::Nothing };
    let request = Request {
        git_dir,
        repo,
        revision,
        commits,
        grain,
        before,
        tests,
        of_a_commit,
        limit,
        seed,
    };
    let found = mine(&request)?;
    let left_out: Vec<String> =
        found.left_out.iter().map(|(why, n)| format!("{n} {why}")).collect();
    output::line(&format!(
        "{} tasks of {} candidates in {} commits; left out: {}",
        found.tasks.len(),
        found.candidates,
        found.commits,
        if left_out.is_empty() { "none".to_owned() } else { left_out.join(", ") }
    ));
    output::json_lines(&out, &found.tasks)
}
