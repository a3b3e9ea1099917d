//! Which tasks at commits: what `definitions` and `issues` share.

use std::path::PathBuf;

use foreword_evaluate::tasks::past::Selection;
use foreword_evaluate::tasks::split::Split;

#[derive(clap::Args)]
pub(crate) struct PastArgs {
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

impl PastArgs {
    /// The tasks, and where the run is written.
    pub(crate) fn split_off(self) -> (Selection, Option<PathBuf>) {
        let Self { tasks, git_dirs, repos, split, json } = self;
        (Selection { tasks, git_dirs, repos, split }, json)
    }
}
