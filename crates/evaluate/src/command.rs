//! The subcommands. Each file holds the arguments and the `run` function of one. To add one, write `command/<name>.rs`
//! with `Args` and `run`, and add it to the module list, the enum and the match of this file.

mod ask;
mod comparison;
mod definitions;
mod feedback;
mod forecasts;
mod issues;
mod leakage;
mod lies;
mod next_edit;
mod next_line;
mod pass;
mod report;
mod search;
mod speculate;
mod submission;
mod sweep;
mod tasks;
mod truth;
mod validity;

use anyhow::Result;
use clap::Subcommand;

/// The subcommands.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Run questions and names, and look for the relevant files.
    Search(search::Args),
    /// Run questions about repositories, and measure each stage of the answer.
    Ask(ask::Args),
    /// Run `search` for several values of one setting; indexes are built once.
    Sweep(sweep::Args),
    /// Simulate votes on half of the questions, and measure the other half.
    Feedback(feedback::Args),
    /// Choose the context for holes, and compare it with baselines.
    Context(comparison::Args),
    /// Find the definitions in other files that holes use.
    Definitions(definitions::Args),
    /// Find the files that the fixes of issues change.
    Issues(issues::Args),
    /// Write a submission to the context collection competition of 2025.
    Submission(submission::Args),
    /// Render one or more runs as an HTML page.
    Report(report::Args),
    /// List and check a file of tasks, in our format or a benchmark's.
    Tasks(tasks::check::Args),
    /// Predict the next line with the embedded model.
    NextLine(next_line::Args),
    /// Predict the remaining edits of partly applied commits.
    NextEdit(next_edit::Args),
    /// Check the truth folders, which protect properties of ranking, against their accepted ranks.
    Truth(truth::check::Args),
    /// Describe one truth task: the ranked list with reasons, and the prompt.
    ShowOne(truth::show_one::Args),
    /// Make tasks from a repository's history.
    Mine(tasks::mine::Args),
    /// Make tasks from one state of a repository by removing functions.
    Remove(tasks::remove::Args),
    /// Measure how much a later state of the repository gives away.
    Leakage(leakage::Args),
    /// Make false and true statements about repositories, and count those that the check of answers marks.
    Lies(lies::Args),
    /// Count true functions that the check of plans rejects, and false ones that it accepts.
    Forecasts(forecasts::Args),
    /// Run the tests of repositories with functions removed, or completed by a model.
    Pass(pass::Args),
    /// Compare contexts from plans of a chat model with live retrieval.
    Speculate(speculate::Args),
    /// Count errors in the pieces of prompts: invalid syntax, wrong headers, incomplete comments.
    Validity(validity::Args),
}

impl Command {
    /// Runs the subcommand.
    pub(crate) fn run(self) -> Result<()> {
        match self {
            Self::Search(args) => search::run(args),
            Self::Ask(args) => ask::run(args),
            Self::Sweep(args) => sweep::run(args),
            Self::Feedback(args) => feedback::run(args),
            Self::Context(args) => comparison::run(args),
            Self::Definitions(args) => definitions::run(args),
            Self::Issues(args) => issues::run(args),
            Self::Submission(args) => submission::run(args),
            Self::Report(args) => report::run(args),
            Self::Tasks(args) => tasks::check::run(args),
            Self::NextEdit(args) => next_edit::run(args),
            Self::NextLine(args) => next_line::run(args),
            Self::Truth(args) => truth::check::run(args),
            Self::ShowOne(args) => truth::show_one::run(args),
            Self::Mine(args) => tasks::mine::run(&args),
            Self::Remove(args) => tasks::remove::run(&args),
            Self::Leakage(args) => leakage::run(args),
            Self::Lies(args) => lies::run(&args),
            Self::Forecasts(args) => forecasts::run(args),
            Self::Pass(args) => pass::run(args),
            Self::Speculate(args) => speculate::run(args),
            Self::Validity(args) => validity::run(args),
        }
    }
}
