//! The cluster of the user's configuration, which answers for a clone while its first index is built (docs/scale.md).

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use foreword_cluster::{Branch, Cluster, ClusterError, ClusterKey, READ_PATIENCE};
use foreword_engine::index::{IndexConfig, Store};
use foreword_load::Workspace;

use crate::usage::usage;

/// Longest wait for the cluster: then answers come from the index, as they do without a cluster.
pub const PATIENCE: Duration = Duration::from_secs(5);

/// An index on a cluster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClusterSettings {
    /// Address of the OpenSearch.
    pub url: String,
    /// Name of foreword's index there.
    pub index: String,
    /// File with the key of its repositories; `None` for the one that `FOREWORD_CLUSTER_KEY` names, if any.
    pub key: Option<PathBuf>,
    /// Longest wait for one answer; `None` for the usual one.
    pub timeout: Option<Duration>,
}

impl ClusterSettings {
    /// Connects; answers, the first one included, must be there at `deadline`. A user with password comes from
    /// `FOREWORD_CLUSTER_USER` and `FOREWORD_CLUSTER_PASSWORD`.
    pub fn connect(&self, deadline: Option<Instant>) -> anyhow::Result<Cluster> {
        let variable = |name: &str| std::env::var(name).ok().filter(|it| !it.is_empty());
        let password = variable("FOREWORD_CLUSTER_PASSWORD").unwrap_or_default();
        let user = variable("FOREWORD_CLUSTER_USER").map(|it| (it, password));
        // Before the cluster is asked: what cannot be read must not turn into a push in the clear.
        let file = self.key.clone().or_else(|| variable("FOREWORD_CLUSTER_KEY").map(PathBuf::from));
        let key = file.map(|it| key_of(&it)).transpose()?;
        let limits = (deadline, self.timeout.unwrap_or(READ_PATIENCE));
        let cluster = Cluster::connect_until(&self.url, &self.index, user, limits)?;
        Ok(match key {
            Some(it) => cluster.with_key(it),
            None => cluster,
        })
    }
}

/// The key whose secret a file has.
fn key_of(file: &Path) -> anyhow::Result<ClusterKey> {
    let secret = std::fs::read(file)
        .map_err(|it| usage(format!("{}: cannot read the cluster's key: {it}", file.display())))?;
    ClusterKey::of_secret(&secret).map_err(|it| usage(format!("{}: {it}", file.display())))
}

/// The state of an index that is not complete yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FirstIndex {
    /// There is none, and nobody makes one.
    NotBegun,
    /// A process makes it.
    GoesOn,
}

impl FirstIndex {
    /// The state of the workspace's index; `None` if an earlier one can be brought up to date.
    pub fn of(workspace: &Workspace, store: &Store) -> Option<Self> {
        let has_view = store.has_view(&workspace.view_key());
        let is_written = matches!(store.try_write(), Ok(None));
        let is_complete = || {
            let stored = foreword_load::open_as_is(workspace, store);
            stored.is_some_and(|it| it.manifest.complete)
        };
        match (has_view, is_written) {
            (false, false) => Some(Self::NotBegun),
            (_, true) if !is_complete() => Some(Self::GoesOn),
            _ => None,
        }
    }
}

/// Opens a branch of a clone's repository: the one that is named, else the checked-out one if it is there, else the usual one.
pub fn open_branch<'c>(
    cluster: &'c Cluster,
    repository: &str,
    (workspace, named): (&Workspace, Option<&str>),
) -> Result<Branch<'c>, ClusterError> {
    let open = |name: Option<&str>| cluster.open(repository, name, IndexConfig::default());
    let checked_out = workspace.git.as_ref().and_then(|it| it.branch.as_deref());
    match (named, checked_out) {
        (None, Some(name)) => match open(Some(name)) {
            Err(ClusterError::NoBranch { .. }) => open(None),
            res => res,
        },
        (name, _) => open(name),
    }
}

/// True for faults of the cluster or its settings; a clone that was not pushed and a question that needs its files are none.
pub fn is_fault(error: &anyhow::Error) -> bool {
    use ClusterError::{NoBranch, NoRepository, Unanswerable};
    let of_cluster = error.downcast_ref::<ClusterError>();
    of_cluster.is_some_and(|it| {
        !matches!(it, NoBranch { .. } | NoRepository { .. } | Unanswerable { .. })
    })
}
