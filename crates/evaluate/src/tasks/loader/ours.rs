//! Our own format: one [`Task`] per line, with the fields of [`crate::tasks::task`].

use anyhow::{Context as _, Result};
use serde_json::Value;

use super::format::{Format, FormatSpec, RowContext};
use super::row::JsonRow;
use crate::tasks::task::Task;

pub(super) const FORMAT: FormatSpec = FormatSpec {
    format: Format::Ours,
    telltale: &["id", "task", "corpus"],
    fields: &[
        "id",
        "dataset",
        "task",
        "repo",
        "language",
        "corpus",
        "query_text",
        "prefix",
        "suffix",
        "target_file",
        "position",
        "ground_truth",
        "relevant",
        "exclude",
        "session",
        "meta",
    ],
    task,
};

fn task(row: JsonRow<'_>, _: &RowContext) -> Result<Task> {
    serde_json::from_value(Value::Object(row.fields.clone())).context("no task")
}
