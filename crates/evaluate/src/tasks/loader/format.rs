//! The formats of task files, and what each format's file provides to the loader.

use std::collections::BTreeMap;

use anyhow::Result;
use serde::{Deserialize, Serialize};

use super::row::JsonRow;
use crate::tasks::task::Task;

/// The formats, with the names that `--format` takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// One task a line, as docs/evaluation.md lists the fields.
    Ours,
    /// RepoEval: `datasets/*.jsonl` of RepoCoder.
    Repoeval,
    /// CrossCodeEval: `line_completion*.jsonl`.
    Crosscodeeval,
    /// SWE-bench, Lite and Verified too: instances, one a line.
    Swebench,
    /// DevEval: `data.jsonl`.
    Deveval,
    /// REPOCOD: the rows of the data set, one a line.
    Repocod,
    /// RepoBench v1.1: the rows of the data set, one a line.
    Repobench,
    /// semble: `annotations/NAME.json`, with `repos.json` beside or above it.
    Semble,
    /// The context collection competition of 2025: `LANGUAGE-STAGE.jsonl`, with its answers beside it where they are
    /// known.
    Competition,
}

/// The description of a format.
pub(super) struct FormatSpec {
    pub(super) format: Format,
    /// Fields that together distinguish it from the others.
    pub(super) telltale: &'static [&'static str],
    /// All fields that its rows may have.
    pub(super) fields: &'static [&'static str],
    pub(super) task: fn(JsonRow<'_>, &RowContext) -> Result<Task>,
}

/// What the conversion of a row needs besides the row.
#[derive(Default)]
pub(super) struct RowContext {
    /// The file's name without its extension.
    pub(super) stem: String,
    /// The number of the row, from 0.
    pub(super) row: usize,
    /// semble's repositories by name, from `repos.json`.
    pub(super) repositories: BTreeMap<String, SembleRepository>,
    /// The competition's answers, in the order of the rows.
    pub(super) answers: Vec<String>,
}

/// A row of semble's `repos.json`.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct SembleRepository {
    pub(super) name: String,
    pub(super) language: String,
    pub(super) url: String,
    pub(super) revision: String,
    pub(super) benchmark_root: Option<String>,
}

/// The language of a path by its name, in lower case; `unknown` where it has none.
pub(super) fn language_of(path: &str) -> String {
    foreword_chunk::Language::of_path(path, "").map_or("unknown", |it| it.name()).to_owned()
}
