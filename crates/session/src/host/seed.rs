//! Answers of a clone from the cluster of the user's configuration, while its first index is built: those of the branch as it
//! was pushed, with what differs on disk.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use foreword_cluster::{Branch, Cluster, ClusterError};
use foreword_engine::index::{CommitDiff, Snapshot};
use foreword_load::{WorkingCopy, Workspace};

use crate::seed::{ClusterSettings, FirstIndex, PATIENCE, is_fault, open_branch};
use crate::setup::Setup;

/// Bytes of a branch that are kept for the next question.
const MOST_KEPT: usize = 64 << 20;

/// A cluster that may have the repository.
pub(super) struct SeedCluster {
    settings: ClusterSettings,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    cluster: Option<Arc<Cluster>>,
    /// It cannot answer; nobody waits for it again.
    is_given_up: bool,
    copy: Option<KnownCopy>,
}

/// What differs on disk from a state of a branch.
#[derive(Clone)]
struct KnownCopy {
    /// The snapshot of the branch.
    pushed: String,
    read_at: Instant,
    copy: Arc<WorkingCopy>,
}

/// A clone and its settings.
type CloneSetup<'c> = (&'c Workspace, &'c Setup);

/// Work over what the cluster has, with what differs on disk; called until nothing is missing.
type Work<'w, T> = &'w dyn Fn(Snapshot) -> anyhow::Result<T>;

impl SeedCluster {
    /// The cluster of the settings, for a workspace without an index. Revisions are answered from git, and meanings are
    /// not pushed.
    pub(super) fn new(workspace: &Workspace, setup: &Setup) -> Option<Self> {
        let settings = setup.cluster.clone()?;
        if setup.embedder.is_some() || workspace.revision.is_some() {
            return None;
        }
        let store = setup.store(workspace).ok()?;
        FirstIndex::of(workspace, &store)?;
        Some(Self { settings, state: Mutex::default() })
    }

    /// The result of some work, with the files on disk as they were at most `copy_holds` ago; `None` if the cluster cannot
    /// answer, or if the work fails.
    pub(super) fn answer<T>(
        &self,
        of: CloneSetup<'_>,
        copy_holds: Duration,
        work: Work<'_, T>,
    ) -> Option<T> {
        let start = Instant::now();
        let attempt = || self.attempt(of, (start + PATIENCE, copy_holds), work);
        // A push that replaced the branch may have removed what the answer began with.
        let answered = attempt().or_else(|it| match it.downcast_ref() {
            Some(ClusterError::Missing { .. }) => attempt(),
            _ => Err(it),
        });
        let root = of.0.root.display();
        match answered {
            Ok(answer) => answer
                .inspect_err(|error| tracing::debug!("{root}: not from the cluster: {error:#}"))
                .ok(),
            Err(error) => {
                match is_fault(&error) {
                    true => tracing::warn!("{root}: the index is waited for: {error:#}"),
                    false => tracing::info!("{root}: the cluster cannot answer: {error:#}"),
                }
                self.lock().is_given_up = true;
                None
            }
        }
    }

    /// The outer error is the cluster's or the clone's, the inner one that of the work.
    fn attempt<T>(
        &self,
        (workspace, setup): CloneSetup<'_>,
        (deadline, copy_holds): (Instant, Duration),
        work: Work<'_, T>,
    ) -> anyhow::Result<anyhow::Result<T>> {
        let cluster = self.connected(deadline)?.until(deadline);
        let mut branch = open_branch(&cluster, &workspace.full_name(), (workspace, None))?;
        let copy = self.copy((workspace, setup), &branch, copy_holds)?;
        let mut diff: Option<Arc<CommitDiff>> = None;
        let answered = branch.answer(|snapshot| {
            let here = snapshot.with_packed(&copy.different)?;
            let since_commit = diff.take().unwrap_or_else(|| {
                Arc::new(foreword_load::commit_diff(workspace, &copy.files, &here))
            });
            // Once it has all texts that it compares, it stays.
            diff = (!here.is_preliminary()).then(|| Arc::clone(&since_commit));
            work(here.with_diff(since_commit))
        });
        branch.release();
        Ok(answered?)
    }

    /// The cluster; connects for the first answer.
    fn connected(&self, deadline: Instant) -> anyhow::Result<Arc<Cluster>> {
        let mut state = self.lock();
        if state.is_given_up {
            anyhow::bail!("it could not answer before");
        }
        if let Some(it) = &state.cluster {
            return Ok(Arc::clone(it));
        }
        // Others wait here, too: there is one address.
        let connected = self.settings.connect(Some(deadline));
        state.is_given_up = connected.is_err();
        let cluster = Arc::new(connected?.without_deadline().keeping(MOST_KEPT));
        state.cluster = Some(Arc::clone(&cluster));
        Ok(cluster)
    }

    fn copy(
        &self,
        (workspace, setup): CloneSetup<'_>,
        branch: &Branch<'_>,
        holds: Duration,
    ) -> anyhow::Result<Arc<WorkingCopy>> {
        let pushed = branch.snapshot().id();
        let known = self.lock().copy.clone();
        let is_known = |it: &KnownCopy| it.pushed == pushed && it.read_at.elapsed() < holds;
        if let Some(it) = known.filter(is_known) {
            return Ok(it.copy);
        }
        let read_at = Instant::now();
        let copy = WorkingCopy::read(workspace, &setup.walk, &setup.limits, branch.snapshot())?;
        let it = KnownCopy { pushed: pushed.to_owned(), read_at, copy: Arc::new(copy) };
        self.lock().copy = Some(it.clone());
        Ok(it.copy)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
