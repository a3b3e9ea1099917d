//! Reads task files, in our own format and in the formats of published benchmarks.
//!
//! Each format has a source file that describes its rows and converts a row into a [`Task`]. A row that cannot be
//! converted (malformed, no truth, a misaligned hole) becomes a [`Problem`] with its file and line; the others are
//! kept. Unknown fields are counted. Commands print [`TaskFile::notice`] first, so that nothing is dropped silently.

mod check;
mod competition;
mod crosscodeeval;
mod deveval;
mod format;
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
use format::{FormatSpec, RowContext};
use row::JsonRow;

pub use format::Format;

const FORMATS: [&FormatSpec; 9] = [
    &ours::FORMAT,
    // Before RepoEval: its rows contain RepoEval's fields.
    &crosscodeeval::FORMAT,
    &repoeval::FORMAT,
    &swebench::FORMAT,
    &deveval::FORMAT,
    &repocod::FORMAT,
    &repobench::FORMAT,
    &semble::FORMAT,
    &competition::FORMAT,
];

/// A row that could not be converted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    pub(crate) file: PathBuf,
    /// 1-based line.
    pub(crate) line: usize,
    pub(crate) what: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file.display(), self.line, self.what)
    }
}

/// The contents of a task file.
#[derive(Clone, Debug)]
pub struct TaskFile {
    pub(crate) file: PathBuf,
    /// Tasks, in the order of the file.
    pub tasks: Vec<Task>,
    pub(crate) lines: Vec<usize>,
    pub(crate) format: Format,
    pub(crate) problems: Vec<Problem>,
    /// Unknown fields: how many rows have them, and the line of the first.
    pub(crate) unknown: BTreeMap<String, (usize, usize)>,
    /// The first 16 digits of the BLAKE3 hash of the file, which identifies the data of a result.
    pub(crate) revision: String,
}

impl TaskFile {
    /// Lists skipped rows and unknown fields, to be printed before any result; `None` when there are none.
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

/// Reads a task file. Detects the format from the first readable row unless one is given.
pub fn load(path: &Path, format: Option<Format>) -> Result<TaskFile> {
    let shown = path.display();
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {shown}"))?;
    let rows = rows::of(&text);
    ensure!(!rows.is_empty(), "{shown} has no rows");
    let spec = spec_of(&rows, format).with_context(|| format!("{shown}"))?;
    let mut context = row_context(path, spec.format)?;
    let mut loaded = TaskFile {
        file: path.to_owned(),
        tasks: Vec::new(),
        lines: Vec::new(),
        format: spec.format,
        problems: Vec::new(),
        unknown: BTreeMap::new(),
        revision: blake3::hash(text.as_bytes()).to_hex()[..16].to_owned(),
    };
    let mut ids = BTreeMap::new();
    for (idx, (line, text)) in rows.iter().enumerate() {
        context.row = idx;
        match task(spec, text, *line, &context, &mut loaded.unknown, &mut ids) {
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

fn spec_of(rows: &[(usize, &str)], format: Option<Format>) -> Result<&'static FormatSpec> {
    if let Some(wanted) = format {
        return FORMATS.into_iter().find(|it| it.format == wanted).context("no such format");
    }
    // The first readable row decides; broken rows are reported later.
    let Some(fields) = rows.iter().find_map(|it| row::fields(it.1).ok()) else {
        bail!("no row is a JSON object");
    };
    let matches = |it: &&FormatSpec| it.telltale.iter().all(|name| fields.contains_key(*name));
    FORMATS.into_iter().find(matches).with_context(|| {
        let names: Vec<&String> = fields.keys().collect();
        format!("a row with the fields {names:?} is of no known format; name it with --format")
    })
}

fn row_context(path: &Path, format: Format) -> Result<RowContext> {
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
    spec: &FormatSpec,
    text: &str,
    line: usize,
    context: &RowContext,
    unknown: &mut BTreeMap<String, (usize, usize)>,
    ids: &mut BTreeMap<String, usize>,
) -> Result<Task> {
    let fields = row::fields(text)?;
    for name in fields.keys().filter(|it| !spec.fields.contains(&it.as_str())) {
        unknown.entry(name.clone()).or_insert((0, line)).0 += 1;
    }
    let task = (spec.task)(JsonRow::new(&fields), context)?;
    check::task(&task)?;
    if let Some(before) = ids.insert(task.id.clone(), line) {
        bail!("`{}` is the id of line {before} too", task.id);
    }
    Ok(task)
}

#[cfg(test)]
mod tests;
