//! Agents that plan: a chat model explores the repository with tools, chooses code that the next edits of a file will need, and
//! forecasts what will be written (the Retriever and the Forecaster of SpecAgent, arXiv 2510.17925).
//!
//! The model's answers are checked by [`foreword_engine::speculate::stated_plan`]. The tools read only the snapshot, so ignored
//! files, secrets and paths outside of the repository are not accessible. Every answer of the model is written to a
//! [`Transcript`] before it is used: an interrupted run continues without repeating a request, and a finished one can be
//! replayed.

mod answer;
mod config;
mod prompts;
mod render;
mod stage;
#[cfg(test)]
mod tests;
mod tools;
mod transcript;

use std::collections::BTreeMap;

use foreword_engine::history::{CoChange, History};
use foreword_engine::index::Snapshot;
use foreword_engine::speculate::{FilePlan, PlannerKey, Proposal, stated_plan};

use self::stage::{Abilities, Stage};
use self::tools::Toolbox;
use crate::error::ModelError;
use crate::http::Server;

pub use self::config::AgentConfig;
pub use self::transcript::{Transcript, TranscriptError, TranscriptHeader};

/// The file to plan, with its repository.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    /// Snapshot of the repository.
    pub snapshot: &'a Snapshot,
    /// Name of the repository.
    pub repository: &'a str,
    /// The file, relative to the root.
    pub path: &'a str,
    /// The last commits.
    pub history: &'a History,
    /// Files that change together in these commits.
    pub together: &'a CoChange,
}

/// Cost of requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// Number of requests.
    pub requests: u64,
    /// Tokens of the prompts, as reported by the server, else estimated.
    pub prompt_tokens: u64,
    /// Tokens of the answers, as reported by the server, else estimated.
    pub answer_tokens: u64,
    /// Time waiting for the model, in milliseconds.
    pub millis: u64,
}

impl Cost {
    /// Adds the cost of other requests.
    pub fn add(&mut self, other: &Self) {
        self.requests = self.requests.saturating_add(other.requests);
        self.prompt_tokens = self.prompt_tokens.saturating_add(other.prompt_tokens);
        self.answer_tokens = self.answer_tokens.saturating_add(other.answer_tokens);
        self.millis = self.millis.saturating_add(other.millis);
    }
}

/// Notice to the caller before and after each request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Charge {
    /// Before a request, with an estimated upper bound of its cost. An error stops the run.
    Before(Cost),
    /// After a request, with its cost.
    After(Cost),
}

/// Allows requests and records their cost; the error says why a request is refused.
pub type Meter<'m> = &'m mut (dyn FnMut(Charge) -> Result<(), String> + Send);

/// Why a file was not planned.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AgentError {
    /// The request failed.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The meter refused a request.
    #[error("{0}")]
    Budget(String),
    /// The transcript cannot be written, or belongs to another state.
    #[error(transparent)]
    Transcript(#[from] TranscriptError),
}

/// Result of planning one file.
#[derive(Debug)]
pub struct AgentRun {
    /// The plan; `None` if the file is not in the snapshot.
    pub plan: Option<FilePlan>,
    /// Number of rejected blocks by code of the flaw.
    pub block_flaws: BTreeMap<&'static str, usize>,
    /// Number of rejected forecasts by code of the flaw.
    pub forecast_flaws: BTreeMap<&'static str, usize>,
    /// Cost of this run; answers from the transcript are free.
    pub spent: Cost,
    /// Number of tool calls.
    pub calls: usize,
    /// Problems that did not end the run, for people.
    pub problems: Vec<String>,
}

/// A chat model with its limits.
pub struct AgentPlanner {
    server: Option<Server>,
    config: AgentConfig,
    key: PlannerKey,
    /// Abilities of the server, learned from its refusals.
    can: Abilities,
}

impl AgentPlanner {
    /// Makes a planner with a server, or without one for replays. `model` names the model in the key.
    pub fn new(server: Option<Server>, model: &str, config: AgentConfig) -> Self {
        let key = config.key(model);
        Self { server, config, key, can: Abilities::default() }
    }

    /// Key of its plans.
    pub fn key(&self) -> &PlannerKey {
        &self.key
    }

    /// The header of a transcript of this planner for a file.
    pub fn header(&self, snapshot: &Snapshot, path: &str) -> TranscriptHeader {
        let hash = snapshot.file(path).map(|it| snapshot.hash(it).to_string());
        TranscriptHeader {
            path: path.to_owned(),
            hash: hash.unwrap_or_default(),
            planner: self.key.fingerprint.clone(),
        }
    }

    /// Plans a file with both agents.
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
        let shown = stage.shown().to_vec();
        let proposal = Proposal { blocks: &blocks, forecasts: &[], shown: &shown };
        let chosen = stated_plan(subject.snapshot, subject.path, key, &proposal);
        let accepted = chosen.plan.as_ref().map_or(&[][..], |it| &it.blocks);
        let forecasts = stage.forecast(subject, accepted).await?;
        let proposal = Proposal { forecasts: &forecasts, ..proposal };
        let checked = stated_plan(subject.snapshot, subject.path, key, &proposal);
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

    /// Estimates an upper bound of the cost of planning a file.
    pub fn estimate(&self, subject: &Subject<'_>) -> Cost {
        let first = render::tokens(&render::retriever(subject, &self.config));
        let AgentConfig { retriever, forecaster, max_tokens, tool_tokens, .. } = self.config;
        let turns = (retriever.turns + forecaster.turns + 2) as u64;
        // Each turn repeats the tool results so far: on average half of them.
        let prompt = turns * (first + tool_tokens as u64 / 2);
        let answer = turns * max_tokens as u64;
        Cost { requests: turns, prompt_tokens: prompt, answer_tokens: answer, millis: 0 }
    }
}
