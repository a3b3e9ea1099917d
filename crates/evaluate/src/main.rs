//! The command line of the evaluation.

use std::path::PathBuf;

use anyhow::{Context as _, Result};
use clap::{Args, Parser, Subcommand};
use foreword_engine::preset;
use foreword_evaluate::context;
use foreword_evaluate::overrides::{apply, set};
use foreword_evaluate::print;
use foreword_evaluate::search::{self, Selection};
use foreword_evaluate::split::Split;

/// Measures foreword's ranking over tasks. Tune constants on the development split only.
#[derive(Parser)]
#[command(version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Questions and names to files.
    Search(SearchArgs),
    /// The same over several values of one setting; indexes are built once.
    Sweep(SweepArgs),
    /// Holes to the context that a model should see, beside baselines.
    Context(ContextArgs),
}

#[derive(Args)]
struct SelectionArgs {
    /// The tasks, one JSON object a line.
    #[arg(long, value_name = "FILE")]
    tasks: PathBuf,
    /// A directory with a checkout for each repository.
    #[arg(long, value_name = "DIR")]
    corpora: PathBuf,
    /// Only this repository (may be repeated).
    #[arg(long = "repo", value_name = "NAME")]
    repos: Vec<String>,
    /// Which repositories.
    #[arg(long, value_enum, default_value_t)]
    split: Split,
    /// Change a number of the preset (may be repeated).
    #[arg(long = "set", value_name = "KEY=VALUE")]
    sets: Vec<String>,
}

#[derive(Args)]
struct SearchArgs {
    #[command(flatten)]
    selection: SelectionArgs,
    /// Write the run with all ranks.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Show the worst questions and what was found instead.
    #[arg(long, value_name = "N", default_value_t = 0)]
    worst: usize,
}

#[derive(Args)]
struct SweepArgs {
    #[command(flatten)]
    selection: SelectionArgs,
    /// The setting.
    #[arg(long)]
    key: String,
    /// Its values.
    #[arg(long, value_delimiter = ',', required = true)]
    values: Vec<String>,
}

#[derive(Args)]
struct ContextArgs {
    /// The tasks, one JSON object a line.
    #[arg(long, value_name = "FILE")]
    tasks: PathBuf,
    /// A directory with a bare repository for each name, at `owner+name/repo`.
    #[arg(long, value_name = "DIR")]
    git_dirs: PathBuf,
    /// Only this repository (may be repeated).
    #[arg(long = "repo", value_name = "NAME")]
    repos: Vec<String>,
    /// At most so many tasks of each repository, evenly chosen.
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Change a number of the preset (may be repeated).
    #[arg(long = "set", value_name = "KEY=VALUE")]
    sets: Vec<String>,
    /// Write the run with all tasks.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

fn main() -> Result<()> {
    match Cli::parse().command {
        Command::Search(args) => search_command(args),
        Command::Sweep(args) => sweep_command(args),
        Command::Context(args) => context_command(args),
    }
}

impl SelectionArgs {
    fn split_off(self) -> (Selection, Vec<String>) {
        let Self { tasks, corpora, repos, split, sets } = self;
        (Selection { tasks, corpora, repos, split }, sets)
    }
}

fn search_command(args: SearchArgs) -> Result<()> {
    let (selection, sets) = args.selection.split_off();
    let preset = apply(preset::search(), &sets)?;
    let prepared = search::prepare(&selection)?;
    let run = search::run(&prepared, selection.split, &preset);
    print::search(&run);
    print::worst(&run, args.worst);
    args.json.map_or(Ok(()), |path| write(&path, &run))
}

fn sweep_command(args: SweepArgs) -> Result<()> {
    let (selection, sets) = args.selection.split_off();
    let base = apply(preset::search(), &sets)?;
    let mut presets = Vec::new();
    for value in &args.values {
        let mut preset = base;
        set(&mut preset, &args.key, value)?;
        presets.push((value.clone(), preset));
    }
    let prepared = search::prepare(&selection)?;
    let before = search::run(&prepared, selection.split, &base);
    let run = |(value, preset)| (value, search::run(&prepared, selection.split, &preset));
    let runs: Vec<_> = presets.into_iter().map(run).collect();
    print::sweep(&args.key, &before, &runs);
    Ok(())
}

fn context_command(args: ContextArgs) -> Result<()> {
    let preset = apply(preset::context(), &args.sets)?;
    let ContextArgs { tasks, git_dirs, repos, limit, json, .. } = args;
    let run = context::run(&context::Selection { tasks, git_dirs, repos, limit }, &preset)?;
    print::context(&run);
    json.map_or(Ok(()), |path| write(&path, &run))
}

fn write(path: &std::path::Path, run: &impl serde::Serialize) -> Result<()> {
    let text = serde_json::to_string_pretty(run).context("cannot write the run as JSON")?;
    std::fs::write(path, text + "\n").with_context(|| format!("cannot write {}", path.display()))
}
