//! REPOCOD (Liang et al. 2025; rows of the data set): a complete function, and its head and docstring as `prompt`. The
//! file is `downloaded_repos/REPOSITORY/target_module_path`; the hole is the function below its head ([`super::hole`]).

use anyhow::{Result, ensure};

use super::format::{Format, FormatSpec, RowContext};
use super::row::JsonRow;
use crate::tasks::task::{Corpus, Meta, Task};

pub(super) const FORMAT: FormatSpec = FormatSpec {
    format: Format::Repocod,
    telltale: &["repo_id", "target_module_path", "full_function"],
    fields: &[
        "repository",
        "repo_id",
        "target_module_path",
        "prompt",
        "relavent_test_path",
        "relevant_test_path",
        "full_function",
        "function_name",
    ],
    task,
};

fn task(row: JsonRow<'_>, _: &RowContext) -> Result<Task> {
    let repository = row.text("repository")?;
    let (full, head) = (row.text("full_function")?, row.text("prompt")?);
    ensure!(
        full.trim_end().len() > head.trim_end().len(),
        "empty ground truth: the function is all prompt"
    );
    let number = row.optional_number("repo_id")?.unwrap_or_default();
    let mut meta = Meta { other: row.kept(&["function_name"]), ..Meta::default() };
    meta.other.insert("full_function".into(), full.into());
    meta.other.insert("head".into(), head.clone().into());
    meta.other.insert("cut".into(), true.into());
    Ok(Task {
        id: format!("repocod/{repository}/{number}"),
        dataset: "repocod".into(),
        task: "completion".into(),
        repo: repository.clone(),
        language: "python".into(),
        corpus: Corpus { kind: "dir".into(), path: Some(repository), ..Corpus::default() },
        query_text: Some(head.clone()),
        prefix: Some(head),
        target_file: Some(row.text("target_module_path")?),
        meta,
        ..Task::default()
    })
}
