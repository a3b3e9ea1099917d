//! Plans by a chat model at any endpoint.
//!
//! The model sees the state before the task's commit and its history, but neither the hole nor its position.
//! Transcripts keep its answers, so that an interrupted run continues and a second run makes no requests.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context as _, Result};
use foreword_engine::history::{CoChange, CoChangeConfig};
use foreword_engine::index::Snapshot;
use foreword_engine::source::ContentHash;
use foreword_engine::speculate::FilePlan;
use foreword_load::{HistoryLimits, history_at};
use foreword_model::agents::{
    AgentConfig, AgentPlanner, AgentRun, Charge, Cost, Subject, Transcript,
};
use foreword_model::http::{Api, Server};
use foreword_model::wait;
use serde::Serialize;

/// Limits of the history that an agent can read.
const COMMITS: HistoryLimits = HistoryLimits { commits: 300, trees: 20_000 };

/// A chat model that plans.
#[derive(Debug)]
pub struct Agents {
    server: Server,
    model: String,
    config: AgentConfig,
    /// Directory of the transcripts.
    transcripts: PathBuf,
    /// Maximum tokens of all requests together.
    tokens: u64,
    totals: Mutex<AgentTotals>,
}

/// Totals over all tasks: accepted and rejected items, and cost.
#[derive(Clone, Debug, Default, Serialize)]
pub struct AgentTotals {
    pub(crate) model: String,
    pub(crate) files: usize,
    pub(crate) blocks: usize,
    pub(crate) forecasts: usize,
    pub(crate) thrown_out: BTreeMap<String, usize>,
    /// Requests of this run, and the tokens of prompts and answers.
    pub(crate) spent: [u64; 3],
    /// Unreadable answers.
    pub(crate) problems: usize,
}

/// Number of rejected items by code of the flaw.
type Flaws = BTreeMap<&'static str, usize>;

impl AgentTotals {
    /// Counts the accepted and rejected items of a file.
    pub(super) fn add(&mut self, plan: Option<&FilePlan>, blocks: &Flaws, forecasts: &Flaws) {
        self.files += 1;
        self.blocks += plan.map_or(0, |it| it.blocks.len());
        self.forecasts += plan.map_or(0, |it| it.forecasts.len());
        for (kind, flaws) in [("block", blocks), ("forecast", forecasts)] {
            for (code, n) in flaws {
                *self.thrown_out.entry(format!("{kind}.{code}")).or_default() += n;
            }
        }
    }
}

/// Address and limits of a model.
#[derive(Clone, Debug)]
pub struct AgentEndpoint {
    /// The address of the server.
    pub url: String,
    /// The protocol, by name; detected when absent.
    pub api: Option<String>,
    /// The model; the server's own when absent.
    pub model: Option<String>,
    /// The API key.
    pub key: Option<String>,
    /// Maximum tokens of an answer.
    pub max_tokens: Option<usize>,
    /// Maximum tokens of all requests together.
    pub tokens: u64,
    /// Directory of the transcripts.
    pub transcripts: PathBuf,
}

impl Agents {
    /// Connects to the server.
    pub fn connect(at: AgentEndpoint) -> Result<Self> {
        let AgentEndpoint { url, api, model, key, max_tokens, tokens, transcripts } = at;
        let (server, window) = wait(async {
            let api = api.as_deref().and_then(Api::named);
            let server = Server::connect(&url, api, model.as_deref(), key).await?;
            let window = server.window().await;
            anyhow::Ok((server, window))
        })?;
        let model = if server.model().is_empty() { server.base() } else { server.model() };
        let model = model.to_owned();
        let usual = AgentConfig::usual();
        let config = AgentConfig { max_tokens: max_tokens.unwrap_or(usual.max_tokens), ..usual };
        let config = match window {
            Some(window) => config.within(window as usize),
            None => config,
        };
        let totals = Mutex::new(AgentTotals { model: model.clone(), ..AgentTotals::default() });
        Ok(Self { server, model, config, transcripts, tokens, totals })
    }

    /// A planner of this model; each learns the server's abilities from its refusals.
    pub(super) fn planner(&self) -> AgentPlanner {
        AgentPlanner::new(Some(self.server.clone()), &self.model, self.config.clone())
    }

    /// Plans a file in a past state.
    pub(super) fn plan(
        &self,
        planner: &mut AgentPlanner,
        (snapshot, path, repository): (&Snapshot, &str, &str),
        (git_dir, revision): (&Path, &str),
    ) -> Result<FilePlan> {
        let history = history_at(git_dir, revision, &COMMITS);
        let together = CoChange::new(history.clone(), CoChangeConfig::measured());
        let subject =
            Subject { snapshot, repository, path, history: &history, together: &together };
        // Tasks of one commit may remove different functions of a file.
        let state = snapshot.id();
        let name = format!("{repository}\0{revision}\0{state}\0{path}");
        let name = ContentHash::of(name.as_bytes());
        let file = self.transcripts.join(format!("{name}.jsonl"));
        let mut transcript = Transcript::resume(&file, planner.header(snapshot, path));
        let mut meter = |charge| self.charge(charge);
        let run = wait(planner.plan(&subject, &mut transcript, &mut meter))?;
        self.add(&run);
        run.plan.context("the file is not there")
    }

    fn charge(&self, charge: Charge) -> Result<(), String> {
        let mut totals = self.totals.lock().unwrap_or_else(PoisonError::into_inner);
        let [requests, prompt, answer] = &mut totals.spent;
        match charge {
            Charge::Before(Cost { prompt_tokens, answer_tokens, .. }) => {
                let most = [*prompt, *answer, prompt_tokens, answer_tokens];
                match most.into_iter().fold(0_u64, u64::saturating_add) > self.tokens {
                    true => Err(format!("the {} tokens of this run are used up", self.tokens)),
                    false => Ok(()),
                }
            }
            Charge::After(spent) => {
                *requests += spent.requests;
                *prompt = prompt.saturating_add(spent.prompt_tokens);
                *answer = answer.saturating_add(spent.answer_tokens);
                Ok(())
            }
        }
    }

    fn add(&self, run: &AgentRun) {
        let mut totals = self.totals.lock().unwrap_or_else(PoisonError::into_inner);
        totals.add(run.plan.as_ref(), &run.block_flaws, &run.forecast_flaws);
        totals.problems += run.problems.len();
    }

    /// Totals so far.
    pub(super) fn totals(&self) -> AgentTotals {
        self.totals.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
