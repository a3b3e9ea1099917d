//! `pass`: completions that the tests of their repository accept.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Result;
use foreword_engine::speculate::{ContextMix, RECALL_WEIGHT};
use foreword_evaluate::baselines::Baseline;
use foreword_evaluate::runs::completion::Detail;
use foreword_evaluate::runs::pass::{Limits, PassSettings, pass, text};
use foreword_evaluate::runs::speculate::Speculation;

use foreword_evaluate::args::agents::AgentArgs;
use foreword_evaluate::args::completion::CompletionArgs;
use foreword_evaluate::args::model::ModelArgs;
use foreword_evaluate::output;

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    completion: CompletionArgs,
    /// Directory with an environment per repository, at `owner+name/environment.toml` (benchmarks/pass/prepare).
    #[arg(long, value_name = "DIR")]
    environments: PathBuf,
    #[command(flatten)]
    limits: Limits,
    /// Repositories that are tested at the same time.
    #[arg(long, value_name = "N", default_value_t = 1)]
    jobs: usize,
    /// Baselines that choose contexts besides the engine; `none` for no context.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', default_value = "none")]
    baselines: Vec<String>,
    #[command(flatten)]
    model: ModelArgs,
    #[command(flatten)]
    agents: AgentArgs,
    /// Contexts from plans, if --agents or --script names who plans: blocks and forecasts, or forecasts beside live retrieval.
    #[arg(long, value_name = "MIX", value_delimiter = ',', default_value = "9+3,live+3")]
    mixes: Vec<ContextMix>,
    /// Write the run with all functions, completions and the ends of their tests' output.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

pub(super) fn run(args: Args) -> Result<()> {
    let Args { completion, environments, limits, jobs, baselines, model, agents, mixes, json } =
        args;
    let (mut completion, preset) =
        completion.settings(Baseline::named(&baselines)?, Detail::Measures)?;
    completion.model = model.connect()?.map(Arc::new);
    let plans = agents.planner()?.map(|it| Speculation {
        recall: RECALL_WEIGHT,
        mixes,
        ages: vec![0],
        planner: Arc::new(it),
    });
    let run = pass(&PassSettings { completion, environments, limits, plans, jobs }, &preset)?;
    output::line(text(&run).trim_end());
    output::json(json.as_deref(), &run)
}
