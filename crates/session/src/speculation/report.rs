//! Reports of planning: for each file, and for a whole run.

use std::collections::BTreeMap;

use foreword_engine::speculate::Schedule;
use foreword_model::agents::AgentRun;
use serde::{Deserialize, Serialize};

use super::ledger::Entry;

/// Result of planning one file.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct FileReport {
    /// The file, relative to the root.
    pub path: String,
    /// Outcome of planning.
    pub outcome: FileOutcome,
    /// Number of accepted blocks.
    pub blocks: usize,
    /// Number of accepted forecasts.
    pub forecasts: usize,
    /// Number of rejected items of the model's answer by flaw: `block.bad_lines`, `forecast.unknown_name`.
    pub thrown_out: BTreeMap<String, usize>,
    /// Number of tool calls.
    pub calls: usize,
    /// Number of requests to the model.
    pub requests: u64,
    /// Tokens of the prompts.
    pub prompt_tokens: u64,
    /// Tokens of the answers.
    pub answer_tokens: u64,
    /// Time waiting for the model, in seconds.
    pub seconds: f64,
    /// Cost in US dollars.
    pub usd: f64,
    /// Unreadable answers and failed requests, for people.
    pub problems: Vec<String>,
}

/// Outcome of planning a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FileOutcome {
    /// The file has a new plan.
    #[default]
    Planned,
    /// The file is no longer in the repository.
    Gone,
    /// The request to the model failed.
    Failed,
}

impl FileOutcome {
    /// Name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Planned => "planned",
            Self::Gone => "gone",
            Self::Failed => "failed",
        }
    }
}

impl FileReport {
    /// The report of a run that cost `usd`.
    pub fn new(path: &str, run: &AgentRun, usd: f64) -> Self {
        let plan = run.plan.as_ref();
        let of = |kind: &str, flaws: &BTreeMap<&'static str, usize>| {
            let named = |(code, n): (&&str, &usize)| (format!("{kind}.{code}"), *n);
            flaws.iter().map(named).collect::<BTreeMap<_, _>>()
        };
        let mut thrown_out = of("block", &run.block_flaws);
        thrown_out.extend(of("forecast", &run.forecast_flaws));
        Self {
            path: path.to_owned(),
            outcome: if plan.is_some() { FileOutcome::Planned } else { FileOutcome::Gone },
            blocks: plan.map_or(0, |it| it.blocks.len()),
            forecasts: plan.map_or(0, |it| it.forecasts.len()),
            thrown_out,
            calls: run.calls,
            requests: run.spent.requests,
            prompt_tokens: run.spent.prompt_tokens,
            answer_tokens: run.spent.answer_tokens,
            seconds: run.spent.millis as f64 / 1e3,
            usd,
            problems: run.problems.clone(),
        }
    }

    pub(super) fn failed(path: &str, problem: String) -> Self {
        let (path, outcome) = (path.to_owned(), FileOutcome::Failed);
        Self { path, outcome, problems: vec![problem], ..Self::default() }
    }

    /// The ledger entry of the file.
    pub(super) fn entry(&self) -> Entry {
        Entry {
            blocks: self.blocks as u64,
            forecasts: self.forecasts as u64,
            thrown_out: self.thrown_out.values().sum::<usize>() as u64,
            ..Entry::default()
        }
    }
}

/// Result of a run.
#[derive(Debug, Default)]
pub struct RunReport {
    /// Reports of the files, in the order of planning.
    pub files: Vec<FileReport>,
    /// Current and pending files at the end.
    pub schedule: Schedule,
    /// Why the run ended early.
    pub stopped: Option<String>,
}
