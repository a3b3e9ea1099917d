//! The state of a repository some commits before a task.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context as _, Result};
use foreword_engine::index::Snapshot;

use crate::tasks::corpora::Corpora;
use crate::tasks::git::Git;
use crate::tasks::task::Task;

/// A repository at several ages.
#[derive(Default)]
pub(super) struct Past {
    place: PathBuf,
    /// Readers by age; each keeps its last snapshot.
    by_age: HashMap<usize, Git>,
}

impl Past {
    /// The state `age` commits before the task; `None` if the history is shorter.
    pub(super) fn state(
        &mut self,
        corpora: &Corpora,
        task: &Task,
        age: usize,
    ) -> Result<Option<PastState>> {
        let place = corpora.place(task)?;
        if place != self.place {
            *self = Self { place, by_age: HashMap::new() };
        }
        let revision = task.corpus.rev.as_deref().context("the task names no commit")?;
        if !self.by_age.contains_key(&age) {
            self.by_age.insert(age, Git::open(&self.place)?);
        }
        let git = self.by_age.get_mut(&age).context("it was just opened")?;
        let Some(revision) = git.earlier(revision, age)? else { return Ok(None) };
        let snapshot = git.snapshot(&revision)?;
        Ok(Some(PastState { snapshot, git_dir: self.place.clone(), revision }))
    }
}

/// A repository before a task's commit.
pub(super) struct PastState {
    pub(super) snapshot: Arc<Snapshot>,
    pub(super) git_dir: PathBuf,
    pub(super) revision: String,
}
