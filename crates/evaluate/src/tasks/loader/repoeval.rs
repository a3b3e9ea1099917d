//! RepoEval (Zhang et al. 2023; microsoft/CodeT, `RepoCoder/datasets/*.test.jsonl`): `prompt` is the target file from
//! line `metadata.context_start_lineno` to the hole, `metadata.line_no` the hole's first line (0-based; `lineno` in the
//! function set), `metadata.fpath_tuple` the file, below the repository's directory of `repositories/*.zip`.

use anyhow::{Context as _, Result, ensure};

use super::format::{Format, FormatSpec, RowContext};
use super::row::JsonRow;
use crate::tasks::task::{Corpus, Meta, Position, Task};

pub(super) const FORMAT: FormatSpec = FormatSpec {
    format: Format::Repoeval,
    telltale: &["prompt", "metadata"],
    fields: &["prompt", "metadata"],
    task,
};

fn task(row: JsonRow<'_>, _: &RowContext) -> Result<Task> {
    let metadata = row.object("metadata")?;
    let id = metadata.text("task_id")?;
    let directory = id.split('/').next().unwrap_or_default().to_owned();
    let mut path = metadata.texts("fpath_tuple")?;
    if path.first() == Some(&directory) {
        path.remove(0);
    }
    ensure!(!path.is_empty(), "field `fpath_tuple` is missing or empty");
    let from = metadata.optional_number("context_start_lineno")?.unwrap_or(0);
    let line = match metadata.optional_number("line_no")? {
        Some(line) => Some(line),
        None => metadata.optional_number("lineno")?,
    };
    let line = line.context("field `line_no` is missing")?;
    let truth = metadata.text("ground_truth")?;
    let start_line = u32::try_from(line + 1).context("field `line_no` is no line")?;
    let height = truth.trim_end_matches('\n').split('\n').count() as u32;
    let mut meta = Meta { other: metadata.kept(&["function_name"]), ..Meta::default() };
    // The row has at most the beginning of the file, and no text after the hole.
    meta.other.insert("cut".into(), true.into());
    meta.other.insert("context_start_lineno".into(), from.into());
    Ok(Task {
        id: format!("repoeval/{id}"),
        dataset: "repoeval".into(),
        task: "completion".into(),
        repo: directory.replacen('_', "/", 1),
        language: "python".into(),
        corpus: Corpus { kind: "dir".into(), path: Some(directory), ..Corpus::default() },
        prefix: Some(row.text("prompt")?),
        target_file: Some(path.join("/")),
        position: Some(Position { start_line, end_line: start_line + height - 1 }),
        ground_truth: Some(truth),
        meta,
        ..Task::default()
    })
}
