//! `context`: holes to the context that a model should see, beside baselines.

use std::path::PathBuf;

use anyhow::Result;
use foreword_evaluate::baseline::Baseline;
use foreword_evaluate::context::{self, Detail};

use super::completion::CompletionArgs;
use super::write;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    completion: CompletionArgs,
    /// What ours is compared with; `all` for all.
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        default_value = "none,bm25-files,bm25-lines,repocoder"
    )]
    baselines: Vec<String>,
    /// Write the run with all tasks.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// With the places of all pieces in it.
    #[arg(long, requires = "json")]
    pieces: bool,
}

pub(super) fn run(args: Args) -> Result<()> {
    let detail = if args.pieces { Detail::Pieces } else { Detail::Measures };
    let baselines = Baseline::named(&args.baselines)?;
    let (selection, preset) = args.completion.selection(baselines, detail)?;
    let run = context::run(&selection, &preset)?;
    context::print(&run);
    write::json(args.json.as_deref(), &run)
}
