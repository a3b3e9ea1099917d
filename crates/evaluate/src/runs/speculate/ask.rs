//! Runs a task with live retrieval, from its plan alone, and with its plan's forecasts beside live retrieval.

use std::time::Instant;

use anyhow::{Result, ensure};
use foreword_engine::order::Truncation;
use foreword_engine::preset::Preset;
use foreword_engine::scope::Cursor;
use foreword_engine::speculate::{
    Allowance, AtCursor, ContextMix, FilePlan, MAX_BLOCKS, Mix, ShownForecasts, compose_plan,
    recall, select_beside,
};
use foreword_model::agents::AgentPlanner;

use super::Speculation;
use super::past::Past;
use crate::measures::coverage::{ContextPiece, Hole};
use crate::runs::completion::CompletionSettings;
use crate::runs::completion::cursor::{CodeView, cursor_of, each, ensure_hole_is_absent};
use crate::runs::completion::retrieval::{Retrieval, context_piece};
use crate::runs::table::{Observation, observe};
use crate::tasks::corpora::Corpora;
use crate::tasks::corpus::count_tokens;
use crate::tasks::task::Task;

/// The reference series.
pub(super) const LIVE: &str = "live";

/// Observations at one task.
pub(super) struct TaskResult {
    pub(super) repo: String,
    pub(super) observations: Vec<Observation>,
    /// Whether the file had a plan, by age.
    pub(super) planned: Vec<bool>,
    /// Milliseconds of live retrieval and of a context from the plan alone.
    pub(super) times: [f64; 2],
}

/// Runs the tasks of one repository.
pub(super) fn all(
    settings: &CompletionSettings,
    preset: &Preset,
    speculation: &Speculation,
    tasks: &[Task],
) -> Vec<Result<TaskResult, String>> {
    let mut agent = speculation.planner.agent();
    let mut past = Past::default();
    each(settings, tasks, |code, task| {
        Asker { settings, preset, speculation }.ask(code, task, &mut past, agent.as_mut())
    })
}

struct Asker<'a> {
    settings: &'a CompletionSettings,
    preset: &'a Preset,
    speculation: &'a Speculation,
}

impl Asker<'_> {
    fn ask(
        &self,
        code: &CodeView<'_>,
        task: &Task,
        past: &mut Past,
        mut agent: Option<&mut AgentPlanner>,
    ) -> Result<TaskResult> {
        ensure_hole_is_absent(code, task)?;
        let cursor = cursor_of(task, self.settings.protocol, code.session)?;
        let view = code.view(&cursor)?;
        let start = Instant::now();
        let live = Retrieval::new(&view, &cursor, self.preset);
        live.pieces(self.preset.budget.total);
        let mut times = [start.elapsed().as_secs_f64() * 1e3, 0.0];
        let hole = live.hole(task)?;
        let budgets = &self.settings.budgets;
        let mut observations = observe(LIVE, budgets, |budget| hole.measure(&live.within(budget)));
        let mut planned = Vec::new();
        for (at, age) in self.speculation.ages.iter().enumerate() {
            let state = past.state(&self.settings.corpora, task, *age)?;
            let plan = match state {
                Some(it) => self.speculation.planner.plan(agent.as_deref_mut(), &it, task)?,
                None => None,
            };
            planned.push(plan.is_some());
            let with = TaskWithPlan { asker: self, plan: plan.as_ref(), live: &live, hole: &hole };
            if at == 0 {
                times[1] = with.time(code, &cursor);
                observations.extend(with.mixes(code, &cursor)?);
            }
            if self.speculation.ages.len() > 1 {
                let mix = Mix { blocks: MAX_BLOCKS, forecasts: 0 };
                let name = format!("plan, {age} commits before");
                observations.extend(with.only(&name, code, &cursor, mix)?);
            }
        }
        Ok(TaskResult { repo: task.repo.clone(), observations, planned, times })
    }
}

/// A task with its plan.
#[derive(Clone, Copy)]
struct TaskWithPlan<'a> {
    asker: &'a Asker<'a>,
    plan: Option<&'a FilePlan>,
    live: &'a Retrieval<'a>,
    hole: &'a Hole,
}

