//! A run over the files that need a plan: one after another, each from the repository as it is then.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use foreword_engine::speculate::{PlanWriter, Schedule, StaticPlanner, schedule};
use foreword_model::ModelError;
use foreword_model::agents::{AgentError, AgentRun, Spent};
use serde::{Deserialize, Serialize};

use super::{Agents, Entry, Purse, State};
use crate::speculation::now;

/// So many files in a row that fail end a run: the next ones would fail as well.
const FAILURES: usize = 3;

/// What was done for one file.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct FileReport {
    /// The file, relative to the root.
    pub path: String,
    /// What became of the file.
    pub outcome: FileOutcome,
    /// Number of blocks.
    pub blocks: usize,
    /// Number of forecasts.
    pub forecasts: usize,
    /// What of the model's word does not hold, by reason: `block.bad_lines`, `forecast.unknown_name`.
    pub thrown_out: BTreeMap<String, usize>,
    /// Number of tool calls.
    pub calls: usize,
    /// Number of requests to the model.
    pub requests: u64,
    /// Tokens that the model read.
    pub prompt_tokens: u64,
    /// Tokens that the model wrote.
    pub answer_tokens: u64,
    /// Time, in seconds.
    pub seconds: f64,
    /// Cost, in US dollars.
    pub usd: f64,
    /// What is wrong with the plan, in words.
    pub problems: Vec<String>,
}

/// How the work on a file ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FileOutcome {
    #[default]
    /// The file has a new plan.
    Planned,
    /// It is not in the repository any more.
    Gone,
    /// The model could not be asked for it.
    Failed,
}

impl FileOutcome {
    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Planned => "planned",
            Self::Gone => "gone",
            Self::Failed => "failed",
        }
    }
}

impl FileReport {
    /// The report of one run.
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

    fn failed(path: &str, problem: String) -> Self {
        let (path, outcome) = (path.to_owned(), FileOutcome::Failed);
        Self { path, outcome, problems: vec![problem], ..Self::default() }
    }

    /// The line of the ledger.
    fn entry(&self) -> Entry {
        Entry {
            blocks: self.blocks as u64,
            forecasts: self.forecasts as u64,
            thrown_out: self.thrown_out.values().sum::<usize>() as u64,
            ..Entry::default()
        }
    }
}

/// What a run did.
#[derive(Debug, Default)]
pub struct RunReport {
    /// The files, in the order in which they were planned.
    pub files: Vec<FileReport>,
    /// What was there, and what is left, at the end.
    pub schedule: Schedule,
    /// Why it ended before all was done.
    pub stopped: Option<String>,
}

impl Agents {
    /// Which files need plans, the likeliest to be edited first.
    pub fn schedule(&self, state: &State, most: usize) -> Schedule {
        schedule(&state.snapshot, &self.store.load(), &state.recently, most)
    }

    /// What planning these files costs at the most, as far as can be told without asking.
    pub fn estimate(&self, state: &State, paths: &[String]) -> Spent {
        let mut res = Spent::default();
        paths.iter().for_each(|it| res.add(&self.planner.estimate(&state.subject(it))));
        res
    }

    /// Plans what needs it, file by file, each written before the next one. `refresh` gives the repository as it is now.
    /// `None` while another process does it.
    pub fn run(
        &mut self,
        most: usize,
        refresh: &mut dyn FnMut() -> anyhow::Result<State>,
        purse: &mut Purse,
        on_file: &mut dyn FnMut(&FileReport, usize),
    ) -> anyhow::Result<Option<RunReport>> {
        let Some(mut writer) = self.store.try_write()? else { return Ok(None) };
        self.places.set_model(&self.model)?;
        let mut report = RunReport::default();
        let (mut tried, mut failures) = (BTreeSet::new(), 0);
        loop {
            let state = refresh()?;
            report.schedule = self.schedule(&state, most);
            let pending = report.schedule.pending.iter();
            let next = pending.clone().find(|it| !tried.contains(*it)).cloned();
            let Some(path) = next.filter(|_| report.stopped.is_none()) else {
                self.finish(&state, &mut writer)?;
                return Ok(Some(report));
            };
            let left = pending.filter(|it| !tried.contains(*it)).count();
            match self.one(&state, &path, purse, &mut writer)? {
                Ok(done) => {
                    failures = if done.outcome == FileOutcome::Failed { failures + 1 } else { 0 };
                    on_file(&done, left);
                    report.files.push(done);
                }
                Err(stopped) => report.stopped = Some(stopped),
            }
            if failures >= FAILURES {
                report.stopped = Some(format!("{FAILURES} files in a row could not be planned"));
            }
            tried.insert(path);
        }
    }

    /// Plans one file and writes the plan. The inner error ends the run, and what was done so far is good.
    fn one(
        &mut self,
        state: &State,
        path: &str,
        purse: &mut Purse,
        writer: &mut PlanWriter,
    ) -> anyhow::Result<Result<FileReport, String>> {
        let run = match self.plan(state, path, purse) {
            Ok(run) => run,
            Err(AgentError::Budget(why)) => return Ok(Err(why)),
            Err(AgentError::Model(error)) => {
                if !is_of_one_request(&error) {
                    return Ok(Err(error.to_string()));
                }
                let report = FileReport::failed(path, error.to_string());
                self.places.set_report(&report)?;
                return Ok(Ok(report));
            }
            Err(error) => return Err(error.into()),
        };
        Ok(Ok(self.keep(path, &run, purse, writer)?))
    }

    /// Writes the plan that a run has made, and what the run was.
    fn keep(
        &self,
        path: &str,
        run: &AgentRun,
        purse: &mut Purse,
        writer: &mut PlanWriter,
    ) -> anyhow::Result<FileReport> {
        let report = FileReport::new(path, run, purse.usd(&run.spent));
        if let Some(plan) = &run.plan {
            writer.append(std::slice::from_ref(plan), now())?;
            purse.planned(report.entry())?;
            self.places.set_report(&report)?;
        }
        Ok(report)
    }

    /// Plans one file that was named, whether or not it needs it.
    pub fn one_named(
        &mut self,
        state: &State,
        path: &str,
        purse: &mut Purse,
    ) -> anyhow::Result<Option<(AgentRun, FileReport)>> {
        let Some(mut writer) = self.store.try_write()? else { return Ok(None) };
        self.places.set_model(&self.model)?;
        let run = self.plan(state, path, purse)?;
        let report = self.keep(path, &run, purse, &mut writer)?;
        Ok(Some((run, report)))
    }

    /// Tidies up. Plans of files that are gone are kept, for they were paid for and another branch may have the files.
    fn finish(&self, state: &State, writer: &mut PlanWriter) -> anyhow::Result<()> {
        let snapshot = &state.snapshot;
        writer.compact(&|_| true)?;
        let planned = snapshot.files().filter(|it| StaticPlanner::is_planned(snapshot, *it));
        let of_file = |it| {
            let path = snapshot.path(it);
            [self.places.transcript(path), self.places.report(path)]
        };
        let kept: BTreeSet<PathBuf> = planned.flat_map(of_file).collect();
        self.places.tidy(&|it| kept.contains(it));
        Ok(())
    }
}

/// Whether the next file may do better, as after a request that was too long: a server that is away, forbids, or limits its
/// rate does so for all.
fn is_of_one_request(error: &ModelError) -> bool {
    let of_request = matches!(error, ModelError::Refused { status: 200 | 400 | 413 | 422, .. });
    of_request || matches!(error, ModelError::Timeout { .. } | ModelError::InvalidResponse { .. })
}
