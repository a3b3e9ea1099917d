//! `speculate`: contexts from plans of a chat model against live retrieval.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context as _, Result};
use foreword_engine::speculate::{ContextMix, RECALL_WEIGHT};
use foreword_evaluate::runs::completion::Detail;
use foreword_evaluate::runs::speculate::{
    AgentEndpoint, Agents, Planner, Script, Speculation, speculate, text,
};
use foreword_load::Environment;

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

/// The chat model that plans.
#[derive(clap::Args)]
struct AgentArgs {
    /// Address of the chat model (llama.cpp, Ollama, or OpenAI-compatible). Code is sent to this server and nowhere else.
    #[arg(long = "agents", value_name = "URL", required_unless_present = "script")]
    url: Option<String>,
    /// Plan by a script instead, as a bound of what a model can do.
    #[arg(long, value_enum, conflicts_with = "url")]
    script: Option<Script>,
    /// Name of the model [default: the server's].
    #[arg(long, value_name = "NAME")]
    agents_model: Option<String>,
    /// Protocol: llama.cpp, ollama or openai [default: detected].
    #[arg(long, value_name = "API")]
    agents_api: Option<String>,
    /// Maximum tokens of an answer.
    #[arg(long, value_name = "N")]
    agents_max_tokens: Option<usize>,
    /// Maximum tokens of all requests of the run.
    #[arg(long, value_name = "N", default_value_t = 10_000_000)]
    agents_tokens: u64,
    /// Directory of the transcripts, which answer repeated requests [default: foreword-evaluate/agents in the user's cache].
    #[arg(long, value_name = "DIR")]
    transcripts: Option<PathBuf>,
}

impl AgentArgs {
    fn planner(self) -> Result<Planner> {
        if let Some(script) = self.script {
            return Ok(Planner::script(script));
        }
        let own = || Some(Environment::current().cache_dir?.join("foreword-evaluate/agents"));
        let transcripts = self.transcripts.or_else(own);
        let agents = Agents::connect(AgentEndpoint {
            url: self.url.context("name the model's server: --agents URL")?,
            api: self.agents_api,
            model: self.agents_model,
            key: std::env::var("FOREWORD_MODEL_KEY").ok().filter(|it| !it.is_empty()),
            max_tokens: self.agents_max_tokens,
            tokens: self.agents_tokens,
            transcripts: transcripts.context("there is no cache directory; name --transcripts")?,
        })?;
        Ok(Planner::Agents(Box::new(agents)))
    }
}

pub(super) fn run(args: Args) -> Result<()> {
    let Args { completion, ages, mixes, recall, agents, json } = args;
    let (settings, preset) = completion.settings(Vec::new(), Detail::Measures)?;
    let planner = Arc::new(agents.planner()?);
    let speculation = Speculation { recall, mixes, ages, planner };
    let table = speculate(&settings, &preset, &speculation)?;
    output::line(text(&table).trim_end());
    output::json(json.as_deref(), &table)
}
