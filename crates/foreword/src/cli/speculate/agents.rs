//! `foreword speculate --agents`: a chat model plans, file by file, within budgets.

use std::path::Path;

use foreword_engine::speculate::{FilePlan, Schedule, StaticPlanner};
use foreword_model::agents::Spent;
use foreword_session::backend::{ChatSettings, Prices};
use foreword_session::speculation::agents::{
    Agents, FileOutcome, FileReport, Ledger, Places, Purse, RunReport, State, usd,
};
use foreword_session::speculation::budget::Budget;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use super::file_output;
use super::output::{FileOutput, NEXT};
use crate::cli::args::SpeculateArgs;
use crate::cli::config::Settings;
use crate::cli::output::{self as terminal, DIM, NAME};
use crate::cli::{Outcome, usage, workspace};

pub(super) fn run(
    args: &SpeculateArgs,
    settings: &Settings,
    (file, directory): (Option<&Path>, Option<&Path>),
    budget: Budget,
) -> anyhow::Result<Outcome> {
    let chat = settings.chat()?.ok_or_else(|| {
        usage("--agents: no chat model is named; name its server in the user's file: [models.chat] with url = \"http://…\" (`foreword config` says where that file is)")
    })?;
    let hourly = args.hourly.as_deref().map(|it| ("--hourly", it));
    let hourly = hourly.or(chat.hourly.as_deref().map(|it| ("models.chat.hourly", it)));
    let hour =
        hourly.map(|(name, text)| Budget::parse(name, text)).transpose()?.unwrap_or_default();
    let session = Session { args, settings, directory, chat: &chat, budgets: (budget, hour) };
    if args.pause || args.resume {
        let done = session.pause()?;
        if args.pause {
            return Ok(done);
        }
    }
    match file {
        Some(file) => session.one(file),
        None if args.replay => Err(usage("--replay: name the file whose plan is to be made again")),
        None if args.dry_run => session.dry_run(),
        None => session.all(),
    }
}

/// A run of the command.
struct Session<'s> {
    args: &'s SpeculateArgs,
    settings: &'s Settings,
    directory: Option<&'s Path>,
    chat: &'s ChatSettings,
    /// Of the run, and of an hour.
    budgets: (Budget, Budget),
}

