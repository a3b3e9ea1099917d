//! DevEval (Li et al. 2024; `data.jsonl`): a function by its lines in a file of `Source_Code/`, its requirement, and
//! the names that its body uses, by where they are defined. Prefix, suffix and truth come from the file
//! ([`super::hole`]). The data has the names of these definitions (`meta.dependency`), not their lines.
//!
//! The published body lines may begin before a docstring's end or be off by a few lines in another copy of the
//! repository: the error shows the file's lines there.

use anyhow::{Context as _, Result, ensure};

use super::format::{Format, FormatSpec, RowContext};
use super::row::JsonRow;
use crate::tasks::task::{Corpus, Meta, Position, Task};

pub(super) const FORMAT: FormatSpec = FormatSpec {
    format: Format::Deveval,
    telltale: &["namespace", "completion_path", "body_position"],
    fields: &[
        "namespace",
        "type",
        "project_path",
        "completion_path",
        "signature_position",
        "body_position",
        "dependency",
        "indent",
        "tests",
        "requirement",
    ],
    task,
};

fn task(row: JsonRow<'_>, _: &RowContext) -> Result<Task> {
    let project = row.text("project_path")?;
    let path = row.text("completion_path")?;
    let inside = path.strip_prefix(&project).and_then(|it| it.strip_prefix('/'));
    let inside = inside.context("field `completion_path` does not lie in `project_path`")?;
    let (start_line, end_line) = row.lines("body_position")?;
    ensure!(start_line >= 1, "field `body_position` counts lines from 1");
    let requirement = row.object("requirement")?;
    let parts =
        [requirement.optional_text("Functionality")?, requirement.optional_text("Arguments")?];
    let query: Vec<String> = parts.into_iter().flatten().collect();
    let kept = ["type", "dependency", "signature_position", "tests", "indent", "requirement"];
    Ok(Task {
        id: format!("deveval/{}", row.text("namespace")?),
        dataset: "deveval".into(),
        task: "completion".into(),
        repo: project.clone(),
        language: "python".into(),
        corpus: Corpus { kind: "dir".into(), path: Some(project), ..Corpus::default() },
        query_text: Some(query.join("\n")),
        target_file: Some(inside.to_owned()),
        position: Some(Position { start_line, end_line }),
        meta: Meta { other: row.kept(&kept), ..Meta::default() },
        ..Task::default()
    })
}
