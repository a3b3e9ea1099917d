//! CrossCodeEval (Ding et al. 2023; amazon-science/cceval, `line_completion*.jsonl`): `prompt` is the file before the
//! cursor, `right_context` the text after the line, `crossfile_context.list` the chunks that the authors retrieved. The
//! data has no repositories, so there is no corpus.

use anyhow::Result;

use super::format::{Format, FormatSpec, RowContext, language_of};
use super::row::JsonRow;
use crate::tasks::task::{Corpus, Meta, Task};

pub(super) const FORMAT: FormatSpec = FormatSpec {
    format: Format::Crosscodeeval,
    telltale: &["prompt", "groundtruth", "metadata"],
    fields: &["prompt", "groundtruth", "right_context", "metadata", "crossfile_context"],
    task,
};

fn task(row: JsonRow<'_>, _: &RowContext) -> Result<Task> {
    let metadata = row.object("metadata")?;
    let file = metadata.text("file")?;
    let mut meta = Meta::default();
    let from = metadata.optional_number("context_start_lineno")?;
    meta.other.insert("cut".into(), (from != Some(0)).into());
    if let Ok(given) = row.object("crossfile_context") {
        meta.other.insert("retrieved".into(), given.list("list")?.to_vec().into());
    }
    Ok(Task {
        id: format!("crosscodeeval/{}", metadata.text("task_id")?),
        dataset: "crosscodeeval".into(),
        task: "completion".into(),
        repo: metadata.text("repository")?,
        language: language_of(&file),
        corpus: Corpus { kind: "none".into(), ..Corpus::default() },
        prefix: Some(row.text("prompt")?),
        suffix: row.optional_text("right_context")?,
        target_file: Some(file),
        ground_truth: Some(row.text("groundtruth")?),
        meta,
        ..Task::default()
    })
}