impl Session<'_> {
    /// The repository as it is now.
    fn open(&self) -> anyhow::Result<workspace::OpenWorkspace> {
        let mut opened = workspace::open(self.settings, self.directory)?;
        opened.add_diff();
        Ok(opened)
    }

    fn state(&self) -> anyhow::Result<State> {
        let opened = self.open()?;
        Ok(State::new(&opened.workspace, &opened.store, opened.snapshot))
    }

    fn pause(&self) -> anyhow::Result<Outcome> {
        let opened = workspace::open(self.settings, self.directory)?;
        let places = Places::new(&opened.workspace, &opened.store);
        match self.args.pause {
            true => places.pause()?,
            false => places.resume()?,
        }
        Ok(Outcome::Done)
    }

    fn purse(&self, places: &Places) -> Purse {
        let ledger = Ledger::open(places.ledger());
        Purse::new(self.budgets, self.chat.prices, ledger, places.is_paused())
    }

    /// What would be done, and what it would cost; nothing is sent anywhere.
    fn dry_run(&self) -> anyhow::Result<Outcome> {
        let opened = self.open()?;
        let (workspace, store) = (&opened.workspace, &opened.store);
        let agents = Agents::offline(self.chat, workspace, store);
        let past = Ledger::open(Places::new(workspace, store).ledger()).total();
        let state = State::new(workspace, store, opened.snapshot);
        let found = agents.schedule(&state, self.args.most);
        let files = found.pending.len() as u64;
        let most = agents.estimate(&state, &found.pending);
        // What a file has cost so far says more than the bound.
        let likely = past.filter(|it| it.files >= LEAST_KNOWN).map(|it| Spent {
            requests: it.requests * files / it.files,
            prompt_tokens: it.prompt_tokens * files / it.files,
            answer_tokens: it.answer_tokens * files / it.files,
            millis: it.millis * files / it.files,
        });
        let estimate = |it: &Spent| CostOutput::new(it, &self.chat.prices);
        let nothing = RunReport::default();
        let summary = Summary {
            at_most: Some(estimate(&most)),
            likely: likely.as_ref().map(estimate),
            dry_run: true,
            ..Summary::new(&agents, &found, &nothing)
        };
        self.show(&summary)
    }

    /// All files that need a plan.
    fn all(&self) -> anyhow::Result<Outcome> {
        let opened = self.open()?;
        let mut agents = Agents::connect(self.chat, &opened.workspace, &opened.store)?;
        let mut purse = self.purse(&Places::new(&opened.workspace, &opened.store));
        let mut first = Some(State::new(&opened.workspace, &opened.store, opened.snapshot));
        let mut refresh = || first.take().map_or_else(|| self.state(), Ok);
        let progress = Progress::new(self.settings);
        let mut on_file = |it: &FileReport, left: usize| progress.show(it, left);
        let done = agents.run(self.args.most, &mut refresh, &mut purse, &mut on_file)?;
        progress.finish();
        let Some(report) = done else {
            self.note("another process is planning this repository; nothing was done");
            return Ok(Outcome::Nothing);
        };
        let mut spent = Spent::default();
        for it in &report.files {
            let millis = (it.seconds * 1e3) as u64;
            let (prompt_tokens, answer_tokens) = (it.prompt_tokens, it.answer_tokens);
            spent.add(&Spent { requests: it.requests, prompt_tokens, answer_tokens, millis });
        }
        let cost = Some(CostOutput::new(&spent, &self.chat.prices));
        let summary = Summary { cost, ..Summary::new(&agents, &report.schedule, &report) };
        self.show(&summary)?;
        Ok(if summary.left > 0 { Outcome::Nothing } else { Outcome::Done })
    }

    /// The plan of one file: made unless it is current, or made again from its transcript.
    fn one(&self, file: &Path) -> anyhow::Result<Outcome> {
        let opened = self.open()?;
        let (workspace, store) = (&opened.workspace, &opened.store);
        let path = workspace.relative(&workspace::locate(self.settings, workspace, file))?;
        let mut agents = match self.args.replay || self.args.dry_run {
            true => Agents::offline(self.chat, workspace, store),
            false => Agents::connect(self.chat, workspace, store)?,
        };
        let purse = self.purse(&Places::new(workspace, store));
        let state = State::new(workspace, store, opened.snapshot);
        let snapshot = &state.snapshot;
        let known = snapshot.file(&path).filter(|it| StaticPlanner::is_planned(snapshot, *it));
        let Some(known) = known else { return Err(super::not_planned_for(file)) };
        let plans = agents.store().load();
        let stored = plans.plan(&path, Some(snapshot.hash(known)));
        let stored = stored.filter(|_| plans.is_current(snapshot, &path));
        if self.args.replay {
            return self.replay(&mut agents, &state, &path, stored.as_ref());
        }
        match stored {
            Some(plan) => {
                let plan = FileOutput { stored: true, ..file_output(&plan, snapshot) };
                show_one(self.args, Some(plan), None)
            }
            None if self.args.dry_run => self.dry_run_of(&agents, &state, path),
            None => self.plan_one((&mut agents, purse), &state, &path),
        }
    }

    fn replay(
        &self,
        agents: &mut Agents,
        state: &State,
        path: &str,
        stored: Option<&FilePlan>,
    ) -> anyhow::Result<Outcome> {
        let run = agents.replay(state, path)?;
        let report = FileReport::new(path, &run, 0.0);
        let is_same = stored.is_some() && stored == run.plan.as_ref();
        let plan = run.plan.as_ref().map(|it| file_output(it, &state.snapshot));
        let plan = plan.map(|it| FileOutput { stored: is_same, ..it });
        show_one(self.args, plan, Some(report))
    }

    fn dry_run_of(&self, agents: &Agents, state: &State, path: String) -> anyhow::Result<Outcome> {
        let found = Schedule { pending: vec![path], ..Schedule::default() };
        let most = agents.estimate(state, &found.pending);
        let at_most = Some(CostOutput::new(&most, &self.chat.prices));
        let nothing = RunReport::default();
        let summary = Summary::new(agents, &found, &nothing);
        self.show(&Summary { at_most, dry_run: true, ..summary })
    }

    fn plan_one(
        &self,
        (agents, mut purse): (&mut Agents, Purse),
        state: &State,
        path: &str,
    ) -> anyhow::Result<Outcome> {
        let Some((run, report)) = agents.one_named(state, path, &mut purse)? else {
            self.note("another process is planning this repository; nothing was done");
            return Ok(Outcome::Nothing);
        };
        let plan = run.plan.as_ref().map(|it| file_output(it, &state.snapshot));
        show_one(self.args, plan, Some(report))
    }

    fn note(&self, text: &str) {
        if !self.settings.quiet {
            terminal::note(text);
        }
    }

    fn show(&self, summary: &Summary<'_>) -> anyhow::Result<Outcome> {
        match self.args.json {
            true => terminal::json(summary),
            false => terminal::text(&summary.text()),
        }
    }
}

/// After so many files their mean cost is told.
const LEAST_KNOWN: u64 = 3;

fn show_one(
    args: &SpeculateArgs,
    plan: Option<FileOutput>,
    run: Option<FileReport>,
) -> anyhow::Result<Outcome> {
    let Some(plan) = plan else { return Ok(Outcome::Nothing) };
    let output = FileOutput { run, ..plan };
    if args.json { terminal::json(&output) } else { terminal::text(&output.text()) }
}

/// What requests cost, or would cost.
#[derive(Serialize)]
struct CostOutput {
    requests: u64,
    prompt_tokens: u64,
    answer_tokens: u64,
    seconds: f64,
    usd: f64,
}

impl CostOutput {
    fn new(it: &Spent, prices: &Prices) -> Self {
        Self {
            requests: it.requests,
            prompt_tokens: it.prompt_tokens,
            answer_tokens: it.answer_tokens,
            seconds: it.millis as f64 / 1e3,
            usd: usd(prices, it),
        }
    }

