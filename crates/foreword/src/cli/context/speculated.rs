//! Contexts with what was planned for the cursor's file: beside what is retrieved, or alone.

use std::time::Instant;

use foreword_engine::evidence::Signal;
use foreword_engine::prompt::Target;
use foreword_engine::scope::Activity;
use foreword_engine::speculate::{
    FilePlan, Mix, PLANNED_WEIGHT, PlanRecall, planned_lines, prompt_of_plan, recall_config,
};

use super::rendering::StageTimes;
use super::{ContextQuery, ms, print, too_small};
use crate::answer::prompt::{PromptRun, StageTimer, compose_in_view};
use crate::cli::args::{ContextArgs, Speculated};
use crate::cli::{Outcome, output, usage};
use crate::host::view_with_text;
use crate::speculation::Speculator;

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
        mix: Mix::SPEC_AGENT,
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
        let plans = Speculator::store_of(&self.opened.workspace, &self.opened.store).load();
        self.plan = plans.plan(path, snapshot.file(path).map(|it| snapshot.hash(it)));
        let remedy = "`foreword speculate` makes one";
        match &self.plan {
            None => self.input.notes.push(format!("{path} has no plan; {remedy}")),
            Some(_) if !plans.is_current(snapshot, path) => self.input.notes.push(format!(
                "the plan of {path} is of an earlier state, of which only what is unchanged is used; {remedy}"
            )),
            Some(_) => {}
        }
        if args.speculated == Speculated::With {
            self.preset.fuse.weights[Signal::Speculated] = PLANNED_WEIGHT;
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
