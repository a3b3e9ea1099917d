//! `workspace/executeCommand` with `foreword.nextEdits`: the places where the next edit is likely.

use std::path::PathBuf;

use anyhow::Context as _;
use serde_json::{Value, json};

use crate::answer::next::{LikelyPlace, Wanted, likely};
use crate::lsp::workspaces::Workspaces;

/// The command, which wants a URI and a position.
pub(in crate::lsp) const NEXT_COMMAND: &str = "foreword.nextEdits";

/// The most places: as many as the command line tells.
const PLACES: usize = 10;

/// A cursor.
pub(in crate::lsp) struct NextEditsTask {
    pub(in crate::lsp) path: PathBuf,
    /// 1-based.
    pub(in crate::lsp) line: u32,
}

/// The places, the likeliest first: each a location with a message, as a diagnostic's related information, and what a
/// program wants to know beside.
pub(super) fn find(workspaces: &Workspaces, task: &NextEditsTask) -> anyhow::Result<Value> {
    let found = workspaces.of_file(&task.path);
    let (repository, path) = found.context("the file is in no folder that is open")?;
    let view = repository.view(None)?;
    let wanted = Wanted { cursor: Some((&path, task.line)), limit: PLACES, least: None };
    let workspace = repository.workspace();
    let index_dir = repository.store().workspace_dir();
    let found = likely(&view.snapshot, workspace, index_dir, &wanted);
    let place = |it: &LikelyPlace| {
        let at = |line: u32| json!({ "line": line, "character": 0 });
        let reasons: Vec<&str> = it.reasons.iter().map(|it| it.text.as_str()).collect();
        json!({
            "location": {
                "uri": crate::uri::of_path(&workspace.root.join(&it.path)),
                // The end of the last line is the beginning of the one after it.
                "range": { "start": at(it.start_line - 1), "end": at(it.end_line) },
            },
            "message": reasons.first().copied().unwrap_or_default(),
            "path": it.path,
            "symbol": it.symbol,
            "text": it.text,
            "confidence": it.confidence,
            "reasons": reasons,
        })
    };
    Ok(found.places.iter().map(place).collect::<Vec<Value>>().into())
}
