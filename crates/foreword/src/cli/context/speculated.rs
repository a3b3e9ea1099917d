//! Contexts with what was planned for the cursor's file: beside what is retrieved, or alone.

use std::time::Instant;

use foreword_engine::evidence::Signal;
use foreword_engine::prompt::Target;
use foreword_engine::scope::Activity;
use foreword_engine::speculate::{
    FilePlan, PLANNED_WEIGHT, PlanRecall, Plans, planned_lines, prompt_of_plan, recall_config,
};

use super::rendering::StageTimes;
use super::{ContextQuery, ms, print, too_small};
use crate::answer::prompt::{PromptRun, StageTimer, compose_in_view};
use crate::cli::args::{ContextArgs, PlannerName, Speculated};
use crate::cli::{Outcome, output, usage};
use crate::host::view_with_text;
use crate::speculation::Speculator;
use crate::speculation::agents::Places;

/// Composes from the plan alone and shows that; `open` is the milliseconds that were spent before.
pub(super) fn show(args: &ContextArgs, query: &ContextQuery, open: f64) -> anyhow::Result<Outcome> {
    if args.trace || args.html.is_some() {
        return Err(usage(
            "--speculated only: --trace and --html explain what is retrieved; leave one of them out",
        ));
    }
    let start = Instant::now();
    let count = |text: &str| query.counter.count(text);
    let repository = &query.opened.workspace.name;
    let target = Target { format: query.format, repository, count: &count };
    let recalled = PlanRecall {
        plan: query.plan.as_ref(),
        config: recall_config(),
        mix: args.plan.mix,
        activity: &Activity::default(),
    };
    let (snapshot, cursor) = (&query.opened.snapshot, &query.input.cursor);
    let answer = prompt_of_plan(snapshot, &recalled, cursor, &query.preset, target);
    let answer = answer.map_err(too_small)?;
    let took = ms(start);
    if args.prompt {
        return output::bytes(answer.prompt.text.as_bytes());
    }
    let elapsed = StageTimes { open, trim: took, total: open + took, ..StageTimes::default() };
    print(args, &query.output(&answer, elapsed))
}

impl ContextQuery {
    /// Reads the plan of the cursor's file.
    pub(super) fn add_plan(&mut self, args: &ContextArgs) {
        let path = self.input.cursor.path();
        let snapshot = &self.opened.snapshot;
        let hash = snapshot.file(path).map(|it| snapshot.hash(it));
        let found = [PlannerName::Agents, PlannerName::Static]
            .into_iter()
            .filter(|it| {
                args.plan.planner.is_none_or(|named| named == *it || *it == PlannerName::Static)
            })
            .filter_map(|it| {
                let plans = self.plans(it)?;
                let plan = plans.plan(path, hash)?;
                Some((plan, plans.is_current(snapshot, path), it))
            });
        let found: Vec<(FilePlan, bool, PlannerName)> = found.collect();
        let remedy = match args.plan.planner {
            Some(PlannerName::Agents) => "`foreword speculate --agents` makes one",
            _ => "`foreword speculate` makes one",
        };
        let is_named = |it: &PlannerName| args.plan.planner.is_none_or(|named| named == *it);
        match found.iter().find(|it| is_named(&it.2)) {
            None => self.input.notes.push(format!("{path} has no plan; {remedy}")),
            Some((_, false, _)) => self.input.notes.push(format!(
                "the plan of {path} is of an earlier state, of which only what is unchanged is used; {remedy}"
            )),
            Some(_) => {}
        }
        let only = args.plan.speculated == Speculated::Only;
        let is_there = found.iter().any(|it| is_named(&it.2));
        let mut plans = found.into_iter().filter(|_| is_there).map(|it| it.0);
        let first = plans.next();
        // Beside live retrieval nothing has to be filled in.
        self.plan = match plans.next().filter(|_| only) {
            Some(second) => first.map(|it| it.filled_by(&second)),
            None => first,
        };
        if args.plan.speculated == Speculated::With {
            self.preset.fuse.weights[Signal::Speculated] = PLANNED_WEIGHT;
        }
    }

    /// The plans of a planner; none of agents that have not planned yet.
    fn plans(&self, planner: PlannerName) -> Option<Plans> {
        let (workspace, store) = (&self.opened.workspace, &self.opened.store);
        match planner {
            PlannerName::Static => Some(Speculator::store_of(workspace, store).load()),
            PlannerName::Agents => Some(Places::new(workspace, store).plans(store)?.load()),
        }
    }

    /// Composes with the plan as one more signal.
    pub(super) fn compose_beside(&self, plan: &FilePlan) -> anyhow::Result<PromptRun<'_>> {
        let timer = StageTimer::start();
        let (snapshot, cursor) = (&self.opened.snapshot, &self.input.cursor);
        let view = view_with_text(&self.analyzer, snapshot, cursor)?;
        let mut activity = view.activity().clone();
        activity.planned = planned_lines(plan, snapshot, cursor, &recall_config());
        compose_in_view(self.request(), view.with_activity(activity), timer)
    }
}
