//! The tool `context`: what to read before an edit.

use serde_json::json;

use super::arguments::{self, ContextArguments};
use super::page::{Entry, Page, ToolAnswer, heading};
use super::target::{Target, check_line};
use crate::answer::reading_list::{Part, around_line, for_task};
use crate::usage::usage;

/// The share of the budget that the parts may take; the rest is for the footer.
const PARTS: f32 = 0.9;

pub(super) fn answer(
    target: &Target<'_>,
    arguments: &ContextArguments,
) -> anyhow::Result<ToolAnswer> {
    let budget = arguments::budget(arguments.tokens, 4000);
    let tokens = (budget as f32 * PARTS) as usize;
    let (parts, nothing) = parts(target, arguments, tokens)?;
    let mut page = Page::whole(parts.iter().map(entry).collect());
    page.note = parts.is_empty().then_some(nothing);
    Ok(page.answer(target, budget))
}

/// The parts to read, and what to say when there are none.
fn parts(
    target: &Target<'_>,
    arguments: &ContextArguments,
    tokens: usize,
) -> anyhow::Result<(Vec<Part>, String)> {
    let count = |text: &str| target.counter.count(text);
    let snapshot = &target.view.snapshot;
    match (&arguments.task, &arguments.file) {
        (Some(task), None) => {
            let nothing = format!(
                "nothing matched: nothing in {} files has any of the words of \"{task}\"",
                snapshot.totals().files
            );
            Ok((for_task(snapshot, task, tokens, &count)?, nothing))
        }
        (task, Some(file)) => {
            let (path, file) = target.file(file)?;
            let (_, lines) = snapshot.size(file);
            let line = arguments.line.map(|line| check_line("line", line, lines, &path));
            let line = line.transpose()?;
            let task = task.as_deref().unwrap_or_default();
            let parts = around_line(snapshot, (file, line), task, tokens, &count)?;
            Ok((parts, format!("{path} is empty")))
        }
        (None, None) => Err(usage(
            "context: give task (in words), or file, with line where one is meant, or both",
        )),
    }
}

fn entry(it: &Part) -> Entry {
    let location = heading(&it.path, it.start_line, it.end_line, &it.kind, &it.symbol);
    Entry {
        heading: format!("{}: {location}", it.role.name()),
        body: it.text.clone(),
        fields: json!({
            "role": it.role.name(),
            "path": it.path,
            "start_line": it.start_line,
            "end_line": it.end_line,
            "kind": it.kind,
            "symbol": it.symbol,
            "why": it.why,
        }),
    }
}
