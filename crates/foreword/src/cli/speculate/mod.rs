//! `foreword speculate`: a chat model plans what the next edits of each file will need, within budgets.

mod output;

use std::path::{Path, PathBuf};

use foreword_engine::index::Snapshot;
use foreword_engine::speculate::{Block, FilePlan, Forecast, Schedule, is_planned_for, requote};
use foreword_model::agents::Cost;

use self::output::{BlockOutput, CostOutput, FileOutput, ForecastOutput, Progress, Summary};
use super::args::SpeculateArgs;
use super::config::Settings;
use super::output as terminal;
use super::{Outcome, usage, workspace};
use foreword_session::backend::ChatSettings;
use foreword_session::speculation::budget::Budget;
use foreword_session::speculation::{
    BudgetGuard, FileReport, Ledger, ModelPlanner, PlanPaths, RepositoryState, RunReport,
};

pub(super) fn run(args: &SpeculateArgs, settings: &Settings) -> anyhow::Result<Outcome> {
    let named = named(args, settings);
    let file = named.as_deref().filter(|it| it.is_file());
    let directory = match file {
        Some(file) => workspace::directory_of(settings, file),
        None => named.clone(),
    };
    let chat = settings.chat()?.ok_or_else(|| {
        usage("no chat model is configured; name its server in the user's file: [models.chat] with url = \"http://…\" (`foreword config` shows where that file is)")
    })?;
    let budget = args.budget.as_deref().map(|it| Budget::parse("--budget", it)).transpose()?;
    let hourly = args.hourly.as_deref().map(|it| ("--hourly", it));
    let hourly = hourly.or(chat.hourly.as_deref().map(|it| ("models.chat.hourly", it)));
    let hour = hourly.map(|(name, text)| Budget::parse(name, text)).transpose()?;
    let budgets = (budget.unwrap_or_default(), hour.unwrap_or_default());
    let session = Session { args, settings, directory: directory.as_deref(), chat: &chat, budgets };
    if args.pause || args.resume {
        let done = session.pause()?;
        if args.pause {
            return Ok(done);
        }
    }
    match file {
        Some(file) => session.one(file),
        None if args.replay => Err(usage("--replay: name the file to plan again")),
        None if args.dry_run => session.dry_run(),
        None => session.all(),
    }
}

/// The named path, resolved as in every command.
fn named(args: &SpeculateArgs, settings: &Settings) -> Option<PathBuf> {
    let path = args.path.as_deref()?;
    let here = workspace::discover(settings, None).ok();
    let found = here.map(|it| workspace::locate(settings, &it, path));
    Some(found.unwrap_or_else(|| path.to_owned()))
}

/// A run of the command.
struct Session<'s> {
    args: &'s SpeculateArgs,
    settings: &'s Settings,
    directory: Option<&'s Path>,
    chat: &'s ChatSettings,
    /// The budgets of the run and of an hour.
    budgets: (Budget, Budget),
}

