//! `workspace/executeCommand` with `foreword.nextEdits`: likely next edits.

use std::path::PathBuf;

use anyhow::Context as _;
use foreword_session::answer::next::{LikelyPlace, PlaceQuery, likely};
use serde_json::{Value, json};

use crate::lsp::workspaces::Workspaces;

/// The command; its arguments are a URI and a position.
pub(in crate::lsp) const NEXT_COMMAND: &str = "foreword.nextEdits";

/// Maximum places, as on the command line.
const MAX_PLACES: usize = 10;

/// A cursor.
pub(in crate::lsp) struct NextEditsTask {
    pub(in crate::lsp) path: PathBuf,
    /// 1-based.
    pub(in crate::lsp) line: u32,
}

/// The places, likeliest first: each a location with a message, like a diagnostic's related information, and further
/// data for programs.
pub(super) fn find(workspaces: &Workspaces, task: &NextEditsTask) -> anyhow::Result<Value> {
    let found = workspaces.of_file(&task.path);
    let (repository, path) = found.context("the file is in no open folder")?;
    let view = repository.view(None)?;
    let wanted = PlaceQuery { cursor: Some((&path, task.line)), limit: MAX_PLACES, least: None };
    let workspace = repository.workspace();
    let index_dir = repository.store().workspace_dir();
    let found = likely(&view.snapshot, workspace, index_dir, &wanted);
    let place = |it: &LikelyPlace| {
        let at = |line: u32| json!({ "line": line, "character": 0 });
        let reasons: Vec<&str> = it.reasons.iter().map(|it| it.text.as_str()).collect();
        json!({
            "location": {
                "uri": foreword_session::uri::of_path(&workspace.root.join(&it.path)),
                // Ends at the start of the next line.
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
