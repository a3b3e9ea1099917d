//! Answers from one repository of a cluster.

use foreword_cluster::{Access, Branch, Cluster, ClusterError};
use foreword_engine::index::{IndexConfig, Snapshot};

/// A branch of a repository, and what may be read.
#[derive(Clone, Copy)]
pub(crate) struct PushedBranch<'p> {
    pub(crate) cluster: &'p Cluster,
    pub(crate) access: &'p Access,
    pub(crate) repository: &'p str,
    /// Without, the only one, `main` or `master`.
    pub(crate) branch: Option<&'p str>,
}

impl PushedBranch<'_> {
    /// Does some work over the branch until nothing that it asks for is missing; `show` makes the answer of the last result.
    pub(crate) fn answer<T, R>(
        &self,
        work: impl Fn(&Snapshot) -> anyhow::Result<T>,
        show: impl Fn(&Branch<'_>, T) -> R,
    ) -> anyhow::Result<R> {
        let &Self { cluster, access, repository, branch } = self;
        let attempt = || {
            let config = IndexConfig::default();
            let mut branch = cluster.open_allowed(repository, branch, access, config)?;
            let found = branch.answer(&work)??;
            let res = show(&branch, found);
            branch.release();
            Ok(res)
        };
        // A push that replaced the branch may have removed what the answer began with.
        attempt().or_else(|it: anyhow::Error| match it.downcast_ref() {
            Some(ClusterError::Missing { .. }) => attempt(),
            _ => Err(it),
        })
    }
}
