//! Contexts from the plan of the cursor's file, beside retrieval or alone.

use std::time::Instant;

use foreword_engine::prompt::Target;
use foreword_engine::speculate::{
    ContextMix, FilePlan, Mix, PlanRecall, RECALL_WEIGHT, prompt_of_plan,
};

use super::{ContextQuery, ms, print, too_small};
use crate::cli::args::ContextArgs;
use crate::cli::status::age;
use crate::cli::{Outcome, output, usage};
use foreword_session::answer::prompt::output::StageTimes;
use foreword_session::clock::unix_seconds;
use foreword_session::speculation::coverage::stored_plans;

/// Composes a context from the plan alone and prints it; `open` is the time to open the index, in milliseconds.
pub(super) fn show(
    args: &ContextArgs,
    query: &ContextQuery,
    mix: Mix,
    open: f64,
) -> anyhow::Result<Outcome> {
    if args.trace || args.html.is_some() {
        return Err(usage(
            "--mix: --trace and --html explain retrieval, and a plan alone has none; write live+3, or omit one of the two",
        ));
    }
    let start = Instant::now();
    let count = |text: &str| query.counter.count(text);
    let repository = &query.opened.workspace.name;
    let target = Target { format: query.format, repository, count: &count };
    let recalled = PlanRecall {
        plan: query.plan.as_ref(),
        weight: RECALL_WEIGHT,
        mix,
        activity: &query.input.activity,
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
    /// Reads the plan of the cursor's file if the arguments use it, or if it is current and the settings show its forecasts.
    pub(super) fn add_plan(&mut self, args: &ContextArgs) {
        let Some(mix) = args.mix else { return self.add_forecasts() };
        if let ContextMix::Live(forecasts) = mix {
            self.forecasts = forecasts;
        }
        let stored = self.stored_plan();
        self.note_state(stored.as_ref().map(|it| (it.1, it.2)));
        self.plan = stored.map(|it| it.0);
    }

    /// Adds the forecasts of a current plan, as many as the settings allow.
    pub(in crate::cli) fn add_forecasts(&mut self) {
        let Self { opened, input, allowed_forecasts, .. } = &*self;
        let most = *allowed_forecasts;
        let plans = (most > 0).then(|| stored_plans(&opened.workspace, &opened.store)).flatten();
        let plan = plans.and_then(|it| it.0.current(&opened.snapshot, input.cursor.path()));
        (self.plan, self.forecasts) = (plan, most);
    }

    /// The plan of the cursor's file, whether it is current, and its age in seconds.
    fn stored_plan(&self) -> Option<(FilePlan, bool, u64)> {
        let Self { opened, input, .. } = self;
        let (plans, _) = stored_plans(&opened.workspace, &opened.store)?;
        let (snapshot, path) = (&opened.snapshot, input.cursor.path());
        let hash = snapshot.file(path).map(|it| snapshot.hash(it));
        let (plan, made) = plans.plan_with_time(path, hash)?;
        Some((plan, plans.is_current(snapshot, path), unix_seconds().saturating_sub(made)))
    }

    /// Adds a note if the plan is missing or outdated.
    fn note_state(&mut self, state: Option<(bool, u64)>) {
        let path = self.input.cursor.path();
        let remedy = "`foreword speculate` makes one";
        match state {
            None => self.input.notes.push(format!("{path} has no plan; {remedy}")),
            Some((false, made)) => self.input.notes.push(format!(
                "the plan of {path} was made {} ago from an earlier state; only its unchanged parts are used; {remedy}",
                age(made)
            )),
            Some((true, _)) => {}
        }
    }
}
