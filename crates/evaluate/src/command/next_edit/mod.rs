//! `next-edit`: the remaining edits of a partly applied commit.

use std::path::PathBuf;

use anyhow::Result;
use foreword_engine::history::CoChangeConfig;
use foreword_engine::next::Config;
use foreword_evaluate::runs::next_edit::{
    Half, NextEditSettings, Record, default_list, print, run as ask,
};

use foreword_evaluate::output;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Directory with a bare repository per name, at `owner+name/repo`.
    #[arg(long, value_name = "DIR")]
    git_dirs: PathBuf,
    /// Repositories with their split; those of split `test` are not read.
    #[arg(long, value_name = "FILE", default_value = default_list().as_os_str())]
    list: PathBuf,
    /// Only this repository, `owner/name` (may be repeated).
    #[arg(long = "repo", value_name = "NAME")]
    repos: Vec<String>,
    /// Only half of the repositories, by the hash of the name.
    #[arg(long, value_enum)]
    half: Option<Half>,
    /// Maximum number of commits per repository. Each is run after one step, half of them, and all but one.
    #[arg(long, value_name = "N", default_value_t = 4)]
    limit: usize,
    /// Number of recent commits from which these are chosen, evenly.
    #[arg(long, value_name = "N", default_value_t = 300)]
    recent: usize,
    /// Only commits whose message has this text, in upper or lower case.
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    message: String,
    /// Leave out repositories with more files.
    #[arg(long, value_name = "N", default_value_t = 1500)]
    most_files: usize,
    /// Seed for ties in the order of hunks.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Number of earlier commits to read.
    #[arg(long, value_name = "N", default_value_t = 2000)]
    commits: usize,
    /// Write all weighed places with their features, too; `train/next_edit.py` reads them.
    #[arg(long, requires = "json")]
    candidates: bool,
    /// Write the run with all lists.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

pub(super) fn run(args: Args) -> Result<()> {
    let run = ask(&NextEditSettings {
        git_dirs: args.git_dirs,
        list: args.list,
        repos: args.repos,
        half: args.half,
        limit: args.limit,
        recent: args.recent,
        message: args.message,
        most_files: args.most_files,
        config: Config { least: 0.0, ..Config::measured() },
        co_change: CoChangeConfig::measured(),
        commits: args.commits,
        seed: args.seed,
        written: if args.candidates { Record::Candidates } else { Record::Lists },
    })?;
    print(&run);
    output::json(args.json.as_deref(), &run)
}
