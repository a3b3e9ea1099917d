//! `context`: holes to the context that a model should see, beside baselines.

use std::path::PathBuf;

use anyhow::Result;
use foreword_engine::preset;
use foreword_evaluate::overrides::apply;
use foreword_evaluate::{context, print};

use super::write;

#[derive(clap::Args)]
pub(crate) struct Args {
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

pub(super) fn run(args: Args) -> Result<()> {
    let preset = apply(preset::context(), &args.sets)?;
    let Args { tasks, git_dirs, repos, limit, json, .. } = args;
    let run = context::run(&context::Selection { tasks, git_dirs, repos, limit }, &preset)?;
    print::context(&run);
    write::json(json.as_deref(), &run)
}
