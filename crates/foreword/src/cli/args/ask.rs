//! The arguments of `ask`.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};

use super::cluster::ClusterArgs;
use super::names::Names;
use super::search::TagArgs;

#[derive(Debug, ClapArgs)]
pub(in super::super) struct AskArgs {
    /// Question in words; or a name, a path, an error message
    pub(in super::super) question: Vec<String>,
    /// Read a traceback, compiler or test output, a diff or a coverage report from stdin
    #[arg(long)]
    pub(in super::super) stdin: bool,
    /// Show the evidence: each piece with its text and reasons
    #[arg(long)]
    pub(in super::super) evidence: bool,
    /// Maximum tokens of the evidence
    #[arg(short, long, value_name = "N", default_value_t = 4000)]
    pub(in super::super) tokens: usize,
    /// Only this file or files below this path, relative to the working directory or the root; may be repeated
    #[arg(short, long, value_name = "PATH")]
    pub(in super::super) path: Vec<String>,
    /// Only files of this language; may be repeated
    #[arg(short, long, value_name = "LANGUAGE", value_parser = Names::Languages, hide_possible_values = true)]
    pub(in super::super) lang: Vec<String>,
    #[command(flatten)]
    pub(in super::super) tags: TagArgs,
    /// Target of citation links in a terminal
    #[arg(long, value_name = "WHERE", default_value = "auto")]
    pub(in super::super) links: LinkTarget,
    /// Answer from the evidence alone, even if a chat model is configured
    #[arg(long)]
    pub(in super::super) without_model: bool,
    /// Continue an earlier answer: a file written by `foreword ask --json`. Its citations stay in the evidence
    #[arg(long, value_name = "FILE")]
    pub(in super::super) after: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub(in super::super) json: bool,
    #[command(flatten)]
    pub(in super::super) on: ClusterArgs,
}

/// Target of a citation link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in super::super) enum LinkTarget {
    /// Visual Studio Code in its own terminal, else the file
    Auto,
    /// The file
    File,
    /// The line in Visual Studio Code
    Vscode,
    /// No links
    Never,
}
