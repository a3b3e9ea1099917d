//! The page that explains the prompt at a position.

use std::path::PathBuf;

use foreword_engine::scope::Cursor;

use super::super::workspaces::Workspaces;
use super::location::Location;
use crate::answer::explain::explain;

/// The position whose prompt is explained.
pub(in super::super) struct ContextPageTask {
    pub(in super::super) path: Option<PathBuf>,
    pub(in super::super) text: String,
    pub(in super::super) offset: usize,
    /// Files that were touched last, the latest first.
    pub(in super::super) recent: Vec<PathBuf>,
}

pub(super) fn render(workspaces: &Workspaces, task: ContextPageTask) -> anyhow::Result<String> {
    let ContextPageTask { path, text, offset, recent } = task;
    let location = Location::of(workspaces, path.as_ref());
    let view = location.view(&text)?;
    let recent = location.recent(&recent);
    let path = location.path.clone();
    let cursor = Cursor { path, text, offset, resume: offset, recent, ..Cursor::default() };
    explain(&view.situation(), &cursor, location.repository_name())
}
