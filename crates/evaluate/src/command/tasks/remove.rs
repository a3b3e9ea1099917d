//! `remove`: tasks made by removing a function from one state of a repository.

use std::path::PathBuf;

use anyhow::Result;
use foreword_evaluate::tasks::remove::{Request, remove};

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
    let found = remove(&args.request)?;
    output::line(&format!(
        "{} tasks of {} candidates; rejected: {}",
        found.tasks.len(),
        found.candidates,
        super::counts(&found.left_out)
    ));
    output::json_lines(&args.out, &found.tasks)
}
