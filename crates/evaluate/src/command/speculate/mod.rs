//! `speculate`: contexts that were planned before the cursor was there, against live retrieval.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context as _, Result};
use foreword_engine::speculate::{BLOCKS, ForecastConfig, Mix, plan_config, recall_config};
use foreword_evaluate::runs::completion::Detail;
use foreword_evaluate::runs::speculate::{
    AgentEndpoint, Agents, Speculation, plan_options, speculate, text,
};
use foreword_load::Environment;

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
    /// Change a number of the planner: anchors, pieces, mean, blocks, heads, excerpt, plan, near, weight
    /// (may be repeated).
    #[arg(long = "plan", value_name = "KEY=VALUE", value_delimiter = ',')]
    plan: Vec<String>,
    /// Take forecasts of every kind, however seldom they come true.
    #[arg(long)]
    all_forecasts: bool,
    #[command(flatten)]
    agents: AgentArgs,
    /// Write the table as JSON.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// A chat model that plans.
#[derive(clap::Args)]
struct AgentArgs {
    /// The address of a chat model that plans, too (llama.cpp, Ollama, or OpenAI-compatible). Code is sent to this server
    /// and nowhere else.
    #[arg(long = "agents", value_name = "URL")]
    url: Option<String>,
    /// The model's name; the server's own when it is not given.
    #[arg(long, value_name = "NAME", requires = "url")]
    agents_model: Option<String>,
    /// The protocol: llama.cpp, ollama or openai; detected when it is not given.
    #[arg(long, value_name = "API", requires = "url")]
    agents_api: Option<String>,
    /// Tokens of an answer at the most.
    #[arg(long, value_name = "N", requires = "url")]
    agents_max_tokens: Option<usize>,
    /// Tokens of all requests of the run at the most.
    #[arg(long, value_name = "N", default_value_t = 10_000_000)]
    agents_tokens: u64,
    /// Where answers are kept, so that nothing is asked twice [default: foreword-evaluate/agents in the user's cache].
    #[arg(long, value_name = "DIR")]
    transcripts: Option<PathBuf>,
}

impl AgentArgs {
    fn connect(self) -> Result<Option<Arc<Agents>>> {
        let Some(url) = self.url else { return Ok(None) };
        let own = || Some(Environment::current().cache_dir?.join("foreword-evaluate/agents"));
        let transcripts = self.transcripts.or_else(own);
        let agents = Agents::connect(AgentEndpoint {
            url,
            api: self.agents_api,
            model: self.agents_model,
            key: std::env::var("FOREWORD_MODEL_KEY").ok().filter(|it| !it.is_empty()),
            max_tokens: self.agents_max_tokens,
            tokens: self.agents_tokens,
            transcripts: transcripts.context("there is no cache directory; name --transcripts")?,
        })?;
        Ok(Some(Arc::new(agents)))
    }
}

pub(super) fn run(args: Args) -> Result<()> {
    let Args { completion, ages, mixes, weights, plan: sets, all_forecasts, agents, json } = args;
    let (settings, preset) = completion.settings(Vec::new(), Detail::Measures)?;
    let (mut plan, mut recall) = (plan_config(preset.clone()), recall_config());
    if all_forecasts {
        plan.forecasts = ForecastConfig::all();
    }
    plan_options(&mut plan, &mut recall, &sets)?;
    let mixes = mixes.iter().map(|it| mix(it)).collect::<Result<_>>()?;
    let speculation = Speculation { plan, recall, mixes, weights, ages, agents: agents.connect()? };
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
