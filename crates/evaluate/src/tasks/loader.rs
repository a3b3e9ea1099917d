//! Files of tasks, in our own format and in those that benchmarks are published in.
//!
//! One file a format: what its rows look like, and the [`Task`] that a row is. A row that is no task (malformed, no
//! truth, a hole that does not line up) becomes a [`Problem`] with its file and line; the others go on. Fields that a
//! format is not known to have are counted. Nothing is dropped in silence: [`TaskFile::notice`] is what a command
//! prints before anything else.

mod check;
mod competition;
mod crosscodeeval;
mod deveval;
pub mod hole;
mod ours;
mod repobench;
mod repocod;
mod repoeval;
mod row;
mod rows;
mod semble;
mod swebench;

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail, ensure};
use serde::Serialize;

use crate::tasks::task::Task;
use row::JsonRow;

pub use competition::{Submission, submission_line};

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

/// What is known of a format.
struct FormatSpec {
    format: Format,
    /// Fields that together tell it from the others.
    telltale: &'static [&'static str],
    /// All fields that its rows may have.
    fields: &'static [&'static str],
    task: fn(JsonRow<'_>, &RowContext) -> Result<Task>,
}

const FORMATS: [&FormatSpec; 9] = [
    &ours::FORMAT,
    // Before RepoEval, whose fields its rows have too.
    &crosscodeeval::FORMAT,
    &repoeval::FORMAT,
    &swebench::FORMAT,
    &deveval::FORMAT,
    &repocod::FORMAT,
    &repobench::FORMAT,
    &semble::FORMAT,
    &competition::FORMAT,
];

/// What a row needs to know beside itself.
#[derive(Default)]
struct RowContext {
    /// The file's name without its extension.
    stem: String,
    /// The number of the row, from 0.
    row: usize,
    /// What stands in files beside it: semble's repositories by name.
    repositories: BTreeMap<String, semble::Repository>,
    /// The competition's answers, in the order of the rows.
    answers: Vec<String>,
}

/// A row that is no task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// The file.
    pub file: PathBuf,
    /// The line, 1-based.
    pub line: usize,
    /// What is wrong.
    pub what: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file.display(), self.line, self.what)
    }
}

/// What a file of tasks has.
#[derive(Clone, Debug)]
pub struct TaskFile {
    /// The file.
    pub file: PathBuf,
    /// In the order of the file.
    pub tasks: Vec<Task>,
    /// The line of each task.
    pub lines: Vec<usize>,
    /// The format of its rows.
    pub format: Format,
    /// Rows that are no tasks.
    pub problems: Vec<Problem>,
    /// Fields that the format is not known to have: how many rows have them, and the line of the first.
    pub unknown: BTreeMap<String, (usize, usize)>,
    /// The first 16 digits of the BLAKE3 hash of the file: which data a result is over.
    pub revision: String,
}

impl TaskFile {
    /// What must be said before any result: rows that were skipped, and unknown fields. `None` when all is well.
    pub fn notice(&self) -> Option<String> {
        let mut parts = Vec::new();
        if let Some(first) = self.problems.first() {
            let rows = self.tasks.len() + self.problems.len();
            parts.push(format!(
                "skipped {} of {rows} rows, the first: {first}",
                self.problems.len()
            ));
        }
        let unknown = self.unknown.iter().map(|(name, (rows, line))| {
            format!("unknown field `{name}` in {rows} rows, first in line {line}")
        });
        parts.extend(unknown);
        (!parts.is_empty()).then(|| parts.join("; "))
    }
}

/// Reads a file of tasks. Without a format, that of its first row is taken.
pub fn load(path: &Path, format: Option<Format>) -> Result<TaskFile> {
    let shown = path.display();
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {shown}"))?;
    let rows = rows::of(&text);
    ensure!(!rows.is_empty(), "{shown} has no rows");
    let described = described(&rows, format).with_context(|| format!("{shown}"))?;
    let mut around = around(path, described.format)?;
    let mut loaded = TaskFile {
        file: path.to_owned(),
        tasks: Vec::new(),
        lines: Vec::new(),
        format: described.format,
        problems: Vec::new(),
        unknown: BTreeMap::new(),
        revision: blake3::hash(text.as_bytes()).to_hex()[..16].to_owned(),
    };
    let mut ids = BTreeMap::new();
    for (idx, (line, text)) in rows.iter().enumerate() {
        around.row = idx;
        match task(described, text, *line, &around, &mut loaded.unknown, &mut ids) {
            Ok(task) => {
                loaded.tasks.push(task);
                loaded.lines.push(*line);
            }
            Err(error) => loaded.problems.push(Problem {
                file: path.to_owned(),
                line: *line,
                what: format!("{error:#}"),
            }),
        }
    }
    Ok(loaded)
}

fn described(rows: &[(usize, &str)], format: Option<Format>) -> Result<&'static FormatSpec> {
    if let Some(wanted) = format {
        return FORMATS.into_iter().find(|it| it.format == wanted).context("no such format");
    }
    // A broken row says nothing; the first that can be read does.
    let Some(fields) = rows.iter().find_map(|it| row::fields(it.1).ok()) else {
        bail!("no row is a JSON object");
    };
    let told = |it: &&FormatSpec| it.telltale.iter().all(|name| fields.contains_key(*name));
    FORMATS.into_iter().find(told).with_context(|| {
        let names: Vec<&String> = fields.keys().collect();
        format!("a row with the fields {names:?} is of no known format; name it with --format")
    })
}

fn around(path: &Path, format: Format) -> Result<RowContext> {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let mut res = RowContext { stem, ..RowContext::default() };
    match format {
        Format::Semble => res.repositories = semble::repositories(path)?,
        Format::Competition => res.answers = competition::answers(path)?,
        _ => {}
    }
    Ok(res)
}

fn task(
    described: &FormatSpec,
    text: &str,
    line: usize,
    around: &RowContext,
    unknown: &mut BTreeMap<String, (usize, usize)>,
    ids: &mut BTreeMap<String, usize>,
) -> Result<Task> {
    let fields = row::fields(text)?;
    for name in fields.keys().filter(|it| !described.fields.contains(&it.as_str())) {
        unknown.entry(name.clone()).or_insert((0, line)).0 += 1;
    }
    let task = (described.task)(JsonRow::new(&fields), around)?;
    check::task(&task)?;
    if let Some(before) = ids.insert(task.id.clone(), line) {
        bail!("`{}` is the id of line {before} too", task.id);
    }
    Ok(task)
}

/// The language of a path by its name, in lower case; `unknown` where it has none.
fn language_of(path: &str) -> String {
    foreword_chunk::Language::of_path(path, "").map_or("unknown", |it| it.name()).to_owned()
}

#[cfg(test)]
mod tests;
