//! RepoBench v1.1 (Liu, Xu and McAuley 2024; published as Parquet, read here as JSON lines): `all_code` is the file
//! before the line, `context` the snippets of other files; `gold_snippet_index` is the one that the line uses first (−1
//! in the in-file part). The data has no repositories, so these snippets are the only corpus.

use anyhow::{Context as _, Result};
use serde_json::Value;

use super::format::{Format, FormatSpec, RowContext, language_of};
use super::row::JsonRow;
use crate::tasks::task::{Corpus, Meta, Relevant, Task};

pub(super) const FORMAT: FormatSpec = FormatSpec {
    format: Format::Repobench,
    telltale: &["repo_name", "file_path", "context", "next_line"],
    fields: &[
        "repo_name",
        "file_path",
        "context",
        "import_statement",
        "token_num",
        "cropped_code",
        "all_code",
        "next_line",
        "gold_snippet_index",
        "created_at",
        "level",
    ],
    task,
};

fn task(row: JsonRow<'_>, context: &RowContext) -> Result<Task> {
    let (repo, path) = (row.text("repo_name")?, row.text("file_path")?);
    let given = row.list("context")?;
    let mut prefix = row.text("all_code")?;
    if !prefix.is_empty() && !prefix.ends_with('\n') {
        prefix.push('\n');
    }
    let gold = row.optional_number("gold_snippet_index")?.unwrap_or(-1);
    let relevant = match usize::try_from(gold) {
        Err(_) => Vec::new(),
        Ok(idx) => {
            let snippet = given.get(idx).and_then(Value::as_object);
            let wrong = || format!("field `gold_snippet_index`: there is no snippet {gold}");
            vec![gold_of(JsonRow::new(snippet.with_context(wrong)?))?]
        }
    };
    let mut meta =
        Meta { other: row.kept(&["level", "created_at", "import_statement"]), ..Meta::default() };
    meta.other.insert("given".into(), given.to_vec().into());
    Ok(Task {
        // A file may have several lines, and rows have no id.
        id: format!("repobench/{}/{}", context.stem, context.row),
        dataset: "repobench".into(),
        task: "completion".into(),
        repo,
        language: language_of(&path),
        corpus: Corpus { kind: "none".into(), ..Corpus::default() },
        prefix: Some(prefix),
        target_file: Some(path),
        ground_truth: Some(row.text("next_line")?),
        relevant,
        meta,
        ..Task::default()
    })
}

fn gold_of(snippet: JsonRow<'_>) -> Result<Relevant> {
    Ok(Relevant {
        path: snippet.text("path")?,
        start_line: None,
        end_line: None,
        grade: Some(2),
        kind: snippet.optional_text("identifier")?.map(|it| format!("snippet:{it}")),
    })
}