impl Session<'_> {
    /// Opens the repository in its current state.
    fn open(&self) -> anyhow::Result<workspace::OpenWorkspace> {
        let mut opened = workspace::open(self.settings, self.directory)?;
        opened.add_diff();
        Ok(opened)
    }

    fn state(&self) -> anyhow::Result<RepositoryState> {
        let opened = self.open()?;
        Ok(RepositoryState::new(&opened.workspace, &opened.store, opened.snapshot))
    }

    fn pause(&self) -> anyhow::Result<Outcome> {
        let opened = workspace::open(self.settings, self.directory)?;
        let paths = PlanPaths::new(&opened.workspace, &opened.store);
        match self.args.pause {
            true => paths.pause()?,
            false => paths.resume()?,
        }
        Ok(Outcome::Done)
    }

    fn guard(&self, paths: &PlanPaths) -> BudgetGuard {
        let ledger = Ledger::open(paths.ledger());
        BudgetGuard::new(self.budgets, self.chat.prices, ledger, paths.is_paused())
    }

    /// Shows the files to plan and the estimated cost; sends nothing.
    fn dry_run(&self) -> anyhow::Result<Outcome> {
        let opened = self.open()?;
        let (workspace, store) = (&opened.workspace, &opened.store);
        let planner = ModelPlanner::offline(self.chat, workspace, store);
        let past = Ledger::open(PlanPaths::new(workspace, store).ledger()).total();
        let state = RepositoryState::new(workspace, store, opened.snapshot);
        let found = planner.schedule(&state, self.args.most);
        let files = found.pending.len() as u64;
        let most = planner.estimate(&state, &found.pending);
        // The mean cost of earlier files says more than the bound.
        let likely = past.filter(|it| it.files >= MIN_FILES_FOR_MEAN).map(|it| {
            let of_files = |n: u64| {
                let all = u128::from(n) * u128::from(files) / u128::from(it.files);
                u64::try_from(all).unwrap_or(u64::MAX)
            };
            Cost {
                requests: of_files(it.requests),
                prompt_tokens: of_files(it.prompt_tokens),
                answer_tokens: of_files(it.answer_tokens),
                millis: of_files(it.millis),
            }
        });
        let estimate = |it: &Cost| CostOutput::new(it, &self.chat.prices);
        let nothing = RunReport::default();
        let summary = Summary {
            at_most: Some(estimate(&most)),
            likely: likely.as_ref().map(estimate),
            dry_run: true,
            ..Summary::new(&planner, &found, &nothing)
        };
        self.show(&summary)
    }

    /// Plans all files that need it.
    fn all(&self) -> anyhow::Result<Outcome> {
        let opened = self.open()?;
        let mut planner = ModelPlanner::connect(self.chat, &opened.workspace, &opened.store)?;
        let mut guard = self.guard(&PlanPaths::new(&opened.workspace, &opened.store));
        let mut first =
            Some(RepositoryState::new(&opened.workspace, &opened.store, opened.snapshot));
        let mut refresh = || first.take().map_or_else(|| self.state(), Ok);
        let progress = Progress::new(self.settings);
        let mut on_file = |it: &FileReport, left: usize| progress.show(it, left);
        let done = planner.run(self.args.most, &mut refresh, &mut guard, &mut on_file)?;
        progress.finish();
        let Some(report) = done else {
            self.note("another process is planning this repository; nothing done");
            return Ok(Outcome::Nothing);
        };
        let mut spent = Cost::default();
        for it in &report.files {
            let millis = (it.seconds * 1e3) as u64;
            let (prompt_tokens, answer_tokens) = (it.prompt_tokens, it.answer_tokens);
            spent.add(&Cost { requests: it.requests, prompt_tokens, answer_tokens, millis });
        }
        let cost = Some(CostOutput::new(&spent, &self.chat.prices));
        let summary = Summary { cost, ..Summary::new(&planner, &report.schedule, &report) };
        self.show(&summary)?;
        Ok(if summary.left > 0 { Outcome::Nothing } else { Outcome::Done })
    }

    /// Shows the plan of one file; makes it if it is not current, or replays its transcript.
    fn one(&self, file: &Path) -> anyhow::Result<Outcome> {
        let opened = self.open()?;
        let (workspace, store) = (&opened.workspace, &opened.store);
        let path = workspace.relative(&workspace::locate(self.settings, workspace, file))?;
        let mut planner = match self.args.replay || self.args.dry_run {
            true => ModelPlanner::offline(self.chat, workspace, store),
            false => ModelPlanner::connect(self.chat, workspace, store)?,
        };
        let guard = self.guard(&PlanPaths::new(workspace, store));
        let state = RepositoryState::new(workspace, store, opened.snapshot);
        let snapshot = &state.snapshot;
        let known = snapshot.file(&path).filter(|it| is_planned_for(snapshot, *it));
        let Some(known) = known else { return Err(not_planned_for(file)) };
        let plans = planner.store().load();
        let stored = plans.plan(&path, Some(snapshot.hash(known)));
        let stored = stored.filter(|_| plans.is_current(snapshot, &path));
        if self.args.replay {
            return self.replay(&mut planner, &state, &path, stored.as_ref());
        }
        match stored {
            Some(plan) => {
                let plan = FileOutput { stored: true, ..file_output(&plan, snapshot) };
                show_one(self.args, Some(plan), None)
            }
            None if self.args.dry_run => self.dry_run_of(&planner, &state, path),
            None => self.plan_one((&mut planner, guard), &state, &path),
        }
    }

    fn replay(
        &self,
        planner: &mut ModelPlanner,
        state: &RepositoryState,
        path: &str,
        stored: Option<&FilePlan>,
    ) -> anyhow::Result<Outcome> {
        let run = planner.replay(state, path)?;
        let report = FileReport::new(path, &run, 0.0);
        let is_same = stored.is_some() && stored == run.plan.as_ref();
        let plan = run.plan.as_ref().map(|it| file_output(it, &state.snapshot));
        let plan = plan.map(|it| FileOutput { stored: is_same, ..it });
        show_one(self.args, plan, Some(report))
    }

    fn dry_run_of(
        &self,
        planner: &ModelPlanner,
        state: &RepositoryState,
        path: String,
    ) -> anyhow::Result<Outcome> {
        let found = Schedule { pending: vec![path], ..Schedule::default() };
        let most = planner.estimate(state, &found.pending);
        let at_most = Some(CostOutput::new(&most, &self.chat.prices));
        let nothing = RunReport::default();
        let summary = Summary::new(planner, &found, &nothing);
        self.show(&Summary { at_most, dry_run: true, ..summary })
    }

    fn plan_one(
        &self,
        (planner, mut guard): (&mut ModelPlanner, BudgetGuard),
        state: &RepositoryState,
        path: &str,
    ) -> anyhow::Result<Outcome> {
        let Some((run, report)) = planner.one_named(state, path, &mut guard)? else {
            self.note("another process is planning this repository; nothing done");
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

/// The mean cost is shown after this many files.
const MIN_FILES_FOR_MEAN: u64 = 3;

fn show_one(
    args: &SpeculateArgs,
    plan: Option<FileOutput>,
    run: Option<FileReport>,
) -> anyhow::Result<Outcome> {
    let Some(plan) = plan else { return Ok(Outcome::Nothing) };
    let output = FileOutput { run, ..plan };
    if args.json { terminal::json(&output) } else { terminal::text(&output.text()) }
}

fn not_planned_for(file: &Path) -> anyhow::Error {
    let file = file.display();
    usage(format!(
        "no plans are made for {file}: it is not indexed code of this repository; `foreword status {file}` says more"
    ))
}

fn file_output(plan: &FilePlan, snapshot: &Snapshot) -> FileOutput {
    let text = |path: &str| snapshot.file(path).map(|it| snapshot.text(it));
    let block = |it: &Block| {
        let text = text(&it.place.path)?;
        let quote = requote(it, &text)?;
        Some(BlockOutput {
            path: it.place.path.clone(),
            start_line: quote.first_line,
            end_line: quote.last_line,
            score: it.score,
            reason: it.reason.clone(),
            text: quote.text.to_owned(),
        })
    };
    let forecast = |it: &Forecast| ForecastOutput {
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
        stored: false,
        blocks: plan.blocks.iter().filter_map(block).collect(),
        forecasts: plan.forecasts.iter().map(forecast).collect(),
        run: None,
    }
}
