//! The context collection competition of 2025 (JetBrains and Mistral, ASE 2025): `{language}-{stage}.jsonl` holds a
//! cursor in a file per row, and a zip archive per row holds the repository before the commit.
//! `answers-{language}-{stage}.jsonl` holds the middles where they are known; a task without one can be submitted but
//! not measured.

use std::path::Path;

use anyhow::{Context as _, Result};

use super::format::{Format, FormatSpec, RowContext, language_of};
use super::row::{JsonRow, fields};
use crate::tasks::task::{Corpus, Meta, Task};

pub(super) const FORMAT: FormatSpec = FormatSpec {
    format: Format::Competition,
    telltale: &["repo", "revision", "path", "prefix"],
    fields: &[
        "id",
        "repo",
        "revision",
        "path",
        "modified",
        "modified_files",
        "prefix",
        "suffix",
        "archive",
        "middle",
    ],
    task,
};

/// The middles from the answers file beside the rows; empty without such a file.
pub(super) fn answers(rows: &Path) -> Result<Vec<String>> {
    let name = rows.file_name().unwrap_or_default().to_string_lossy();
    let path = rows.with_file_name(format!("answers-{name}"));
    if !path.exists() {
        return Ok(Vec::new());
    }
    let text = std::fs::read_to_string(&path)?;
    let middle = |(line, text): (usize, &str)| {
        let middle = fields(text).and_then(|it| JsonRow::new(&it).text("middle"));
        middle.with_context(|| format!("{}:{line}", path.display()))
    };
    super::rows::of(&text).into_iter().map(middle).collect()
}

fn task(row: JsonRow<'_>, context: &RowContext) -> Result<Task> {
    let (repo, revision, path) = (row.text("repo")?, row.text("revision")?, row.text("path")?);
    let unpacked = format!("{}-{revision}.zip", repo.replace('/', "__"));
    let truth = match row.optional_text("middle")? {
        Some(middle) => Some(middle),
        None if context.answers.is_empty() => None,
        None => {
            let answer = context.answers.get(context.row);
            Some(answer.context("the file of answers has fewer lines")?.clone())
        }
    };
    let mut meta = Meta { other: row.kept(&["modified", "modified_files"]), ..Meta::default() };
    // The archive has the file before the commit: an older text than prefix and suffix.
    meta.other.insert("older".into(), true.into());
    let number =
        row.optional_text("id")?.unwrap_or_else(|| format!("{}/{}", context.stem, context.row));
    Ok(Task {
        id: format!("competition/{number}"),
        dataset: "competition".into(),
        task: "completion".into(),
        repo,
        language: language_of(&path),
        corpus: Corpus {
            kind: "archive".into(),
            rev: Some(revision),
            path: Some(row.optional_text("archive")?.unwrap_or(unpacked)),
            ..Corpus::default()
        },
        prefix: Some(row.text("prefix")?),
        suffix: Some(row.optional_text("suffix")?.unwrap_or_default()),
        target_file: Some(path),
        ground_truth: truth,
        meta,
        ..Task::default()
    })
}
