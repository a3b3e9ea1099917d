//! The arguments of `ask`.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};

use super::names::Names;
use super::search::TagArgs;

#[derive(Debug, ClapArgs)]
pub(in super::super) struct AskArgs {
    /// The question, in words; or a name, a path, the text of an error
    pub(in super::super) question: Option<String>,
    /// Read a traceback, the output of a compiler or of tests, a diff or a coverage report from stdin
    #[arg(long)]
    pub(in super::super) stdin: bool,
    /// Show the evidence itself, each piece with its text and its reasons
    #[arg(long)]
    pub(in super::super) evidence: bool,
    /// The most tokens of the evidence
    #[arg(short, long, value_name = "N", default_value_t = 4000)]
    pub(in super::super) tokens: usize,
    /// Only files below this path, relative to the root; may be given several times
    #[arg(short, long, value_name = "PATH")]
    pub(in super::super) path: Vec<String>,
    /// Only files of this language; may be given several times
    #[arg(short, long, value_name = "LANGUAGE", value_parser = Names::Languages, hide_possible_values = true)]
    pub(in super::super) lang: Vec<String>,
    #[command(flatten)]
    pub(in super::super) tags: TagArgs,
    /// Where citations lead on a terminal
    #[arg(long, value_name = "WHERE", default_value = "auto")]
    pub(in super::super) links: LinkTarget,
    /// Answer by the evidence alone, although a chat model is configured
    #[arg(long)]
    pub(in super::super) without_model: bool,
    /// Go on from an earlier answer: a file that `foreword ask --json` wrote. What it cites stays in the evidence
    #[arg(long, value_name = "FILE")]
    pub(in super::super) after: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub(in super::super) json: bool,
}

/// Where a citation leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in super::super) enum LinkTarget {
    /// To Visual Studio Code in its own terminal, else to the file
    Auto,
    /// To the file
    File,
    /// To the line in Visual Studio Code
    Vscode,
    /// Nowhere
    Never,
}
