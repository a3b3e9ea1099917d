//! `mine`: tasks from a repository's history.

use std::path::PathBuf;

use anyhow::Result;
use foreword_evaluate::tasks::mine::{Request, mine};

use foreword_evaluate::output;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    request: Request,
    /// Output file, one JSON object per line.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let found = mine(&args.request)?;
    output::line(&format!(
        "{} tasks of {} candidates in {} commits; rejected: {}",
        found.tasks.len(),
        found.candidates,
        found.commits,
        super::counts(&found.left_out)
    ));
    output::json_lines(&args.out, &found.tasks)
}
