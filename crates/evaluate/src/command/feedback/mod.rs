//! `feedback`: the effect of votes on half of the questions on the other half.

use std::path::PathBuf;

use anyhow::{Context as _, Result};
use foreword_engine::feedback::Config;
use foreword_engine::preset;
use foreword_evaluate::measures::Estimate;
use foreword_evaluate::runs::overrides::apply;
use foreword_evaluate::runs::search::{self, Means, Voter, simulate};

use foreword_evaluate::args::search::SelectionArgs;
use foreword_evaluate::output;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    selection: SelectionArgs,
    /// Maximum change of a score, relative to it.
    #[arg(long)]
    strength: Option<f32>,
    /// Weight of a vote on a question without common words.
    #[arg(long)]
    base: Option<f32>,
    /// Write the numbers as JSON.
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
    output::line("voter | questions | nDCG@10 | against nobody");
    let nobody = effects.iter().find(|it| it.voter == Voter::Nobody).context("nobody votes")?;
    for it in &effects {
        output::line(&row(it.voter, "held out", &it.held_out, &nobody.held_out));
        output::line(&row(it.voter, "near", &it.near, &nobody.near));
        output::line(&row(it.voter, "repeated", &it.again, &nobody.again));
    }
    output::json(args.json.as_deref(), &effects)
}

fn row(voter: Voter, name: &str, means: &Means, nobody: &Means) -> String {
    let (n, mean, more) = (means.questions, means.mean(), means.more_than(nobody));
    let Estimate { mean: by, low, high, .. } = more;
    format!("{voter:?} | {name} ({n}) | {mean:.4} | {by:+.4} [{low:+.4}, {high:+.4}]")
}
