//! Which files changed together in the last commits, read once for each commit that is checked out.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use foreword_engine::history::{CoChange, CoChangeConfig};
use foreword_load::{GitHistory, GitProblem, GitState, HistoryLimits, Workspace};

/// The changes of a repository's last commits, with those that were read last.
pub struct PastChanges {
    /// The directory of its index, in which commits are cached for other processes.
    index_dir: PathBuf,
    known: Mutex<Option<(GitState, Arc<KnownPast>)>>,
}

/// The changes up to one commit.
pub struct KnownPast {
    /// Files that change together.
    pub co_change: CoChange,
    /// Why the history is not read, or only in part.
    pub problem: Option<GitProblem>,
}

impl PastChanges {
    /// Nothing is read yet. `index_dir` is the directory of the repository's index.
    pub fn new(index_dir: &Path) -> Self {
        Self { index_dir: index_dir.to_owned(), known: Mutex::default() }
    }

    /// The changes up to the commit that is checked out now.
    pub fn read(&self, workspace: &Workspace) -> Arc<KnownPast> {
        let git = GitState::of(workspace);
        let lock = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let known = lock().clone();
        if let Some((_, past)) = known.filter(|it| it.0.has_commit_of(&git)) {
            return past;
        }
        // Without the lock, since the first reading takes up to a second.
        let limits = HistoryLimits::usual();
        let GitHistory { history, problem, is_cut } =
            foreword_load::history(workspace, Some(&self.index_dir), &limits);
        let co_change = CoChange::new(history, CoChangeConfig::measured());
        let past = Arc::new(KnownPast { co_change, problem });
        let is_whole = past.problem.is_none() && !is_cut;
        *lock() = is_whole.then(|| (git, Arc::clone(&past)));
        past
    }
}
