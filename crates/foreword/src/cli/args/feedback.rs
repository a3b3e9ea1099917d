//! The arguments of `foreword feedback`.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand};

#[derive(Debug, ClapArgs)]
pub(in crate::cli) struct FeedbackArgs {
    #[command(subcommand)]
    pub(in crate::cli) action: FeedbackAction,
}

#[derive(Debug, Subcommand)]
pub(in crate::cli) enum FeedbackAction {
    /// Rate places of an answer as useful
    Good(VoteArgs),
    /// Rate places of an answer as useless
    Bad(VoteArgs),
    /// Show all ratings
    List {
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Delete all ratings of this repository
    Clear,
    /// Export ratings as training rows: question, place, label, and current text
    Export {
        /// The file to write; `-` for stdout
        file: PathBuf,
    },
}

#[derive(Debug, ClapArgs)]
pub(in crate::cli) struct VoteArgs {
    /// Numbers or ids of pieces of the last `foreword ask` or `search`, or PATH, PATH:LINE or PATH:FIRST-LAST [default:
    /// the answer's citations]
    #[arg(value_name = "PLACE")]
    pub(in crate::cli) places: Vec<String>,
    /// Question [default: that of the answer]
    #[arg(long)]
    pub(in crate::cli) question: Option<String>,
    /// Answer: a file written by `foreword ask --json` or `search --json` [default: the last one here]
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) answer: Option<PathBuf>,
}
