//! `foreword speculate`: works out what the next edits of each file will need, before a cursor is there.

mod agents;
mod output;

use std::path::Path;
use std::time::{Duration, Instant};

use foreword_engine::index::Snapshot;
use foreword_engine::speculate::{FilePlan, Schedule, requote};
use foreword_session::speculation::budget::Budget;
use foreword_session::speculation::{Planned, Speculator, now, threads};
use indicatif::{ProgressBar, ProgressStyle};

use self::output::{BlockOutput, FileOutput, ForecastOutput, Summary};
use super::args::SpeculateArgs;
use super::config::Settings;
use super::workspace::OpenWorkspace;
use super::{Outcome, usage, workspace};
use crate::cli::output as terminal;

pub(super) fn run(args: &SpeculateArgs, settings: &Settings) -> anyhow::Result<Outcome> {
    let budget = args.budget.as_deref().map(|it| Budget::parse("--budget", it)).transpose()?;
    let budget = budget.unwrap_or_default();
    let file = args.path.as_deref().filter(|it| it.is_file());
    let directory = match file {
        Some(file) => workspace::directory_of(settings, file),
        None => args.path.clone(),
    };
    if args.agents {
        return agents::run(args, settings, (file, directory.as_deref()), budget);
    }
    if budget.tokens.is_some() || budget.usd.is_some() {
        return Err(usage(
            "--budget: planning without a model costs time only; write 30s, 5m or 1h, or add --agents",
        ));
    }
    let budget = budget.time;
    let opened = workspace::open(settings, directory.as_deref())?;
    let speculator = Speculator::new(&opened.workspace, &opened.store);
    match file {
        Some(file) => one(args, settings, (&opened, &speculator), file),
        None => all(args, settings, (&opened, &speculator), budget),
    }
}

/// The plan of one file, made again unless it is current.
fn one(
    args: &SpeculateArgs,
    settings: &Settings,
    (opened, speculator): (&OpenWorkspace, &Speculator),
    file: &Path,
) -> anyhow::Result<Outcome> {
    let snapshot = &opened.snapshot;
    let path = opened.workspace.relative(&workspace::locate(settings, &opened.workspace, file))?;
    let plans = speculator.store().load();
    let known = snapshot.file(&path).filter(|_| plans.is_current(snapshot, &path));
    let stored = known.and_then(|it| plans.plan(&path, Some(snapshot.hash(it))));
    let is_stored = stored.is_some();
    let Some(plan) = stored.or_else(|| speculator.plan(snapshot, &path)) else {
        return Err(not_planned_for(file));
    };
    if !is_stored && !args.dry_run {
        write_one(settings, speculator, &plan)?;
    }
    let output = FileOutput { stored: is_stored, ..file_output(&plan, snapshot) };
    if args.json { terminal::json(&output) } else { terminal::text(&output.text()) }
}

fn not_planned_for(file: &Path) -> anyhow::Error {
    let file = file.display();
    usage(format!(
        "{file} is not planned for: it is no code of this repository that is indexed; `foreword status {file}` says more"
    ))
}

fn write_one(settings: &Settings, speculator: &Speculator, plan: &FilePlan) -> anyhow::Result<()> {
    match speculator.store().try_write()? {
        Some(mut writer) => writer.append(std::slice::from_ref(plan), now())?,
        None if settings.quiet => {}
        None => terminal::note("another process is planning; this plan was not stored"),
    }
    Ok(())
}

/// The plans of all files that need one.
fn all(
    args: &SpeculateArgs,
    settings: &Settings,
    (opened, speculator): (&OpenWorkspace, &Speculator),
    budget: Option<Duration>,
) -> anyhow::Result<Outcome> {
    let start = Instant::now();
    let snapshot = &opened.snapshot;
    let found = speculator.schedule(snapshot, &speculator.store().load(), args.most);
    if args.dry_run {
        return show(args, &summary((opened, speculator), &found, None, start));
    }
    let bar = Bar::new(settings, found.pending.len());
    let goes_on = |done: Planned| {
        bar.show(done.files);
        budget.is_none_or(|it| start.elapsed() < it)
    };
    let threads = threads(settings.threads.value);
    let planned = speculator.run(snapshot, &found.pending, threads, &goes_on)?;
    bar.finish();
    if planned.is_none() && !settings.quiet {
        terminal::note("another process is planning this repository; nothing was done");
    }
    let summary = summary((opened, speculator), &found, Some(planned.unwrap_or_default()), start);
    show(args, &summary)?;
    Ok(if summary.left > 0 { Outcome::Nothing } else { Outcome::Done })
}

fn show(args: &SpeculateArgs, summary: &Summary) -> anyhow::Result<Outcome> {
    if args.json { terminal::json(summary) } else { terminal::text(&summary.text()) }
}

/// `None` for what was planned: nothing was to be.
fn summary(
    (opened, speculator): (&OpenWorkspace, &Speculator),
    found: &Schedule,
    planned: Option<Planned>,
    start: Instant,
) -> Summary {
    let done = planned.unwrap_or_default();
    Summary {
        version: 1,
        root: opened.workspace.root.display().to_string(),
        planner: "static",
        dry_run: planned.is_none(),
        current: found.current,
        outdated: found.outdated,
        planned: done.files,
        blocks: done.blocks,
        forecasts: done.forecasts,
        left: found.pending.len().saturating_sub(done.files),
        beyond: found.beyond,
        next: found.pending.iter().skip(done.files).take(output::NEXT).cloned().collect(),
        bytes: speculator.store().size(),
        index_bytes: opened.store.size_on_disk(),
        elapsed_ms: start.elapsed().as_secs_f64() * 1e3,
    }
}

fn file_output(plan: &FilePlan, snapshot: &Snapshot) -> FileOutput {
    let text = |path: &str| snapshot.file(path).map(|it| snapshot.text(it));
    let block = |it: &foreword_engine::speculate::Block| {
        let quote = text(&it.place.path).and_then(|text| requote(it, &text));
        Some(BlockOutput {
            path: it.place.path.clone(),
            start_line: it.place.first_line,
            end_line: it.place.last_line,
            score: it.score,
            reasons: it.evidence.iter().map(ToString::to_string).collect(),
            text: quote?.text,
        })
    };
    let forecast = |it: &foreword_engine::speculate::Forecast| ForecastOutput {
        kind: it.kind.name(),
        form: it.form.name(),
        name: it.name.clone(),
        path: it.target.path.clone(),
        line: it.target.line,
        score: it.score,
        evidence: it.evidence.iter().map(|it| format!("{} ({})", it.what, it.place)).collect(),
        code: it.code.clone(),
    };
    FileOutput {
        version: 1,
        path: plan.path.clone(),
        planner: plan.planner.name.clone(),
        stored: false,
        blocks: plan.blocks.iter().filter_map(block).collect(),
        forecasts: plan.forecasts.iter().map(forecast).collect(),
        run: None,
    }
}

/// A progress bar on a terminal.
struct Bar(Option<ProgressBar>);

impl Bar {
    fn new(settings: &Settings, files: usize) -> Self {
        let shown = !settings.quiet && terminal::stderr_is_terminal() && files > 0;
        let style = ProgressStyle::with_template("planning {bar:30} {pos}/{len} files, {eta} left");
        let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
        Self(shown.then(|| ProgressBar::new(files as u64).with_style(style)))
    }

    fn show(&self, done: usize) {
        self.0.iter().for_each(|it| it.set_position(done as u64));
    }

    fn finish(&self) {
        self.0.iter().for_each(ProgressBar::finish_and_clear);
    }
}
