//! `speculate`: contexts from plans of a chat model against live retrieval.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context as _, Result};
use foreword_engine::speculate::{ContextMix, RECALL_WEIGHT};
use foreword_evaluate::runs::completion::Detail;
use foreword_evaluate::runs::speculate::{Speculation, speculate, text};

use foreword_evaluate::args::agents::AgentArgs;
use foreword_evaluate::args::completion::CompletionArgs;
use foreword_evaluate::output;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    completion: CompletionArgs,
    /// Ages of plans, in commits before the task.
    #[arg(long, value_name = "N", value_delimiter = ',', default_value = "0")]
    ages: Vec<usize>,
    /// Maximum blocks and forecasts of contexts from plans alone, as in 9+3, or forecasts beside live retrieval, as in live+3.
    #[arg(long, value_name = "MIX", value_delimiter = ',', default_value = "12+0,9+3,0+12,live+3")]
    mixes: Vec<ContextMix>,
    /// Weight of plans relative to the words around the cursor, for contexts from plans alone.
    #[arg(long, value_name = "WEIGHT", default_value_t = RECALL_WEIGHT)]
    recall: f32,
    #[command(flatten)]
    agents: AgentArgs,
    /// Write the table as JSON to this file.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

pub(super) fn run(args: Args) -> Result<()> {
    let Args { completion, ages, mixes, recall, agents, json } = args;
    let (settings, preset) = completion.settings(Vec::new(), Detail::Measures)?;
    let planner = agents.planner()?.context("name who plans: --agents URL or --script NAME")?;
    let planner = Arc::new(planner);
    let speculation = Speculation { recall, mixes, ages, planner };
    let table = speculate(&settings, &preset, &speculation)?;
    output::line(text(&table).trim_end());
    output::json(json.as_deref(), &table)
}
