//! The subcommands. A file holds the arguments and the `run` function of one; to add one, write `command/<name>.rs` with
//! `Args` and `run`, and add it to the module list, the enum and the match of this file.

mod args;
mod comparison;
mod definitions;
mod experiment;
mod issues;
mod leakage;
mod next_line;
mod output;
mod report;
mod search;
mod submission;
mod sweep;
mod tasks;
mod truth;

use anyhow::Result;
use clap::Subcommand;

/// The subcommands.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Questions and names to files.
    Search(search::Args),
    /// The same over several values of one setting; indexes are built once.
    Sweep(sweep::Args),
    /// Holes to the context that a model should see, beside baselines.
    Context(comparison::Args),
    /// Holes to the definitions in other files that they use.
    Definitions(definitions::Args),
    /// Issues to the files that their fixes change.
    Issues(issues::Args),
    /// A file for the context collection competition of 2025, from its rows and archives.
    Submission(submission::Args),
    /// One run, or several side by side, as an HTML page.
    Report(report::Args),
    /// What a file of tasks has and what is wrong with it, in our format or a benchmark's.
    Tasks(tasks::check::Args),
    /// The next line, as the embedded model completes it.
    NextLine(next_line::Args),
    /// Small projects that each protect a property of ranking, against the ranks that were accepted.
    Truth(truth::check::Args),
    /// One truth task: the ranked list with reasons, and the prompt.
    ShowOne(truth::show_one::Args),
    /// Tasks from a repository's history.
    Mine(tasks::mine::Args),
    /// Tasks from one state of a repository, out of which a function was taken.
    Remove(tasks::remove::Args),
    /// The same tasks over the state in which they were solved: what that gives away.
    Leakage(leakage::Args),
    /// What a choice of the engine's is worth, one table a question.
    Experiment(experiment::Args),
}

impl Command {
    /// Runs the subcommand.
    pub(crate) fn run(self) -> Result<()> {
        match self {
            Self::Search(args) => search::run(args),
            Self::Sweep(args) => sweep::run(args),
            Self::Context(args) => comparison::run(args),
            Self::Definitions(args) => definitions::run(args),
            Self::Issues(args) => issues::run(args),
            Self::Submission(args) => submission::run(args),
            Self::Report(args) => report::run(args),
            Self::Tasks(args) => tasks::check::run(args),
            Self::NextLine(args) => next_line::run(args),
            Self::Truth(args) => truth::check::run(args),
            Self::ShowOne(args) => truth::show_one::run(args),
            Self::Mine(args) => tasks::mine::run(args),
            Self::Remove(args) => tasks::remove::run(args),
            Self::Leakage(args) => leakage::run(args),
            Self::Experiment(args) => experiment::run(args),
        }
    }
}
