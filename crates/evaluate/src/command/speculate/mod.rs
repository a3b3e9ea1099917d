//! `speculate`: contexts that were planned before the cursor was there, against live retrieval.

use std::path::PathBuf;

use anyhow::{Context as _, Result};
use foreword_engine::speculate::{BLOCKS, ForecastConfig, Mix, plan_config, recall_config};
use foreword_evaluate::runs::completion::Detail;
use foreword_evaluate::runs::speculate::{Speculation, plan_options, speculate, text};

use super::args::completion::CompletionArgs;
use super::output;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    completion: CompletionArgs,
    /// How many commits before the task plans are made.
    #[arg(long, value_name = "N", value_delimiter = ',', default_value = "0")]
    ages: Vec<usize>,
    /// How many blocks and forecasts are shown, where plans alone answer.
    #[arg(long, value_name = "N/M", value_delimiter = ',', default_value = "12/0,9/3,6/6,0/12")]
    mixes: Vec<String>,
    /// The weights of plans as a signal of live retrieval.
    #[arg(long, value_name = "WEIGHT", value_delimiter = ',', default_value = "0.3")]
    weights: Vec<f32>,
    /// Change a number of the planner: anchors, pieces, mean, blocks, excerpt, plan, near, weight (may be
    /// repeated).
    #[arg(long = "plan", value_name = "KEY=VALUE", value_delimiter = ',')]
    plan: Vec<String>,
    /// Take forecasts of every kind, however seldom they come true.
    #[arg(long)]
    all_forecasts: bool,
    /// Write the table as JSON.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

pub(super) fn run(args: Args) -> Result<()> {
    let Args { completion, ages, mixes, weights, plan: sets, all_forecasts, json } = args;
    let (settings, preset) = completion.settings(Vec::new(), Detail::Measures)?;
    let (mut plan, mut recall) = (plan_config(preset.clone()), recall_config());
    if all_forecasts {
        plan.forecasts = ForecastConfig::all();
    }
    plan_options(&mut plan, &mut recall, &sets)?;
    let mixes = mixes.iter().map(|it| mix(it)).collect::<Result<_>>()?;
    let speculation = Speculation { plan, recall, mixes, weights, ages };
    let table = speculate(&settings, &preset, &speculation)?;
    output::line(text(&table).trim_end());
    output::json(json.as_deref(), &table)
}

fn mix(text: &str) -> Result<Mix> {
    let wrong = || format!("`{text}` is no mix; it should read as {BLOCKS}/0");
    let (blocks, forecasts) = text.split_once('/').with_context(wrong)?;
    Ok(Mix {
        blocks: blocks.parse().with_context(wrong)?,
        forecasts: forecasts.parse().with_context(wrong)?,
    })
}
