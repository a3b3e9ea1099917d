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
}

pub(super) fn render(workspaces: &Workspaces, task: ContextPageTask) -> anyhow::Result<String> {
    let ContextPageTask { path, text, offset } = task;
    let location = Location::of(workspaces, path.as_ref())?;
    let (text, offset) = location.analysable(&text, offset);
    let preset = workspaces.completer().preset();
    let cursor = location.cursor(text, offset)?;
    location.answer(&cursor, |view, source| {
        let (cursor, activity) = location.elsewhere(view).at(cursor.clone());
        let view = view.engine_view().with_activity(activity);
        explain(view, &cursor, (location.repository_name(), source), preset)
    })
}
