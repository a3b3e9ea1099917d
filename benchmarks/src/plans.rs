//! What an answer from a stored plan takes, whole and part by part.

use std::collections::BTreeMap;

use anyhow::Context as _;
use foreword_engine::compose::Format;
use foreword_engine::history::{CoChange, CoChangeConfig, History};
use foreword_engine::index::{IndexConfig, Snapshot, Store};
use foreword_engine::order::Truncation;
use foreword_engine::preset::{self, Preset};
use foreword_engine::prompt::Target;
use foreword_engine::scope::{Activity, Cursor};
use foreword_engine::source::ContentHash;
use foreword_engine::speculate::{
    Allowance, AtCursor, Background, FilePlan, Mix, PlanRecall, StaticPlanner, compose_plan,
    plan_config, prompt_of_plan, recall, recall_config,
};
use foreword_engine::trim::nearest_lines;

use crate::arguments::Arguments;
use crate::cursors::{self, Edit};
use crate::measure::{self, quantile, seconds};
use crate::query::count;
use crate::random::Random;
use crate::stages;
use crate::timers::Timers;

/// Cursors, each with the plan of its file.
struct Planned {
    snapshot: Snapshot,
    plans: BTreeMap<String, FilePlan>,
    preset: Preset,
}

/// `foreword-bench plans DIR`.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let root = arguments.directory()?;
    let n: usize = arguments.number("queries", 300)?;
    let rounds: usize = arguments.number("rounds", 5)?;
    let scratch = arguments.scratch()?;
    let store = Store::new(scratch.path().join("index"), IndexConfig::default());
    stages::indexed(&root, &store)?;
    let sample = |snapshot: &Snapshot, edit| cursors::sample(snapshot, n, edit, &mut Random(13));
    let planning = stages::indexed(&root, &store)?.snapshot;
    let plans = plans(&planning, &sample(&planning, Edit::None));
    drop(planning);
    measure::begin(arguments)?;
    // Reopened, so that only what answers have touched is warm.
    let snapshot = stages::indexed(&root, &store)?.snapshot;
    let totals = snapshot.totals();
    println!("{} files, {} lines, {} plans\n", totals.files, totals.lines, plans.len());
    let planned = Planned { snapshot, plans, preset: preset::context() };
    println!(
        "| an answer from a plan, 4096 tokens | n | first p50 ms | p95 | next p50 ms | p95 | most |\n|---|---|---|---|---|---|---|"
    );
    let mut prompts = Vec::new();
    for (name, edit) in [("saved file", Edit::None), ("unsaved line", Edit::LineCut)] {
        let cursors = sample(&planned.snapshot, edit);
        let times: Vec<[f64; 2]> = cursors
            .iter()
            .map(|it| planned.times(it, rounds, &mut prompts))
            .collect::<Result<_, _>>()?;
        let [first, next] =
            [0, 1].map(|at| times.iter().map(|it| it[at] * 1e3).collect::<Vec<f64>>());
        println!(
            "| {name} | {} | {:.3} | {:.3} | {:.3} | {:.3} | {:.3} |",
            cursors.len(),
            quantile(&first, 0.5),
            quantile(&first, 0.95),
            quantile(&next, 0.5),
            quantile(&next, 0.95),
            quantile(&next, 1.0)
        );
    }
    println!("\nchecksum of all prompts: {}\n", ContentHash::of(&prompts));
    for (name, edit) in [("saved file", Edit::None), ("unsaved line", Edit::LineCut)] {
        let mut timers = Timers::default();
        let cursors = sample(&planned.snapshot, edit);
        cursors.iter().for_each(|it| planned.parts(it, &mut timers));
        timers.print(&format!("parts of an answer from a plan, {name}"));
    }
    measure::end();
    Ok(())
}

/// The plans of the cursors' files, without commits.
fn plans(snapshot: &Snapshot, cursors: &[Cursor]) -> BTreeMap<String, FilePlan> {
    let planner = StaticPlanner::new(plan_config(preset::context()));
    let co_change = CoChange::new(History::default(), CoChangeConfig::measured());
    let mut res = BTreeMap::new();
    for path in cursors.iter().map(Cursor::path) {
        if !res.contains_key(path) {
            let background = Background { recently: &[], co_change: &co_change };
            let plan = planner.plan(snapshot, path, background);
            res.extend(plan.map(|it| (path.to_owned(), it)));
        }
    }
    res
}

impl Planned {
    /// Seconds of the first answer at a cursor, and of the fastest of the next ones: what else the machine does is no part
    /// of an answer.
    fn times(
        &self,
        cursor: &Cursor,
        rounds: usize,
        prompts: &mut Vec<u8>,
    ) -> anyhow::Result<[f64; 2]> {
        let mut prompt = None;
        let mut once = || seconds(|| prompt = self.prompt(cursor));
        let first = once();
        let next = (0..rounds).map(|_| once()).fold(f64::INFINITY, f64::min);
        prompts.extend(prompt.context("a prompt")?.into_bytes());
        Ok([first, next])
    }

    fn prompt(&self, cursor: &Cursor) -> Option<String> {
        let activity = Activity::default();
        let recalled = PlanRecall {
            plan: self.plans.get(cursor.path()),
            config: recall_config(),
            mix: Mix::SPEC_AGENT,
            activity: &activity,
        };
        let format = Format::named("qwen2.5-coder")?;
        let target = Target { format, repository: "bench", count: &count };
        let answer =
            prompt_of_plan(&self.snapshot, &recalled, cursor, &self.preset, target).ok()?;
        Some(answer.prompt.text)
    }

    fn parts(&self, cursor: &Cursor, timers: &mut Timers) {
        let (snapshot, preset, activity) = (&self.snapshot, &self.preset, Activity::default());
        let plan = self.plans.get(cursor.path());
        let window = timers.time("window", || nearest_lines(cursor, &preset.budget, &count));
        let at = AtCursor { cursor, window: &window, activity: &activity };
        let config = (preset, &recall_config());
        let found = timers.time("recall", || recall(plan, snapshot, at, config));
        let shown = count(&window.prefix) + count(&window.suffix);
        let tokens = preset.budget.total.saturating_sub(shown);
        let budget = &preset.budget;
        let (mix, truncation) = (Mix::SPEC_AGENT, Truncation::Left);
        let allowance = Allowance { mix, tokens, budget, truncation, count: &count };
        timers.time("compose", || compose_plan(snapshot, plan, (cursor, &found), &allowance));
    }
}
