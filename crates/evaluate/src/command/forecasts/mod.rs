//! `forecasts`: how often what is foretold without a model comes true.

use std::path::PathBuf;

use anyhow::{Context as _, Result};
use clap::ValueEnum;
use foreword_engine::speculate::ForecastConfig;
use foreword_evaluate::runs::forecasts::history::{HistorySettings, history};
use foreword_evaluate::runs::forecasts::holes::{HoleReader, hole};
use foreword_evaluate::runs::forecasts::staged::staged;
use foreword_evaluate::runs::forecasts::{JudgedFile, report, show};
use foreword_evaluate::tasks::corpora::Corpora;
use foreword_evaluate::tasks::loader;
use foreword_evaluate::tasks::task::is_selected;

use crate::command::output;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Print the forecasts for a directory instead.
    #[arg(long, value_name = "DIR")]
    show: Option<PathBuf>,
    /// Of that directory only the files whose paths begin so.
    #[arg(long, value_name = "PATH", default_value = "")]
    under: String,
    /// Print forecasts of every kind, and not only those that come true often enough.
    #[arg(long)]
    all: bool,
    /// Bare repositories at `owner+name/repo` in it.
    #[arg(long, value_name = "DIR")]
    git_dirs: Option<PathBuf>,
    /// Judge by the commits after a state, by one file of a commit, or by the holes of `--tasks`.
    #[arg(long, value_enum, default_value = "history")]
    by: By,
    /// A repository, `owner/name` (may be repeated).
    #[arg(long, value_name = "REPO")]
    repo: Vec<String>,
    /// A file of tasks, for holes.
    #[arg(long, value_name = "FILE")]
    tasks: Option<PathBuf>,
    /// Commits of each history, the last ones.
    #[arg(long, value_name = "N", default_value_t = 2000)]
    commits: usize,
    /// States of each history, or commits of which one file is left out.
    #[arg(long, value_name = "N", default_value_t = 4)]
    states: usize,
    /// Files of each state.
    #[arg(long, value_name = "N", default_value_t = 60)]
    files: usize,
    /// Write all forecasts and what became of them as JSON.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// What forecasts are judged by.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum By {
    /// The commits that follow a state.
    History,
    /// One file of a commit, after all others.
    Staged,
    /// What was taken out of a file.
    Holes,
}

pub(super) fn run(args: Args) -> Result<()> {
    if let Some(root) = &args.show {
        let config = if args.all { ForecastConfig::all() } else { ForecastConfig::in_force() };
        output::line(show::show(root, &args.under, &config)?.trim_end());
        return Ok(());
    }
    let judged = judged(&args)?;
    let Args { json, .. } = args;
    output::line(report::text(&judged).trim_end());
    output::json(json.as_deref(), &judged)
}

fn judged(args: &Args) -> Result<Vec<JudgedFile>> {
    let git_dirs = args.git_dirs.clone().context("where the repositories are: --git-dirs")?;
    let Args { commits, states, files, by, .. } = *args;
    let settings = HistorySettings { git_dirs: git_dirs.clone(), commits, states, files };
    let judge = match by {
        By::Holes => return holes(args, git_dirs),
        By::History => history,
        By::Staged => staged,
    };
    let each = args.repo.iter().map(|repo| judge(&settings, repo));
    Ok(each.collect::<Result<Vec<_>>>()?.concat())
}

fn holes(args: &Args, git_dirs: PathBuf) -> Result<Vec<JudgedFile>> {
    let path = args.tasks.as_deref().context("which holes: --tasks")?;
    let corpora = Corpora { git_dirs: Some(git_dirs), dirs: None };
    let mut reader = HoleReader::default();
    let mut res = Vec::new();
    let tasks = loader::load(path, None)?.tasks;
    for task in tasks.iter().filter(|it| is_selected(&it.repo, &args.repo)) {
        match hole(&mut reader, &corpora, task) {
            Ok(judged) => res.push(judged),
            Err(error) => output::line(&format!("{}: {error:#}", task.id)),
        }
    }
    Ok(res)
}
