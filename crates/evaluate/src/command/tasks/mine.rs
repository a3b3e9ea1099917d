//! `mine`: tasks from a repository's history.

use std::path::PathBuf;

use anyhow::Result;
use foreword_evaluate::tasks::mine::{Before, Grain, Request, TestFilter, mine};

use foreword_evaluate::output;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The repository's git directory.
    #[arg(long, value_name = "DIR")]
    git_dir: PathBuf,
    /// Its name in the tasks.
    #[arg(long, value_name = "OWNER/NAME")]
    repo: String,
    /// The last commit; pin it for reproducible tasks.
    #[arg(long, default_value = "HEAD")]
    rev: String,
    /// How many commits are read, from the last one back.
    #[arg(long, value_name = "N", default_value_t = 500)]
    commits: usize,
    /// What a hole is.
    #[arg(long, value_enum, default_value = "block")]
    grain: Grain,
    /// Edit sessions: before the hole, other hunks of its commit are written.
    #[arg(long)]
    sessions: bool,
    /// Which holes, by whether they are in tests.
    #[arg(long, value_enum, default_value_t)]
    tests: TestFilter,
    /// At most so many holes of one commit.
    #[arg(long, value_name = "N", default_value_t = 2)]
    of_a_commit: usize,
    /// At most so many tasks.
    #[arg(long, value_name = "N", default_value_t = 100)]
    limit: usize,
    /// The seed of the sampling.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Where the tasks go, one JSON object a line.
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
