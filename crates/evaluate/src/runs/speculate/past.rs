//! The state so many commits before a task, and the plan of its file then.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context as _, Result};
use foreword_engine::history::{CoChange, CoChangeConfig};
use foreword_engine::index::Snapshot;
use foreword_engine::speculate::{Background, FilePlan, StaticPlanner};
use foreword_load::{HistoryLimits, history_at};

use crate::tasks::corpora::Corpora;
use crate::tasks::git::Git;
use crate::tasks::session::session;
use crate::tasks::task::Task;

/// How many commits of the history before are read.
const COMMITS: usize = 1500;

/// A repository as it was at each age.
#[derive(Default)]
pub(super) struct Past {
    place: PathBuf,
    /// By age: each keeps the snapshot that it read last.
    by_age: HashMap<usize, Git>,
}

impl Past {
    /// The state that plans are made from; `None` where the history begins later.
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

impl PastState {
    /// The static plan of a file, and how long it took to make, in milliseconds; `None` where the file was not there.
    pub(super) fn plan(
        &self,
        path: &str,
        planner: &StaticPlanner,
    ) -> Result<Option<(Arc<FilePlan>, f64)>> {
        let mut recently: Vec<String> = Vec::new();
        for it in session(&self.git_dir, &self.revision)? {
            if !recently.contains(&it.path) {
                recently.push(it.path);
            }
        }
        let limits = HistoryLimits { commits: COMMITS, trees: 1 << 20 };
        let history = history_at(&self.git_dir, &self.revision, &limits);
        let co_change = CoChange::new(history, CoChangeConfig::measured());
        let start = std::time::Instant::now();
        let background = Background { recently: &recently, co_change: &co_change };
        let plan = planner.plan(&self.snapshot, path, background);
        Ok(plan.map(|it| (Arc::new(it), start.elapsed().as_secs_f64() * 1e3)))
    }
}
