//! One task: live, from its plan alone, and with its plan as one more signal.

use std::time::Instant;

use anyhow::{Context as _, Result, ensure};
use foreword_engine::evidence::Signal;
use foreword_engine::order::Truncation;
use foreword_engine::preset::Preset;
use foreword_engine::scope::{Cursor, View};
use foreword_engine::speculate::{
    Allowance, AtCursor, FilePlan, Mix, StaticPlanner, compose_plan, planned_lines, recall,
};
use foreword_model::agents::AgentPlanner;

use super::Speculation;
use super::past::{Past, PastState};
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
    let mut agents = speculation.agents.as_ref().map(|it| it.planner());
    let mut past = Past::default();
    each(settings, tasks, |code, task| {
        let asker = Asker { settings, preset, speculation, planner: &planner };
        asker.ask(code, task, &mut past, agents.as_mut())
    })
}

struct Asker<'a> {
    settings: &'a CompletionSettings,
    preset: &'a Preset,
    speculation: &'a Speculation,
    planner: &'a StaticPlanner,
}

impl Asker<'_> {
    fn ask(
        &self,
        code: &CodeView<'_>,
        task: &Task,
        past: &mut Past,
        mut agents: Option<&mut AgentPlanner>,
    ) -> Result<Seen> {
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
        let path = task.target_file.as_deref().context("the task names no file")?;
        for (at, age) in self.speculation.ages.iter().enumerate() {
            let state = past.state(&self.settings.corpora, task, *age)?;
            let made = state.as_ref().map(|it| it.plan(path, self.planner)).transpose()?.flatten();
            planned.push(made.is_some());
            let (plan, planning) = made.map_or((None, 0.0), |it| (Some(it.0), it.1));
            let with = WithPlan {
                asker: self,
                name: "plan",
                plan: plan.as_deref(),
                live: &live,
                hole: &hole,
            };
            if at == 0 {
                times[1] = with.time(code, &cursor);
                times[2] = planning;
                observations.extend(with.mixes(code, &cursor)?);
            }
            observations.extend(with.beside_live(code, &view, &cursor, *age)?);
            if let (0, Some(planner)) = (at, agents.as_deref_mut()) {
                let agents =
                    ByAgents { state: state.as_ref(), planner, of_static: plan.as_deref() };
                observations.extend(agents.observe((self, task), &with, (code, &view, &cursor))?);
            }
        }
        Ok(Seen { repo: task.repo.clone(), observations, planned, times })
    }
}

/// A task with the plan of a chat model.
struct ByAgents<'a> {
    state: Option<&'a PastState>,
    planner: &'a mut AgentPlanner,
    of_static: Option<&'a FilePlan>,
}

impl ByAgents<'_> {
    /// The plan joined with the static one, as the command line has it, alone; and its own blocks beside live retrieval.
    fn observe(
        self,
        (asker, task): (&Asker<'_>, &Task),
        with: &WithPlan<'_>,
        (code, view, cursor): (&CodeView<'_>, &View<'_>, &Cursor),
    ) -> Result<Vec<Observation>> {
        let (path, Some(agents)) = (cursor.path(), &asker.speculation.agents) else {
            return Ok(Vec::new());
        };
        let there = self.state.filter(|it| it.snapshot.file(path).is_some());
        let plan = there.map(|it| {
            let at = (&*it.snapshot, path, task.repo.as_str());
            agents.plan(self.planner, at, (&it.git_dir, &it.revision))
        });
        let plan = plan.transpose()?;
        let joined = match (plan.clone(), self.of_static) {
            (Some(plan), Some(other)) => Some(plan.joined_with(other)),
            (plan, other) => plan.or_else(|| other.cloned()),
        };
        let alone = WithPlan { name: "agents", plan: joined.as_ref(), ..*with };
        let mut res = alone.mixes(code, cursor)?;
        let beside = WithPlan { name: "agents", plan: plan.as_ref(), ..*with };
        res.extend(beside.beside_live(code, view, cursor, 0)?);
        Ok(res)
    }
}

/// A task with its plan.
#[derive(Clone, Copy)]
struct WithPlan<'a> {
    /// Of the series.
    name: &'static str,
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
            let name = format!("{} {}/{}", self.name, mix.blocks, mix.forecasts);
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
            let name = format!("{}, {age} commits before", self.name);
            res.extend(self.only(&name, code, cursor, mix)?);
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
            let name = format!("live + {} × {weight}, {age} before", self.name);
            res.extend(observe(&name, &settings.budgets, |budget| {
                self.hole.measure(&retrieval.within(budget))
            }));
        }
        Ok(res)
    }
}

/// How often an answer from a plan is timed.
const TIMES: usize = 5;
