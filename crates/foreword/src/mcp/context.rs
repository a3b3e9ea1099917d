//! The tool `context`: what to read before an edit.

use serde_json::json;

use super::arguments;
use super::page::{Answer, Item, Page};
use super::search::head;
use super::tools::Call;
use crate::answer::context::{Part, around_line, for_task};
use crate::usage::usage;

/// Of the budget, what the parts themselves may take; the rest is for the footer.
const FOR_PARTS: f32 = 0.9;

pub(super) fn answer(call: &Call<'_>, it: &arguments::Context) -> anyhow::Result<Answer> {
    let budget = arguments::budget(it.tokens, 4000);
    let tokens = (budget as f32 * FOR_PARTS) as usize;
    let count = |text: &str| call.counter.count(text);
    let snapshot = &call.view.snapshot;
    let (parts, nothing) = match (&it.task, &it.file) {
        (Some(task), None) => {
            let nothing = format!(
                "nothing matched: nothing in {} files has any of the words of \"{task}\"",
                snapshot.totals().files
            );
            (for_task(snapshot, task, tokens, &count)?, nothing)
        }
        (task, Some(file)) => {
            let (path, file) = call.file(file)?;
            let (_, lines) = snapshot.size(file);
            let line = it.line.map(|line| check_line(line, lines, &path)).transpose()?;
            let task = task.as_deref().unwrap_or_default();
            let parts = around_line(snapshot, (file, line), task, tokens, &count)?;
            (parts, format!("{path} is empty"))
        }
        (None, None) => {
            return Err(usage(
                "context: give task (in words), or file, with line where one is meant, or both",
            ));
        }
    };
    let mut page = Page::whole(parts.iter().map(item).collect());
    page.note = parts.is_empty().then_some(nothing);
    Ok(page.answer(call, budget))
}

fn check_line(line: usize, lines: u32, path: &str) -> anyhow::Result<u32> {
    match u32::try_from(line).ok().filter(|it| (1..=lines.max(1)).contains(it)) {
        Some(line) => Ok(line),
        None => Err(usage(format!("line {line}: {path} has {lines} lines"))),
    }
}

fn item(it: &Part) -> Item {
    let place = head(&it.path, it.start_line, it.end_line, &it.kind, &it.symbol);
    Item {
        head: format!("{}: {place}", it.role),
        body: it.text.clone(),
        row: json!({
            "role": it.role,
            "path": it.path,
            "start_line": it.start_line,
            "end_line": it.end_line,
            "kind": it.kind,
            "symbol": it.symbol,
            "why": it.why,
        }),
    }
}
