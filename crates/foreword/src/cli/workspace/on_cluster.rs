//! Answers from a cluster with many repositories instead of an index of one's own (docs/scale.md).

use std::path::{Path, PathBuf};
use std::time::Instant;

use foreword_cluster::{Branch, Cluster, ClusterError};
use foreword_engine::index::{IndexConfig, Snapshot};
use foreword_load::{WorkingCopy, WorkingCopyError, Workspace};

use super::{OpenWorkspace, discover, store};
use crate::cli::args::ClusterArgs;
use crate::cli::config::Settings;
use crate::cli::push::{connect, repositories};
use crate::cli::{output, usage};

/// Answers from a branch on the cluster of the arguments: with `--repository` as it was pushed, otherwise for the clone
/// around `path` or the working directory with what differs there. `make` is called until nothing is missing.
pub(in crate::cli) fn answer_on_cluster<T>(
    settings: &Settings,
    at: &ClusterArgs,
    path: Option<&Path>,
    make: impl Fn(OpenWorkspace) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let cluster = connect(at)?;
    let attempt = || {
        let place = ClusterPlace::new(settings, at, path)?;
        place.answer(settings, &cluster, &make)
    };
    // A push that replaced the branch may have removed what the answer began with.
    attempt().or_else(|it| match it.downcast_ref() {
        Some(ClusterError::Missing { .. }) => attempt(),
        _ => Err(it),
    })
}

/// A repository on a cluster, and the clone of it that is asked from.
struct ClusterPlace {
    /// The cluster's.
    address: String,
    workspace: Workspace,
    /// Its name on the cluster.
    repository: String,
    /// The branch that the user names.
    branch: Option<String>,
    /// Whether files on disk count.
    is_clone: bool,
    start: Instant,
}

impl ClusterPlace {
    fn new(settings: &Settings, at: &ClusterArgs, path: Option<&Path>) -> anyhow::Result<Self> {
        let start = Instant::now();
        let branch = at.branch.clone();
        let address = at.cluster.as_deref().unwrap_or_default().trim_end_matches('/').to_owned();
        if let Some(named) = &at.repository {
            let access = repositories(Some(named))?;
            let Some(repository) = access.single().map(str::to_owned) else {
                return Err(usage(
                    "--repository: name one repository; search and symbols take several",
                ));
            };
            let name = repository.rsplit('/').next().unwrap_or_default().to_owned();
            let workspace = Workspace { root: PathBuf::new(), git: None, name, revision: None };
            return Ok(Self { address, workspace, repository, branch, is_clone: false, start });
        }
        let workspace = discover(settings, path)?;
        if workspace.revision.is_some() {
            return Err(usage(
                "--rev names a commit of this clone; with --cluster, name a --branch",
            ));
        }
        output::set_root(&workspace);
        let repository = workspace.full_name();
        Ok(Self { address, workspace, repository, branch, is_clone: true, start })
    }

    fn answer<T>(
        &self,
        settings: &Settings,
        cluster: &Cluster,
        make: impl Fn(OpenWorkspace) -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        let mut branch = self.open(cluster)?;
        let copy = match self.is_clone {
            true => self.copy(settings, &branch)?,
            false => WorkingCopy::default(),
        };
        let name = format!("{} {} {}", self.address, self.repository, branch.name);
        let pushed = (!self.is_clone).then_some(name);
        let answer = branch.answer(|snapshot: &Snapshot| {
            make(OpenWorkspace {
                workspace: self.workspace.clone(),
                store: store(settings, &self.workspace)?,
                snapshot: snapshot.with_packed(&copy.different)?,
                files: copy.files.clone(),
                pushed: pushed.clone(),
                unread: None,
                deferred: None,
                took: self.start.elapsed(),
            })
        })??;
        if branch.cost().is_cut && !settings.quiet {
            output::note("more files could matter than were read; ask with rarer words or --path");
        }
        Ok(answer)
    }

    /// Opens the branch: the one that the user names, else the checked-out one if it is there, else the usual one.
    fn open<'c>(&self, cluster: &'c Cluster) -> Result<Branch<'c>, ClusterError> {
        let open =
            |name: Option<&str>| cluster.open(&self.repository, name, IndexConfig::default());
        let checked_out = self.workspace.git.as_ref().and_then(|it| it.branch.as_deref());
        match (self.branch.as_deref(), checked_out) {
            (None, Some(name)) => match open(Some(name)) {
                Err(ClusterError::NoBranch { .. }) => open(None),
                res => res,
            },
            (name, _) => open(name),
        }
    }

    /// The files on disk, and those that differ from the branch.
    fn copy(&self, settings: &Settings, branch: &Branch<'_>) -> anyhow::Result<WorkingCopy> {
        let (walk, limits) = (settings.walk(), settings.limits());
        let copy = WorkingCopy::read(&self.workspace, &walk, &limits, branch.snapshot());
        copy.map_err(|it| match it {
            WorkingCopyError::TooDifferent { most } => usage(format!(
                "more than {most} files here differ from {} on the cluster; push this branch, or ask for what was pushed with \
                 --repository {}",
                branch.name, self.repository
            )),
            it => it.into(),
        })
    }
}
