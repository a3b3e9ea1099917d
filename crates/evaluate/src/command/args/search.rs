//! Which questions, and the settings: the arguments shared by `search` and `sweep`.

use std::path::PathBuf;

use foreword_evaluate::runs::search::QuestionSource;
use foreword_evaluate::tasks::selection::Selection;
use foreword_evaluate::tasks::split::Split;

#[derive(clap::Args)]
pub(crate) struct SelectionArgs {
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

impl SelectionArgs {
    /// The questions, and the changes to the preset.
    pub(crate) fn split_off(self) -> (QuestionSource, Vec<String>) {
        let Self { tasks, corpora, repos, split, sets } = self;
        let tasks = Selection { file: tasks, repos, split, ids: Vec::new(), limit: None };
        (QuestionSource { tasks, corpora, chunk: foreword_chunk::Config::default() }, sets)
    }
}
