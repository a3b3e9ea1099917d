//! `leakage`: the gain from a later state of the repository.

use std::path::PathBuf;

use anyhow::Result;
use foreword_evaluate::baselines::Baseline;
use foreword_evaluate::runs::completion::{Detail, Method};
use foreword_evaluate::runs::leakage::leakage;
use foreword_evaluate::runs::table::{plot, text};

use foreword_evaluate::args::completion::CompletionArgs;
use foreword_evaluate::output;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    completion: CompletionArgs,
    /// Method: a baseline's name, or `foreword`.
    #[arg(long, default_value = "foreword")]
    method: String,
    /// Write the table as JSON.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write the plot.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

pub(super) fn run(args: Args) -> Result<()> {
    let (settings, preset) = args.completion.settings(Vec::new(), Detail::Measures)?;
    let method = match args.method.as_str() {
        "foreword" => Method::Engine,
        name => Method::Baseline(Baseline::called(name)?),
    };
    let table = leakage(&settings, &preset, method)?;
    output::line(text(&table).trim_end());
    if let Some(path) = &args.svg {
        output::file(path, &plot(&table.result))?;
    }
    output::json(args.json.as_deref(), &table)
}
