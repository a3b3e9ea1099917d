//! The cursor of a task over the task's code.

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::{Context as _, Result, ensure};
use foreword_engine::index::{CommitDiff, FileDiff, Snapshot};
use foreword_engine::scope::{Cursor, View};

use super::{CompletionSettings, Protocol, SessionUse};
use crate::tasks::corpora::{Code, Reader};
use crate::tasks::selection::ask_each;
use crate::tasks::session::{EditLocation, activity, text_before_hole, without_edits};
use crate::tasks::task::{SessionEdit, Task};

/// Reads the code of each task and calls `ask` with it.
pub fn each<T>(
    settings: &CompletionSettings,
    tasks: &[Task],
    mut ask: impl FnMut(&CodeView<'_>, &Task) -> Result<T>,
) -> Vec<Result<T, String>> {
    let mut reader = Reader::default();
    ask_each(tasks, |task| {
        let mut code = reader.read(&settings.corpora, task)?;
        let mut edits = task.session.as_slice();
        if settings.session != SessionUse::Told {
            code.session.clear();
            edits = &[];
        }
        let saved = match settings.session {
            SessionUse::Saved => Some(with_saved(&code.snapshot, task)?),
            SessionUse::Told | SessionUse::Untold => None,
        };
        let Code { snapshot, session, is_past } = &code;
        let snapshot = saved.as_ref().unwrap_or(snapshot.as_ref());
        ask(&CodeView { snapshot, session, edits, is_past: *is_past }, task)
    })
}

/// The snapshot after a task's session, with all edits saved and visible through their difference to the commit. The
/// last edit of a file is its time of writing.
fn with_saved(snapshot: &Snapshot, task: &Task) -> Result<Snapshot> {
    let target = task.target_file.as_deref().unwrap_or_default();
    let mut diff = CommitDiff::default();
    for it in &task.session {
        if diff.file(&it.path).is_some() {
            continue;
        }
        let text = match snapshot.file(&it.path).filter(|_| it.path != target) {
            Some(file) => snapshot.text(file).to_string(),
            None => text_before_hole(task)?,
        };
        let before = without_edits(&text, &it.path, &task.session)?;
        let committed = Some(before).filter(|it| !it.is_empty()).map(Into::into);
        diff.files.extend(FileDiff::new(it.path.clone(), committed, &text));
    }
    let copy = snapshot.with_packed(&BTreeMap::new()).context("cannot copy a snapshot")?;
    Ok(copy.with_diff(Arc::new(diff)))
}

/// The repository of a task.
#[derive(Clone, Copy)]
pub struct CodeView<'a> {
    /// Its files.
    pub snapshot: &'a Snapshot,
    /// Recent edits, newest first.
    pub session: &'a [EditLocation],
    /// Edits since the commit, newest first.
    pub edits: &'a [SessionEdit],
    /// Whether the cursor's file in it must be exactly prefix + suffix.
    pub is_past: bool,
}

impl<'a> CodeView<'a> {
    /// An editor's view at a cursor.
    pub fn view(&self, cursor: &Cursor) -> Result<View<'a>> {
        let view = View::new(self.snapshot, cursor);
        let view = view.context("cannot overlay the index with the text")?;
        Ok(view.with_activity(activity(self.edits, cursor.path())))
    }
}

/// Overlays a task's code, which must lack the hole, with the text of the cursor's file; calls `then` with both.
pub fn with_overlay<T>(
    protocol: Protocol,
    code: &CodeView<'_>,
    task: &Task,
    then: impl FnOnce(&View<'_>, &Cursor) -> Result<T>,
) -> Result<T> {
    ensure_hole_is_absent(code, task)?;
    let cursor = cursor_of(task, protocol, code.session)?;
    then(&code.view(&cursor)?, &cursor)
}

/// The cursor of a task.
pub fn cursor_of(task: &Task, protocol: Protocol, session: &[EditLocation]) -> Result<Cursor> {
    let path = task.target_file.clone().context("the task names no file")?;
    let prefix = task.prefix.as_deref().context("the task has no prefix")?;
    let suffix = match protocol {
        Protocol::FillIn => task.suffix.as_deref().unwrap_or_default(),
        Protocol::LeftToRight => "",
    };
    let mut recent: Vec<String> = Vec::new();
    for it in session {
        if it.path != path && !recent.contains(&it.path) {
            recent.push(it.path.clone());
        }
    }
    let text = format!("{prefix}{suffix}");
    Ok(Cursor::new(path, text, prefix.len())?.with_recent(recent))
}

/// Checks that the cursor's file of a past state contains neither the hole, nor the text typed around it, nor later
/// edits.
pub fn ensure_hole_is_absent(code: &CodeView<'_>, task: &Task) -> Result<()> {
    let path = task.target_file.as_deref().unwrap_or_default();
    let Some(file) = code.snapshot.file(path).filter(|_| code.is_past) else { return Ok(()) };
    let text = without_edits(&text_before_hole(task)?, path, &task.session)?;
    ensure!(
        *code.snapshot.text(file) == *text,
        "the parent commit's {path} is not prefix + suffix: the hole may be in the corpus"
    );
    Ok(())
}
