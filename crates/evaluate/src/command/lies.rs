//! `lies`: how many false and true statements about repositories the check of answers marks.

use std::path::PathBuf;

use anyhow::Result;
use foreword_evaluate::output;
use foreword_evaluate::runs::lies::LieCounts;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Directories of repositories.
    #[arg(value_name = "DIR", required = true)]
    dirs: Vec<PathBuf>,
    /// Definitions of each that statements are made about.
    #[arg(long, value_name = "N", default_value_t = 12)]
    definitions: usize,
    /// Maximum number of printed statements of each kind that were judged wrongly.
    #[arg(long, value_name = "N", default_value_t = 0)]
    examples: usize,
    /// Write the counts and all wrongly judged statements as JSON.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

pub(super) fn run(args: &Args) -> Result<()> {
    let mut counts = LieCounts::default();
    for dir in &args.dirs {
        counts.add(dir, args.definitions)?;
    }
    output::line(counts.text(args.examples).trim_end());
    output::json(args.json.as_deref(), &counts)
}
