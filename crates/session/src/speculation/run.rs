//! A run over the files that need a plan, one after the other, each from the current state of the repository.

use std::collections::BTreeSet;
use std::path::PathBuf;

use foreword_engine::speculate::{PlanWriter, Schedule, is_planned_for};
use foreword_model::ModelError;
use foreword_model::agents::{AgentError, AgentRun, Cost};

use super::budget_guard::BudgetGuard;
use super::planner::ModelPlanner;
use super::report::{FileOutcome, FileReport, RunReport};
use super::state::RepositoryState;
use crate::clock::unix_seconds;

/// Consecutive failures that end a run: the next files would fail, too.
const MAX_FAILURES: usize = 3;

impl ModelPlanner {
    /// The files that need a plan, the likeliest to be edited first.
    pub fn schedule(&self, state: &RepositoryState, most: usize) -> Schedule {
        state.schedule(&self.store.load(), most)
    }

    /// Estimates an upper bound of the cost of planning these files.
    pub fn estimate(&self, state: &RepositoryState, paths: &[String]) -> Cost {
        let mut res = Cost::default();
        paths.iter().for_each(|it| res.add(&self.planner.estimate(&state.subject(it))));
        res
    }

    /// Plans the files that need it one after the other and writes each plan before the next request. `refresh` reads the
    /// current state of the repository. `None` while another process plans.
    pub fn run(
        &mut self,
        most: usize,
        refresh: &mut dyn FnMut() -> anyhow::Result<RepositoryState>,
        guard: &mut BudgetGuard,
        on_file: &mut dyn FnMut(&FileReport, usize),
    ) -> anyhow::Result<Option<RunReport>> {
        let Some(mut writer) = self.store.try_write()? else { return Ok(None) };
        self.paths.set_model(&self.model)?;
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
            match self.one(&state, &path, guard, &mut writer)? {
                Ok(done) => {
                    failures = if done.outcome == FileOutcome::Failed { failures + 1 } else { 0 };
                    on_file(&done, left);
                    report.files.push(done);
                }
                Err(stopped) => report.stopped = Some(stopped),
            }
            if failures >= MAX_FAILURES {
                report.stopped =
                    Some(format!("{MAX_FAILURES} files in a row could not be planned"));
            }
            tried.insert(path);
        }
    }

    /// Plans one file and writes the plan. The inner error ends the run; finished files are kept.
    fn one(
        &mut self,
        state: &RepositoryState,
        path: &str,
        guard: &mut BudgetGuard,
        writer: &mut PlanWriter,
    ) -> anyhow::Result<Result<FileReport, String>> {
        let run = match self.plan(state, path, guard) {
            Ok(run) => run,
            Err(AgentError::Budget(why)) => return Ok(Err(why)),
            Err(AgentError::Model(error)) => {
                if !is_of_one_request(&error) {
                    return Ok(Err(error.to_string()));
                }
                let report = FileReport::failed(path, error.to_string());
                self.paths.set_report(&report)?;
                return Ok(Ok(report));
            }
            Err(error) => return Err(error.into()),
        };
        Ok(Ok(self.keep(path, &run, guard, writer)?))
    }

    /// Writes the plan and the report of a run.
    fn keep(
        &self,
        path: &str,
        run: &AgentRun,
        guard: &mut BudgetGuard,
        writer: &mut PlanWriter,
    ) -> anyhow::Result<FileReport> {
        let report = FileReport::new(path, run, guard.usd(&run.spent));
        if let Some(plan) = &run.plan {
            writer.append(std::slice::from_ref(plan), unix_seconds())?;
            guard.planned(report.entry())?;
            self.paths.set_report(&report)?;
        }
        Ok(report)
    }

    /// Plans one file, whether or not it needs a plan.
    pub fn one_named(
        &mut self,
        state: &RepositoryState,
        path: &str,
        guard: &mut BudgetGuard,
    ) -> anyhow::Result<Option<(AgentRun, FileReport)>> {
        let Some(mut writer) = self.store.try_write()? else { return Ok(None) };
        self.paths.set_model(&self.model)?;
        let run = self.plan(state, path, guard)?;
        let report = self.keep(path, &run, guard, &mut writer)?;
        Ok(Some((run, report)))
    }

    /// Compacts the plans and deletes old transcripts. Plans of deleted files are kept: they were paid for, and another branch
    /// may have the files.
    fn finish(&self, state: &RepositoryState, writer: &mut PlanWriter) -> anyhow::Result<()> {
        let snapshot = &state.snapshot;
        writer.compact()?;
        let planned = snapshot.files().filter(|it| is_planned_for(snapshot, *it));
        let of_file = |it| {
            let path = snapshot.path(it);
            [self.paths.transcript(path), self.paths.report(path)]
        };
        let kept: BTreeSet<PathBuf> = planned.flat_map(of_file).collect();
        self.paths.tidy(&|it| kept.contains(it));
        Ok(())
    }
}

/// Whether the error concerns one request only, such as one that was too long. An unreachable server, a refused key or a rate
/// limit affects all files.
fn is_of_one_request(error: &ModelError) -> bool {
    let of_request = matches!(error, ModelError::Refused { status: 200 | 400 | 413 | 422, .. });
    of_request || matches!(error, ModelError::Timeout { .. } | ModelError::InvalidResponse { .. })
}
