//! Arguments of who plans, shared by `speculate` and `pass`.

use std::path::PathBuf;

use crate::runs::speculate::{AgentEndpoint, Agents, Planner, Script};
use anyhow::{Context as _, Result};
use foreword_load::Environment;

/// The chat model that plans, or a script in its place.
#[derive(clap::Args)]
pub struct AgentArgs {
    /// Address of the chat model (llama.cpp, Ollama, or OpenAI-compatible). Code is sent to this server and nowhere else.
    #[arg(long, value_name = "URL")]
    agents: Option<String>,
    /// Plan by a script instead, as a bound of what a model can do.
    #[arg(long, value_enum, conflicts_with = "agents")]
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
    /// Who plans; `None` if nobody is named.
    pub fn planner(self) -> Result<Option<Planner>> {
        if let Some(script) = self.script {
            return Ok(Some(Planner::script(script)));
        }
        let Some(url) = self.agents else { return Ok(None) };
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
        Ok(Some(Planner::Agents(Box::new(agents))))
    }
}
