//! Answers from one repository of a cluster.

use std::sync::{Mutex, PoisonError};

use foreword_cluster::{Access, Branch, Cluster, ClusterError};
use foreword_engine::index::{IndexConfig, Snapshot};
use foreword_model::ask::{ReadElsewhere, SnapshotWork};

/// A branch of a repository, and what may be read.
#[derive(Clone, Copy)]
pub(crate) struct PushedBranch<'p> {
    pub(crate) cluster: &'p Cluster,
    pub(crate) access: &'p Access,
    pub(crate) repository: &'p str,
    /// Without, the only one, `main` or `master`.
    pub(crate) branch: Option<&'p str>,
}

/// Does work over a snapshot that is made of a pushed one.
pub(crate) type BranchWork<'o> =
    &'o (dyn Fn(&Snapshot, SnapshotWork<'_>) -> anyhow::Result<()> + Sync);

impl PushedBranch<'_> {
    /// Does some work over the branch until nothing that it asks for is missing; `show` makes the answer of the last result.
    pub(crate) fn answer<T, R>(
        &self,
        work: impl Fn(&Snapshot) -> anyhow::Result<T>,
        show: impl Fn(&Branch<'_>, T) -> R,
    ) -> anyhow::Result<R> {
        self.attempt(|mut branch| {
            let found = branch.answer(&work)??;
            let res = show(&branch, found);
            branch.release();
            Ok(res)
        })
    }

    /// Like [`Self::answer`]; `then` may read on.
    pub(crate) fn answer_and_read<T, R>(
        &self,
        work: impl Fn(&Snapshot) -> anyhow::Result<T>,
        over: BranchWork<'_>,
        then: impl Fn(T, ReadElsewhere<'_>) -> anyhow::Result<R>,
    ) -> anyhow::Result<R> {
        self.attempt(|mut branch| {
            let found = branch.answer(&work)??;
            let branch = Mutex::new(branch);
            let res = then(found, &|work| read_on(&branch, over, work))?;
            branch.into_inner().into_iter().for_each(Branch::release);
            Ok(res)
        })
    }

    fn attempt<R>(&self, answer: impl Fn(Branch<'_>) -> anyhow::Result<R>) -> anyhow::Result<R> {
        let &Self { cluster, access, repository, branch } = self;
        let open = || cluster.open_allowed(repository, branch, access, IndexConfig::default());
        // A push that replaced the branch may have removed what the answer began with.
        open().map_err(Into::into).and_then(&answer).or_else(|it: anyhow::Error| {
            match it.downcast_ref() {
                Some(ClusterError::Missing { .. }) => answer(open()?),
                _ => Err(it),
            }
        })
    }
}

/// Does some work over a branch until nothing that it asks for is missing. It is done on a thread of its own: the caller may be
/// a part of what another runtime waits for, and the cluster's must not be waited for there.
pub(crate) fn read_on(
    branch: &Mutex<Branch<'_>>,
    over: BranchWork<'_>,
    work: SnapshotWork<'_>,
) -> Result<(), String> {
    let read = move || {
        let mut branch = branch.lock().unwrap_or_else(PoisonError::into_inner);
        branch.answer(|snapshot| over(snapshot, &mut *work))?
    };
    let done = std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().spawn_scoped(scope, read)?;
        thread.join().unwrap_or_else(|_| Err(anyhow::anyhow!("a thread failed")))
    });
    done.map_err(|it| format!("{it:#}"))
}
