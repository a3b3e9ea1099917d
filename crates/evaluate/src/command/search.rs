//! `search`: questions and names to files.

use std::path::PathBuf;

use anyhow::Result;
use foreword_engine::preset;
use foreword_evaluate::report::print;
use foreword_evaluate::runs::overrides::apply;
use foreword_evaluate::runs::search;

use foreword_evaluate::args::search::SelectionArgs;
use foreword_evaluate::output;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    selection: SelectionArgs,
    /// Write the run with all ranks.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Show the worst questions with their top results.
    #[arg(long, value_name = "N", default_value_t = 0)]
    worst: usize,
}

pub(super) fn run(args: Args) -> Result<()> {
    let (source, sets) = args.selection.split_off()?;
    let preset = apply(preset::search(), &sets)?;
    let questions = search::prepare(&source)?;
    let run = search::run(&questions, &preset);
    print::search(&run);
    print::worst(&run, args.worst);
    output::json(args.json.as_deref(), &run)
}
