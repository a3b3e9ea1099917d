//! `feedback`: what votes on half of the questions do to the other half.

use std::path::PathBuf;

use anyhow::Result;
use foreword_engine::feedback::Config;
use foreword_engine::preset;
use foreword_evaluate::runs::overrides::apply;
use foreword_evaluate::runs::search::{self, simulate};

use super::args::search::SelectionArgs;
use super::output;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    selection: SelectionArgs,
    /// At most this more than the score, or as much less.
    #[arg(long)]
    strength: Option<f32>,
    /// What a vote counts for a question that has nothing in common with its own.
    #[arg(long)]
    base: Option<f32>,
    /// Write the numbers.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

pub(super) fn run(args: Args) -> Result<()> {
    let (source, sets) = args.selection.split_off()?;
    let preset = apply(preset::search(), &sets)?;
    let questions = search::prepare(&source)?;
    let mut config = Config::IN_FORCE;
    config.strength = args.strength.unwrap_or(config.strength);
    config.base = args.base.unwrap_or(config.base);
    let effects = simulate(&questions, &preset, &config);
    output::line("voter | held out | asked again");
    for it in &effects {
        let (voter, n) = (it.voter, it.questions);
        output::line(&format!("{voter:?} | {:.4} | {:.4} ({n})", it.held_out, it.again));
    }
    output::json(args.json.as_deref(), &effects)
}
