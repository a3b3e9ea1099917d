//! One task: live, from its plan alone, and with its plan as one more signal.

use std::time::Instant;

use anyhow::{Result, ensure};
use foreword_engine::evidence::Signal;
use foreword_engine::order::Truncation;
use foreword_engine::preset::Preset;
use foreword_engine::scope::{Cursor, View};
use foreword_engine::speculate::{
    Allowance, AtCursor, FilePlan, Mix, StaticPlanner, compose_plan, planned_lines, recall,
};

use super::Speculation;
use super::past::Past;
use crate::measures::coverage::{ContextPiece, Hole};
use crate::runs::completion::CompletionSettings;
use crate::runs::completion::cursor::{CodeView, cursor_of, each, ensure_hole_is_absent};
use crate::runs::completion::retrieval::{Retrieval, context_piece};
use crate::runs::experiment::{Observation, observe};
use crate::tasks::corpus::count_tokens;
use crate::tasks::task::Task;

/// The series that the others are compared with.
pub(super) const LIVE: &str = "live";

/// What was seen at one task.
pub(super) struct Seen {
    pub(super) repo: String,
    pub(super) observations: Vec<Observation>,
    /// By age, whether there was a plan.
    pub(super) planned: Vec<bool>,
    /// Milliseconds of live retrieval, of an answer from the plan, and of planning.
    pub(super) times: [f64; 3],
}

/// The tasks of one repository, in turn.
pub(super) fn all(
    settings: &CompletionSettings,
    preset: &Preset,
    speculation: &Speculation,
    tasks: &[Task],
) -> Vec<Result<Seen, String>> {
    let planner = StaticPlanner::new(speculation.plan.clone());
    let mut past = Past::default();
    each(settings, tasks, |code, task| {
        let asker = Asker { settings, preset, speculation, planner: &planner };
        asker.ask(code, task, &mut past)
    })
}

struct Asker<'a> {
    settings: &'a CompletionSettings,
    preset: &'a Preset,
    speculation: &'a Speculation,
    planner: &'a StaticPlanner,
}

impl Asker<'_> {
    fn ask(&self, code: &CodeView<'_>, task: &Task, past: &mut Past) -> Result<Seen> {
        ensure_hole_is_absent(code, task)?;
        let cursor = cursor_of(task, self.settings.protocol, code.session)?;
        let view = code.view(&cursor)?;
        let start = Instant::now();
        let live = Retrieval::new(&view, &cursor, self.preset);
        live.pieces(self.preset.budget.total);
        let mut times = [start.elapsed().as_secs_f64() * 1e3, 0.0, 0.0];
        let hole = live.hole(task)?;
        let budgets = &self.settings.budgets;
        let mut observations = observe(LIVE, budgets, |budget| hole.measure(&live.within(budget)));
        let mut planned = Vec::new();
        for (at, age) in self.speculation.ages.iter().enumerate() {
            let made = past.plan(&self.settings.corpora, task, *age, self.planner)?;
            planned.push(made.is_some());
            let (plan, planning) = made.map_or((None, 0.0), |it| (Some(it.0), it.1));
            let with = WithPlan { asker: self, plan: plan.as_deref(), live: &live, hole: &hole };
            if at == 0 {
                times[1] = with.time(code, &cursor);
                times[2] = planning;
                observations.extend(with.mixes(code, &cursor)?);
            }
            observations.extend(with.beside_live(code, &view, &cursor, *age)?);
        }
        Ok(Seen { repo: task.repo.clone(), observations, planned, times })
    }
}

/// A task with its plan.
struct WithPlan<'a> {
    asker: &'a Asker<'a>,
    plan: Option<&'a FilePlan>,
    live: &'a Retrieval<'a>,
    hole: &'a Hole,
}

impl WithPlan<'_> {
    /// What the plan alone gives, for each mix.
    fn mixes(&self, code: &CodeView<'_>, cursor: &Cursor) -> Result<Vec<Observation>> {
        let mut res = Vec::new();
        for mix in &self.asker.speculation.mixes {
            let name = format!("plan {}/{}", mix.blocks, mix.forecasts);
            res.extend(self.only(&name, code, cursor, *mix)?);
        }
        Ok(res)
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
        // What is unsaved elsewhere is in the snapshot; the cursor's own text is with the cursor.
        let snapshot = code.snapshot;
        let activity = self.live.view.activity();
        let at = AtCursor { cursor, window: &self.live.window, activity };
        let recalled = recall(self.plan, snapshot, at, (preset, &speculation.recall));
        let (budget, truncation) = (&preset.budget, Truncation::Left);
        let allowance = Allowance { mix, tokens, budget, truncation, count: &count_tokens };
        let selection = compose_plan(snapshot, self.plan, (cursor, &recalled), &allowance);
        selection.pieces.iter().map(context_piece).collect()
    }

    /// Milliseconds of an answer from the plan alone, the fastest of some after the first, which is that to the key before:
    /// what else the machine does is no part of it.
    fn time(&self, code: &CodeView<'_>, cursor: &Cursor) -> f64 {
        let once = || {
            let start = Instant::now();
            self.pieces(code, cursor, Mix::SPEC_AGENT, self.asker.preset.budget.total);
            start.elapsed().as_secs_f64() * 1e3
        };
        once();
        (0..TIMES).map(|_| once()).fold(f64::INFINITY, f64::min)
    }

    /// Live retrieval with the plan as a signal, for each weight; and an older plan alone.
    fn beside_live(
        &self,
        code: &CodeView<'_>,
        view: &View<'_>,
        cursor: &Cursor,
        age: usize,
    ) -> Result<Vec<Observation>> {
        let Asker { settings, preset, speculation, .. } = self.asker;
        let mut res = Vec::new();
        if speculation.ages.len() > 1 {
            let mix =
                Mix { blocks: speculation.mixes.first().map_or(12, |it| it.blocks), forecasts: 0 };
            res.extend(self.only(&format!("plan, {age} commits before"), code, cursor, mix)?);
        }
        let mut activity = view.activity().clone();
        if let Some(plan) = self.plan {
            activity.planned = planned_lines(plan, code.snapshot, cursor, &speculation.recall);
        }
        let view = view.clone().with_activity(activity);
        for weight in &speculation.weights {
            let mut preset = (*preset).clone();
            preset.fuse.weights[Signal::Speculated] = *weight;
            let retrieval =
                Retrieval::new(&view, cursor, &preset).with_window(self.live.window.clone());
            let name = format!("live + plan × {weight}, {age} before");
            res.extend(observe(&name, &settings.budgets, |budget| {
                self.hole.measure(&retrieval.within(budget))
            }));
        }
        Ok(res)
    }
}

/// How often an answer from a plan is timed.
const TIMES: usize = 5;
