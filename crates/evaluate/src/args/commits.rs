//! The arguments for tasks at commits, shared by `definitions` and `issues`.

use std::path::PathBuf;

use crate::tasks::corpora::Corpora;
use crate::tasks::selection::Selection;
use crate::tasks::split::Split;

/// Tasks at commits, and where their run is written.
#[derive(clap::Args)]
pub struct CommitArgs {
    /// The tasks, in any format that `tasks` reads.
    #[arg(long, value_name = "FILE")]
    tasks: PathBuf,
    /// A directory with a bare repository for each name, at `owner+name/repo`.
    #[arg(long, value_name = "DIR")]
    git_dirs: PathBuf,
    /// Only this repository (may be repeated).
    #[arg(long = "repo", value_name = "NAME")]
    repos: Vec<String>,
    /// Which repositories.
    #[arg(long, value_enum, default_value_t = Split::All)]
    split: Split,
    /// Write the run with all ranks.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

impl CommitArgs {
    /// The tasks, their repositories, and where the run is written.
    pub fn split_off(self) -> (Selection, Corpora, Option<PathBuf>) {
        let Self { tasks, git_dirs, repos, split, json } = self;
        let selection = Selection { file: tasks, repos, split, ids: Vec::new(), limit: None };
        (selection, Corpora { git_dirs: Some(git_dirs), dirs: None }, json)
    }
}
