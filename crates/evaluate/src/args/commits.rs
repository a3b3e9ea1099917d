//! Arguments for tasks at commits, shared by `definitions` and `issues`.

use std::path::PathBuf;

use crate::tasks::corpora::Corpora;
use crate::tasks::selection::Selection;
use crate::tasks::split::Split;

use super::tasks::TaskArgs;

/// Tasks at commits, and the output file of their run.
#[derive(clap::Args)]
pub struct CommitArgs {
    /// Tasks, in any format that `tasks` reads.
    #[arg(long, value_name = "FILE")]
    tasks: PathBuf,
    /// Directory with a bare repository per name, at `owner+name/repo`.
    #[arg(long, value_name = "DIR")]
    git_dirs: PathBuf,
    #[command(flatten)]
    selection: TaskArgs,
    /// Write the run with all ranks.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

impl CommitArgs {
    /// The tasks, their repositories, and the output file.
    pub fn split_off(self) -> (Selection, Corpora, Option<PathBuf>) {
        let Self { tasks, git_dirs, selection, json } = self;
        let selection = selection.select(tasks, Split::All);
        (selection, Corpora { git_dirs: Some(git_dirs), dirs: None }, json)
    }
}
