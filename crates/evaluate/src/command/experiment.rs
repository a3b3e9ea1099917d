//! `experiment`: what a choice of the engine's is worth.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Result, ensure};
use foreword_evaluate::context::Detail;
use foreword_evaluate::experiment::{granularity, lost, order, plot, scope, signals, stages, text};

use super::completion::CompletionArgs;
use super::model::ModelArgs;
use super::write;

/// Which question.
#[derive(Clone, Copy, clap::ValueEnum)]
enum Name {
    /// Which stage limits?
    Stages,
    /// Where is an identifier lost that is not shown?
    Lost,
    /// What is each signal worth?
    Signals,
    /// How much of the cursor's own file should be shown?
    Scope,
    /// What should a chunk be?
    Granularity,
    /// Does the place of a piece matter?
    Order,
}

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Which question.
    #[arg(value_enum)]
    name: Name,
    #[command(flatten)]
    completion: CompletionArgs,
    #[command(flatten)]
    model: ModelArgs,
    /// Write the table as JSON.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write the plot.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

pub(super) fn run(args: Args) -> Result<()> {
    let asks = matches!(args.name, Name::Order);
    ensure!(asks || !args.model.is_named(), "only the experiment `order` asks a --model");
    let (mut selection, preset) = args.completion.selection(Vec::new(), Detail::Measures)?;
    selection.writer = args.model.writer()?.map(Arc::new);
    let table = match args.name {
        Name::Stages => stages::stages(&selection, &preset)?,
        Name::Lost => lost::lost(&selection, &preset)?,
        Name::Signals => signals::signals(&selection, &preset)?,
        Name::Scope => scope::scope(&selection, &preset)?,
        Name::Granularity => granularity::granularity(&selection, &preset)?,
        Name::Order => order::order(&selection, &preset)?,
    };
    write::line(text(&table).trim_end());
    if let Some(path) = &args.svg {
        write::file(path, &plot(&table))?;
    }
    write::json(args.json.as_deref(), &table)
}
