//! A repository in its current state, with its recent history.

use std::collections::BTreeSet;

use foreword_engine::history::{CoChange, CoChangeConfig, History};
use foreword_engine::index::{Snapshot, Store};
use foreword_engine::speculate::{Plans, Schedule, schedule};
use foreword_load::{HistoryLimits, Workspace, history};
use foreword_model::agents::Subject;

/// The snapshot and the history that plans are made from.
pub struct RepositoryState {
    /// The snapshot, with the difference to the last commit.
    pub snapshot: Snapshot,
    repository: String,
    history: History,
    together: CoChange,
    /// Files by recency: uncommitted ones, then the last committed.
    recently: Vec<String>,
}

impl RepositoryState {
    /// `snapshot` includes the difference to the last commit.
    pub fn new(workspace: &Workspace, store: &Store, snapshot: Snapshot) -> Self {
        let history = history(workspace, Some(store.dir()), &HistoryLimits::usual()).history;
        let together = CoChange::new(history.clone(), CoChangeConfig::measured());
        let recently = recently(&snapshot, &history);
        let repository = workspace.name.clone();
        Self { snapshot, repository, history, together, recently }
    }

    /// The input of the agents for one file.
    pub(super) fn subject<'s>(&'s self, path: &'s str) -> Subject<'s> {
        Subject {
            snapshot: &self.snapshot,
            repository: &self.repository,
            path,
            history: &self.history,
            together: &self.together,
        }
    }

    /// The files that need a plan, the likeliest to be edited first.
    pub(super) fn schedule(&self, plans: &Plans, most: usize) -> Schedule {
        schedule(&self.snapshot, plans, &self.recently, most)
    }
}

/// Files likely to be edited next: those that differ from the last commit, then those changed by the last commits.
fn recently(snapshot: &Snapshot, history: &History) -> Vec<String> {
    let edited = snapshot.files().map(|it| snapshot.path(it));
    let edited = edited.filter(|it| snapshot.diff().file(it).is_some());
    let committed = history.commits.iter().flat_map(|it| &it.files);
    let committed = committed.filter_map(|it| history.paths.get(*it as usize));
    let mut met = BTreeSet::new();
    let all = edited.chain(committed.map(String::as_str));
    all.filter(|it| met.insert(*it)).map(str::to_owned).collect()
}

/// The files of a snapshot that need a plan, the likeliest to be edited first.
pub fn schedule_of(
    workspace: &Workspace,
    store: &Store,
    snapshot: &Snapshot,
    (plans, most): (&Plans, usize),
) -> Schedule {
    let history = history(workspace, Some(store.dir()), &HistoryLimits::usual()).history;
    schedule(snapshot, plans, &recently(snapshot, &history), most)
}
