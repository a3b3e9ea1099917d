//! The page that explains the prompt at a position.

use std::path::PathBuf;
use std::sync::Arc;

use foreword_session::answer::explain::explain;

use super::location::Location;
use crate::lsp::workspaces::Workspaces;

/// A position to explain.
pub(in crate::lsp) struct ContextPageTask {
    pub(in crate::lsp) path: Option<PathBuf>,
    pub(in crate::lsp) text: Arc<str>,
    pub(in crate::lsp) offset: usize,
    /// Recent files, latest first.
    pub(in crate::lsp) recent: Vec<PathBuf>,
}

pub(super) fn render(workspaces: &Workspaces, task: ContextPageTask) -> anyhow::Result<String> {
    let ContextPageTask { path, text, offset, recent } = task;
    let location = Location::of(workspaces, path.as_ref())?;
    let (text, offset) = location.analysable(&text, offset);
    let view = location.view(text)?;
    let recent = location.recent(&recent);
    let cursor = location.cursor(text, offset)?.with_recent(recent);
    let preset = workspaces.completer().preset();
    explain(view.engine_view(), &cursor, location.repository_name(), preset)
}