impl TaskWithPlan<'_> {
    /// Contexts from the plan alone, or with its forecasts beside live retrieval, for each mix.
    fn mixes(&self, code: &CodeView<'_>, cursor: &Cursor) -> Result<Vec<Observation>> {
        let mut res = Vec::new();
        for mix in &self.asker.speculation.mixes {
            res.extend(match mix {
                ContextMix::Plan(it) => self.only(&format!("plan {mix}"), code, cursor, *it)?,
                ContextMix::Live(forecasts) => self.beside(&mix.to_string(), *forecasts)?,
            });
        }
        Ok(res)
    }

    /// Live retrieval with forecasts.
    fn beside(&self, name: &str, forecasts: usize) -> Result<Vec<Observation>> {
        let Asker { preset, settings, .. } = self.asker;
        let pieces = |tokens: usize| beside(self.live, self.plan, forecasts, tokens);
        for budget in settings.budgets.iter().flatten() {
            let spent: usize = pieces(*budget).iter().map(|it| it.tokens).sum();
            ensure!(spent <= *budget, "{name} exceeds its budget");
        }
        let measure =
            |it: Option<usize>| self.hole.measure(&pieces(it.unwrap_or(preset.budget.total)));
        Ok(observe(name, &settings.budgets, measure))
    }

    fn only(
        &self,
        name: &str,
        code: &CodeView<'_>,
        cursor: &Cursor,
        mix: Mix,
    ) -> Result<Vec<Observation>> {
        let budgets = &self.asker.settings.budgets;
        for budget in budgets.iter().flatten() {
            let spent: usize =
                self.pieces(code, cursor, mix, *budget).iter().map(|it| it.tokens).sum();
            ensure!(spent <= *budget, "{name} exceeds its budget");
        }
        let own = self.asker.preset.budget.total;
        Ok(observe(name, budgets, |budget| {
            self.hole.measure(&self.pieces(code, cursor, mix, budget.unwrap_or(own)))
        }))
    }

    fn pieces(
        &self,
        code: &CodeView<'_>,
        cursor: &Cursor,
        mix: Mix,
        tokens: usize,
    ) -> Vec<ContextPiece> {
        let Asker { preset, speculation, .. } = self.asker;
        let live = (self.live, *preset);
        alone(live, self.plan, (code, cursor), (mix, tokens, speculation.recall))
    }

    /// Milliseconds of a context from the plan alone: the fastest of some runs after the first, which simulates the
    /// previous key.
    fn time(&self, code: &CodeView<'_>, cursor: &Cursor) -> f64 {
        let once = || {
            let start = Instant::now();
            self.pieces(code, cursor, Mix::SPEC_AGENT, self.asker.preset.budget.total);
            start.elapsed().as_secs_f64() * 1e3
        };
        once();
        (0..TIMED_RUNS).map(|_| once()).fold(f64::INFINITY, f64::min)
    }
}

/// The pieces of live retrieval with forecasts of a plan.
fn beside(
    live: &Retrieval<'_>,
    plan: Option<&FilePlan>,
    forecasts: usize,
    tokens: usize,
) -> Vec<ContextPiece> {
    let shown = ShownForecasts::beside(plan, forecasts);
    let selection = select_beside(live, &shown, (tokens, Truncation::Left), &count_tokens);
    selection.pieces.iter().map(context_piece).collect()
}

/// The pieces from a plan alone.
fn alone(
    (live, preset): (&Retrieval<'_>, &Preset),
    plan: Option<&FilePlan>,
    (code, cursor): (&CodeView<'_>, &Cursor),
    (mix, tokens, weight): (Mix, usize, f32),
) -> Vec<ContextPiece> {
    // The snapshot contains unsaved texts of other files; the cursor has the text of its own file.
    let snapshot = code.snapshot;
    let at = AtCursor { cursor, window: &live.window, activity: live.view.activity() };
    let recalled = recall(plan, snapshot, at, (preset, weight));
    let (budget, truncation) = (&preset.budget, Truncation::Left);
    let allowance = Allowance { mix, tokens, budget, truncation, count: &count_tokens };
    let selection = compose_plan(snapshot, plan, (cursor, &recalled), &allowance);
    selection.pieces.iter().map(context_piece).collect()
}

/// Plans of one repository's tasks, each made from the state before its task.
pub(crate) struct TaskPlanner<'s> {
    speculation: &'s Speculation,
    agent: Option<AgentPlanner>,
    past: Past,
}

impl<'s> TaskPlanner<'s> {
    pub(crate) fn new(speculation: &'s Speculation) -> Self {
        Self { speculation, agent: speculation.planner.agent(), past: Past::default() }
    }

    /// The pieces of each mix within `tokens`, with the mix's name.
    pub(crate) fn contexts(
        &mut self,
        corpora: &Corpora,
        task: &Task,
        (live, preset): (&Retrieval<'_>, &Preset),
        (code, cursor): (&CodeView<'_>, &Cursor),
        tokens: &[usize],
    ) -> Result<Vec<(String, usize, Vec<ContextPiece>)>> {
        let plan = match self.past.state(corpora, task, 0)? {
            Some(it) => self.speculation.planner.plan(self.agent.as_mut(), &it, task)?,
            None => None,
        };
        let plan = plan.as_ref();
        let recall = self.speculation.recall;
        let pieces = |mix: &ContextMix, tokens: usize| match *mix {
            ContextMix::Live(forecasts) => beside(live, plan, forecasts, tokens),
            ContextMix::Plan(mix) => {
                alone((live, preset), plan, (code, cursor), (mix, tokens, recall))
            }
        };
        let of_mix = |mix: &ContextMix| {
            let within = |it: &usize| (mix.to_string(), *it, pieces(mix, *it));
            tokens.iter().map(within).collect::<Vec<_>>()
        };
        Ok(self.speculation.mixes.iter().flat_map(of_mix).collect())
    }
}

/// Timed runs of a context from a plan.
const TIMED_RUNS: usize = 5;
