//! The state of a repository that a plan is made from: that of a task, or some commits earlier.
//!
//! A removed function is missing from the task's edits and its exclusions, not from its commit. So the state is read as
//! every other run reads it ([`Reader`]), and an older commit, which still has the function, is refused.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context as _, Result, ensure};
use foreword_engine::index::Snapshot;

use crate::runs::completion::cursor::{CodeView, ensure_hole_is_absent};
use crate::tasks::corpora::{Corpora, Reader};
use crate::tasks::git::earlier;
use crate::tasks::task::Task;

/// A repository at several ages.
#[derive(Default)]
pub(super) struct Past {
    /// Readers by age; each keeps its last snapshot.
    by_age: HashMap<usize, Reader>,
}

impl Past {
    /// The state `age` commits before the task; `None` if the history is shorter.
    pub(super) fn state(
        &mut self,
        corpora: &Corpora,
        task: &Task,
        age: usize,
    ) -> Result<Option<PastState>> {
        let git_dir = corpora.place(task)?;
        let revision = task.corpus.rev.as_deref().context("the task names no commit")?;
        let Some(revision) = earlier(&git_dir, revision, age)? else { return Ok(None) };
        let past = before_session(task, &revision, age)?;
        let snapshot = self.by_age.entry(age).or_default().snapshot(corpora, &past)?;
        if age == 0 {
            let code = CodeView { snapshot: &snapshot, session: &[], edits: &[], is_past: true };
            ensure_hole_is_absent(&code, task)?;
        }
        Ok(Some(PastState { snapshot, git_dir, revision }))
    }
}

/// The task at a revision, before the edits of its session: a plan is older than they are.
fn before_session(task: &Task, revision: &str, age: usize) -> Result<Task> {
    let mut res = task.clone();
    res.corpus.rev = Some(revision.to_owned());
    if !task.session.is_empty() {
        (res.corpus.edits, res.session) = (Vec::new(), Vec::new());
    }
    let is_removed = !res.corpus.edits.is_empty() || !res.exclude.is_empty();
    ensure!(age == 0 || !is_removed, "an older commit has what the task removes; use --ages 0");
    Ok(res)
}

/// A repository as a planner sees it.
pub(super) struct PastState {
    pub(super) snapshot: Arc<Snapshot>,
    pub(super) git_dir: PathBuf,
    pub(super) revision: String,
}
