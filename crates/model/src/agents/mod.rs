//! Agents that plan: a chat model explores the repository with tools, chooses what the next edits of a file will need, and
//! foretells what will be written there (the Retriever and the Forecaster of SpecAgent, arXiv 2510.17925).
//!
//! A model's word is checked by [`foreword_engine::speculate::stated_plan`]; nothing else of it gets into a plan. The tools
//! read the snapshot and nothing else, so no answer of theirs depends on the disk, and what is ignored, secret or outside
//! of the repository cannot be asked for. Every answer of the model is written to a [`Transcript`] before it is used: a run
//! that was killed goes on from there without asking anything twice, and a finished one can be replayed.

mod answer;
mod config;
mod render;
mod stage;
#[cfg(test)]
mod tests;
mod tools;
mod transcript;

use std::collections::BTreeMap;

use foreword_engine::history::{CoChange, History};
use foreword_engine::index::Snapshot;
use foreword_engine::speculate::{FilePlan, PlannerKey, stated_plan};

use self::stage::{Abilities, Stage};
use self::tools::Toolbox;
use crate::error::ModelError;
use crate::http::Server;

pub use self::config::AgentConfig;
pub use self::transcript::{Transcript, TranscriptError, TranscriptHeader};

/// What is planned for.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    /// The repository.
    pub snapshot: &'a Snapshot,
    /// The name of the repository.
    pub repository: &'a str,
    /// The file, relative to the root.
    pub path: &'a str,
    /// The last commits.
    pub history: &'a History,
    /// Which files change together in them.
    pub together: &'a CoChange,
}

/// What requests cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// How many requests.
    pub requests: u64,
    /// Tokens of the prompts, as the server says; estimated where it does not.
    pub prompt_tokens: u64,
    /// Tokens of the answers, likewise.
    pub answer_tokens: u64,
    /// Milliseconds of waiting for the model.
    pub millis: u64,
}

impl Spent {
    /// Adds what other requests cost.
    pub fn add(&mut self, other: &Self) {
        self.requests = self.requests.saturating_add(other.requests);
        self.prompt_tokens = self.prompt_tokens.saturating_add(other.prompt_tokens);
        self.answer_tokens = self.answer_tokens.saturating_add(other.answer_tokens);
        self.millis = self.millis.saturating_add(other.millis);
    }
}

/// What a caller is told before and after each request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Charge {
    /// A request is about to be made that costs this at the most, as far as can be told. An error stops the run.
    Before(Spent),
    /// A request was made, and cost this.
    After(Spent),
}

/// Allows requests and adds up what they cost; the error says why a request is not allowed.
pub type Meter<'m> = &'m mut (dyn FnMut(Charge) -> Result<(), String> + Send);

/// Why a file was not planned for.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AgentError {
    /// The model could not be asked.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The meter does not allow more.
    #[error("{0}")]
    Budget(String),
    /// The transcript could not be written, or does not fit.
    #[error(transparent)]
    Transcript(#[from] TranscriptError),
}

/// What came of one file.
#[derive(Debug)]
pub struct AgentRun {
    /// The plan; none where the file is not in the snapshot.
    pub plan: Option<FilePlan>,
    /// How many blocks were thrown out, by the code of the flaw.
    pub block_flaws: BTreeMap<&'static str, usize>,
    /// How many forecasts were thrown out, by the code of the flaw.
    pub forecast_flaws: BTreeMap<&'static str, usize>,
    /// What this run cost; what came from the transcript cost nothing.
    pub spent: Spent,
    /// How many calls of tools were answered.
    pub calls: usize,
    /// What went wrong without ending the run, for people.
    pub problems: Vec<String>,
}

/// A chat model with its limits.
pub struct AgentPlanner {
    server: Option<Server>,
    config: AgentConfig,
    key: PlannerKey,
    /// What is known of the server; learned from its refusals.
    can: Abilities,
}

impl AgentPlanner {
    /// A planner that asks a server, or, without one, answers from transcripts alone. `model` names the model in the key.
    pub fn new(server: Option<Server>, model: &str, config: AgentConfig) -> Self {
        let key = config.key(model);
        Self { server, config, key, can: Abilities::default() }
    }

    /// What its plans are keyed by, beside their inputs.
    pub fn key(&self) -> &PlannerKey {
        &self.key
    }

    /// The first line of a transcript of this planner for a file.
    pub fn header(&self, snapshot: &Snapshot, path: &str) -> TranscriptHeader {
        let hash = snapshot.file(path).map(|it| snapshot.hash(it).to_string());
        TranscriptHeader {
            path: path.to_owned(),
            hash: hash.unwrap_or_default(),
            planner: self.key.fingerprint.clone(),
        }
    }

    /// Has both agents work on a file.
    pub async fn plan(
        &mut self,
        subject: &Subject<'_>,
        transcript: &mut Transcript,
        meter: Meter<'_>,
    ) -> Result<AgentRun, AgentError> {
        let Self { server, config, key, can } = self;
        let toolbox = Toolbox::new(*subject, config.tool_tokens);
        let mut stage =
            Stage::new((server.as_ref(), config, can), toolbox, transcript, &mut *meter);
        let blocks = stage.retrieve(subject).await?;
        let chosen = stated_plan(subject.snapshot, subject.path, key, (&blocks, &[]));
        let shown = chosen.plan.as_ref().map_or(&[][..], |it| &it.blocks);
        let forecasts = stage.foretell(subject, shown).await?;
        let checked = stated_plan(subject.snapshot, subject.path, key, (&blocks, &forecasts));
        let forecast_flaws = checked.forecast_flaws();
        let end = stage.end();
        Ok(AgentRun {
            plan: checked.plan,
            block_flaws: checked.block_flaws,
            forecast_flaws,
            spent: end.spent,
            calls: end.calls,
            problems: end.problems,
        })
    }

    /// What planning a file costs at the most, as far as can be told without asking.
    pub fn estimate(&self, subject: &Subject<'_>) -> Spent {
        let first = render::tokens(&render::retriever(subject, &self.config));
        let AgentConfig { retriever, forecaster, max_tokens, tool_tokens, .. } = self.config;
        let turns = (retriever.turns + forecaster.turns + 2) as u64;
        // Tools add to what each further turn sends again; on average half of it is there.
        let prompt = turns * (first + tool_tokens as u64 / 2);
        let answer = turns * max_tokens as u64;
        Spent { requests: turns, prompt_tokens: prompt, answer_tokens: answer, millis: 0 }
    }
}
