//! Contexts with what was planned for the cursor's file: beside what is retrieved, or alone.

use std::time::Instant;

use foreword_engine::evidence::Signal;
use foreword_engine::prompt::Target;
use foreword_engine::scope::Activity;
use foreword_engine::speculate::{
    FilePlan, PLANNED_WEIGHT, PlanRecall, planned_lines, prompt_of_plan, recall_config,
};
use foreword_session::answer::prompt::{PromptRun, StageTimer, compose_in_view};
use foreword_session::host::view_with_text;
use foreword_session::speculation::agents::Places;
use foreword_session::speculation::{Speculator, now};

use super::rendering::StageTimes;
use super::{ContextQuery, ms, print, too_small};
use crate::cli::args::{ContextArgs, PlannerName, Speculated};
use crate::cli::status::age;
use crate::cli::{Outcome, output, usage};

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
        let planner = args.plan.planner;
        let agents =
            self.plan_by(PlannerName::Agents).filter(|_| planner != Some(PlannerName::Static));
        let other = self.plan_by(PlannerName::Static);
        let named = match planner {
            Some(PlannerName::Agents) => agents.as_ref(),
            Some(PlannerName::Static) | None => agents.as_ref().or(other.as_ref()),
        };
        self.note_state(named.map(|it| (it.1, it.2)), planner);
        // Without a plan of the planner that was named there is none.
        let found = named.is_some();
        self.plan = match (agents, other) {
            // Beside live retrieval the blocks of the model alone are a signal.
            (Some(agents), Some(other)) if args.plan.speculated == Speculated::Only => {
                Some(agents.0.joined_with(&other.0))
            }
            (agents, other) => agents.or(other).filter(|_| found).map(|it| it.0),
        };
        if args.plan.speculated == Speculated::With {
            self.preset.fuse.weights[Signal::Speculated] = PLANNED_WEIGHT;
        }
    }

    /// The plan of the cursor's file by a planner, whether it is current, and its age in seconds.
    fn plan_by(&self, planner: PlannerName) -> Option<(FilePlan, bool, u64)> {
        let Self { opened, input, .. } = self;
        let plans = match planner {
            PlannerName::Static => Speculator::store_of(&opened.workspace, &opened.store).load(),
            PlannerName::Agents => {
                Places::new(&opened.workspace, &opened.store).plans(&opened.store)?.load()
            }
        };
        let (snapshot, path) = (&opened.snapshot, input.cursor.path());
        let hash = snapshot.file(path).map(|it| snapshot.hash(it));
        let (plan, made) = plans.plan_with_time(path, hash)?;
        Some((plan, plans.is_current(snapshot, path), now().saturating_sub(made)))
    }

    /// Says that there is no plan, or one of an earlier state, and what makes one.
    fn note_state(&mut self, state: Option<(bool, u64)>, planner: Option<PlannerName>) {
        let path = self.input.cursor.path();
        let remedy = match planner {
            Some(PlannerName::Agents) => "`foreword speculate --agents` makes one",
            Some(PlannerName::Static) | None => "`foreword speculate` makes one",
        };
        match state {
            None => self.input.notes.push(format!("{path} has no plan; {remedy}")),
            Some((false, made)) => self.input.notes.push(format!(
                "the plan of {path} was made {} ago of an earlier state, of which only what is unchanged is used; {remedy}",
                age(made)
            )),
            Some((true, _)) => {}
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
