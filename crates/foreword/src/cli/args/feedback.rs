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
    /// Say that places of an answer were useful
    Good(VoteArgs),
    /// Say that places of an answer were of no use
    Bad(VoteArgs),
    /// Show what is kept
    List {
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Forget everything about this repository
    Clear,
    /// Write what is kept as training rows: question, place, label, and the text there now
    Export {
        /// The file to write; `-` for stdout
        file: PathBuf,
    },
}

#[derive(Debug, ClapArgs)]
pub(in crate::cli) struct VoteArgs {
    /// Numbers or ids of pieces of the last `foreword ask` or `search`, or PATH, PATH:LINE or PATH:FIRST-LAST [default:
    /// what the answer cites]
    #[arg(value_name = "PLACE")]
    pub(in crate::cli) places: Vec<String>,
    /// What was asked [default: the question of that answer]
    #[arg(long)]
    pub(in crate::cli) question: Option<String>,
    /// The answer: a file that `foreword ask --json` or `search --json` wrote [default: the last one here]
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) answer: Option<PathBuf>,
}
