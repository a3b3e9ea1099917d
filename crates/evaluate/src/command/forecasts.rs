//! `forecasts`: true functions that the check of plans rejects, and false ones that it accepts.

use std::path::PathBuf;

use anyhow::Result;
use foreword_evaluate::runs::completion::Detail;
use foreword_evaluate::runs::forecasts::{forecasts, text};

use foreword_evaluate::args::completion::CompletionArgs;
use foreword_evaluate::output;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    completion: CompletionArgs,
    /// Maximum number of printed wrong judgements of each language.
    #[arg(long, value_name = "N", default_value_t = 0)]
    examples: usize,
    /// Write the counts and all wrong judgements as JSON.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

pub(super) fn run(args: Args) -> Result<()> {
    let (settings, preset) = args.completion.settings(Vec::new(), Detail::Measures)?;
    let run = forecasts(&settings, &preset)?;
    output::line(text(&run, args.examples).trim_end());
    output::json(args.json.as_deref(), &run)
}