    fn text(&self) -> String {
        let Self { requests, prompt_tokens, answer_tokens, seconds, usd } = self;
        let money = if *usd > 0.0 { format!(", {usd:.4} usd") } else { String::new() };
        let time = if *seconds > 0.0 { format!(", {seconds:.1} s") } else { String::new() };
        format!("{requests} requests, {prompt_tokens} + {answer_tokens} tokens{time}{money}")
    }
}

/// The summary of a run (docs/json.md).
#[derive(Serialize)]
struct Summary<'r> {
    version: u32,
    planner: &'static str,
    model: String,
    dry_run: bool,
    current: usize,
    outdated: usize,
    planned: usize,
    left: usize,
    beyond: usize,
    next: Vec<String>,
    stopped: Option<&'r str>,
    cost: Option<CostOutput>,
    at_most: Option<CostOutput>,
    likely: Option<CostOutput>,
    bytes: u64,
    files: &'r [FileReport],
}

impl<'r> Summary<'r> {
    fn new(agents: &Agents, found: &Schedule, report: &'r RunReport) -> Self {
        let planned = report.files.iter().filter(|it| it.outcome == FileOutcome::Planned).count();
        Self {
            version: 1,
            planner: "agents",
            model: agents.model().to_owned(),
            dry_run: false,
            current: found.current,
            outdated: found.outdated,
            planned,
            left: found.pending.len(),
            beyond: found.beyond,
            next: found.pending.iter().take(NEXT).cloned().collect(),
            stopped: report.stopped.as_deref(),
            cost: None,
            at_most: None,
            likely: None,
            bytes: agents.store().size(),
            files: &report.files,
        }
    }

    fn text(&self) -> String {
        let mut text: String = self.files.iter().map(line).collect();
        let Self { planned, current, left, model, .. } = self;
        let model = terminal::plain(model);
        text.push_str(&match self.dry_run {
            true => format!("{left} files would be planned by {model}, {} of them again; {current} plans are current\n", self.outdated),
            false => format!("{planned} files planned by {model}; {current} plans are current\n"),
        });
        let costs =
            [("cost", &self.cost), ("about", &self.likely), ("at most about", &self.at_most)];
        for (name, cost) in costs.into_iter().filter_map(|it| Some((it.0, it.1.as_ref()?))) {
            text.push_str(&format!("{name}: {}\n", cost.text()));
        }
        if let Some(why) = self.stopped {
            text.push_str(&format!("stopped: {}\n", terminal::plain(why)));
        }
        if *left > 0 {
            let next: Vec<String> = self.next.iter().map(|it| terminal::path(it)).collect();
            let more = if *left > next.len() { ", …" } else { "" };
            text.push_str(&format!("{left} files to plan, next {}{more}\n", next.join(", ")));
        }
        text
    }
}

/// What was done for a file, in a line.
pub(super) fn line(it: &FileReport) -> String {
    let mut text = format!(
        "{NAME}{}{NAME:#}  {}: {} blocks, {} forecasts; {} calls, {} + {} tokens, {:.1} s",
        terminal::path(&it.path),
        it.outcome.name(),
        it.blocks,
        it.forecasts,
        it.calls,
        it.prompt_tokens,
        it.answer_tokens,
        it.seconds
    );
    if it.usd > 0.0 {
        text.push_str(&format!(", {:.4} usd", it.usd));
    }
    text.push('\n');
    let thrown: Vec<String> = it.thrown_out.iter().map(|(flaw, n)| format!("{n} {flaw}")).collect();
    if !thrown.is_empty() {
        text.push_str(&format!("  {DIM}thrown out: {}{DIM:#}\n", thrown.join(", ")));
    }
    for problem in &it.problems {
        text.push_str(&format!("  {DIM}{}{DIM:#}\n", terminal::plain(problem)));
    }
    text
}

/// A progress bar on a terminal: files, the time left, and what was spent.
struct Progress(Option<ProgressBar>, std::cell::Cell<f64>);

impl Progress {
    fn new(settings: &Settings) -> Self {
        let shown = !settings.quiet && terminal::stderr_is_terminal();
        let style =
            ProgressStyle::with_template("planning {bar:20} {pos}/{len} files, {eta} left {msg}");
        let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
        let bar = shown.then(|| ProgressBar::new(0).with_style(style));
        Self(bar, std::cell::Cell::new(0.0))
    }

    fn show(&self, done: &FileReport, left: usize) {
        let Self(Some(bar), usd) = self else { return };
        usd.set(usd.get() + done.usd);
        bar.inc(1);
        bar.set_length(bar.position() + left as u64 - 1);
        let cost = if usd.get() > 0.0 { format!("{:.3} usd ", usd.get()) } else { String::new() };
        bar.set_message(format!("{cost}{}", terminal::path(&done.path)));
    }

    fn finish(&self) {
        self.0.iter().for_each(ProgressBar::finish_and_clear);
    }
}
