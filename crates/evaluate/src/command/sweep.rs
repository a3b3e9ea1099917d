//! `sweep`: the questions of `search` over several values of one setting.

use anyhow::Result;
use foreword_engine::preset;
use foreword_evaluate::report::print;
use foreword_evaluate::runs::overrides::{apply, set};
use foreword_evaluate::runs::search;

use foreword_evaluate::args::search::SelectionArgs;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    selection: SelectionArgs,
    /// Setting.
    #[arg(long)]
    key: String,
    /// Values.
    #[arg(long, value_delimiter = ',', required = true)]
    values: Vec<String>,
}

pub(super) fn run(args: Args) -> Result<()> {
    let (source, sets) = args.selection.split_off()?;
    let base = apply(preset::search(), &sets)?;
    let mut presets = Vec::new();
    for value in &args.values {
        let mut preset = base.clone();
        set(&mut preset, &args.key, value)?;
        presets.push((value.clone(), preset));
    }
    let questions = search::prepare(&source)?;
    let before = search::run(&questions, &base);
    let run = |(value, preset)| (value, search::run(&questions, &preset));
    let runs: Vec<_> = presets.into_iter().map(run).collect();
    print::sweep(&args.key, &before, &runs);
    Ok(())
}
