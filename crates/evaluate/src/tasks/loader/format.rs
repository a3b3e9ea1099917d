//! The formats of task files, and the description that the loader needs of each.

use std::collections::BTreeMap;

use anyhow::Result;
use serde::{Deserialize, Serialize};

use super::row::JsonRow;
use crate::tasks::task::Task;

/// A format, by its name for `--format`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// One task per line; docs/evaluation.md lists the fields.
    Ours,
    /// RepoEval: `datasets/*.jsonl` of RepoCoder.
    Repoeval,
    /// CrossCodeEval: `line_completion*.jsonl`.
    Crosscodeeval,
    /// SWE-bench, also Lite and Verified: one instance per line.
    Swebench,
    /// DevEval: `data.jsonl`.
    Deveval,
    /// REPOCOD: the rows of the data set, one per line.
    Repocod,
    /// RepoBench v1.1: the rows of the data set, one per line.
    Repobench,
    /// semble: `annotations/NAME.json`, with `repos.json` in its directory or above.
    Semble,
    /// The context collection competition of 2025: `LANGUAGE-STAGE.jsonl`, with known answers beside it.
    Competition,
}

pub(super) struct FormatSpec {
    pub(super) format: Format,
    /// Fields that together identify the format.
    pub(super) telltale: &'static [&'static str],
    /// All fields of its rows.
    pub(super) fields: &'static [&'static str],
    pub(super) task: fn(JsonRow<'_>, &RowContext) -> Result<Task>,
}

/// Inputs of a row's conversion besides the row.
#[derive(Default)]
pub(super) struct RowContext {
    /// The file's name without its extension.
    pub(super) stem: String,
    /// 0-based number of the row.
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

/// The language of a path by its name, in lower case; `unknown` without one.
pub(super) fn language_of(path: &str) -> String {
    foreword_chunk::Language::of_path(path, "").map_or("unknown", |it| it.name()).to_owned()
}
