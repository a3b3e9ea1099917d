//! Answers from a cluster with many repositories instead of an index of one's own (docs/scale.md).

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Instant;

use foreword_cluster::{Branch, Cluster, ClusterError};
use foreword_engine::index::{FileId, Snapshot};
use foreword_load::{WorkingCopy, WorkingCopyError, Workspace};
use foreword_model::ask::ReadElsewhere;
use foreword_session::seed::open_branch;

use super::{OpenWorkspace, answer, discover, relative, store};
use crate::cli::args::ClusterArgs;
use crate::cli::config::Settings;
use crate::cli::position::Position;
use crate::cli::push::{connect, repositories};
use crate::cli::{output, usage};
use crate::many::one::{BranchWork, read_on};

/// Answers from the cluster of the arguments ([`answer_on_cluster`]), or else from the index.
pub(in crate::cli) fn answer_at<T>(
    settings: &Settings,
    at: &ClusterArgs,
    path: Option<&Path>,
    make: impl Fn(&OpenWorkspace) -> anyhow::Result<T>,
) -> anyhow::Result<(OpenWorkspace, T)> {
    match at.cluster {
        None => answer(settings, path, make),
        Some(_) => answer_on_cluster(settings, at, path, |opened| {
            let made = make(&opened)?;
            Ok((opened, made))
        }),
    }
}

/// The path in the snapshot that the user means; of a pushed repository, as it is there.
pub(in crate::cli) fn path_in(
    settings: &Settings,
    opened: &OpenWorkspace,
    text: &str,
) -> anyhow::Result<String> {
    if opened.pushed.is_none() {
        return relative(settings, &opened.workspace, text);
    }
    let path = Position::parse(text)?.file.to_string_lossy().replace('\\', "/");
    Ok(path.trim_start_matches("./").trim_matches('/').to_owned())
}

/// The file that the user names.
pub(in crate::cli) fn file_in(
    settings: &Settings,
    opened: &OpenWorkspace,
    text: &str,
) -> anyhow::Result<(String, FileId)> {
    let path = path_in(settings, opened, text)?;
    match (opened.snapshot.file(&path), &opened.pushed) {
        (Some(file), _) => Ok((path, file)),
        (None, Some(_)) => Err(usage(format!("{path} is not in the repository as it was pushed"))),
        (None, None) => {
            Err(usage(format!("{path} is not in the index; `foreword status {path}` says why")))
        }
    }
}

/// Answers from a branch on the cluster of the arguments: with `--repository` as it was pushed, otherwise for the clone
/// around `path` or the working directory with what differs there. `make` is called until nothing is missing.
pub(in crate::cli) fn answer_on_cluster<T>(
    settings: &Settings,
    at: &ClusterArgs,
    path: Option<&Path>,
    make: impl Fn(OpenWorkspace) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    answer_and_read(settings, at, path, make, |it, _| Ok(it))
}

/// Like [`answer_on_cluster`]; `then` may read on.
pub(in crate::cli) fn answer_and_read<T, R>(
    settings: &Settings,
    at: &ClusterArgs,
    path: Option<&Path>,
    make: impl Fn(OpenWorkspace) -> anyhow::Result<T>,
    then: impl Fn(T, ReadElsewhere<'_>) -> anyhow::Result<R>,
) -> anyhow::Result<R> {
    let cluster = connect(at, settings)?;
    let attempt = || {
        let place = ClusterPlace::new(settings, at, path)?;
        place.answer(settings, &cluster, &make, &then)
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
    /// What an answer says of its origin, if nobody asked for it.
    answered_from: Option<&'static str>,
    start: Instant,
}

impl ClusterPlace {
    fn new(settings: &Settings, at: &ClusterArgs, path: Option<&Path>) -> anyhow::Result<Self> {
        let start = Instant::now();
        let branch = at.branch.clone();
        let answered_from = at.index.is_seed.then_some("cluster");
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
            return Ok(Self {
                address,
                workspace,
                repository,
                branch,
                is_clone: false,
                answered_from,
                start,
            });
        }
        let workspace = discover(settings, path)?;
        if workspace.revision.is_some() {
            return Err(usage(
                "--rev names a commit of this clone; with --cluster, name a --branch",
            ));
        }
        output::set_root(&workspace);
        let repository = workspace.full_name();
        Ok(Self { address, workspace, repository, branch, is_clone: true, answered_from, start })
    }

    fn answer<T, R>(
        &self,
        settings: &Settings,
        cluster: &Cluster,
        make: impl Fn(OpenWorkspace) -> anyhow::Result<T>,
        then: impl Fn(T, ReadElsewhere<'_>) -> anyhow::Result<R>,
    ) -> anyhow::Result<R> {
        let named = (&self.workspace, self.branch.as_deref());
        let mut branch = open_branch(cluster, &self.repository, named)?;
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
                answered_from: self.answered_from,
                unread: None,
                deferred: None,
                took: self.start.elapsed(),
            })
        })??;
        if branch.cost().is_cut && !settings.quiet {
            output::note("more files could matter than were read; ask with rarer words or --path");
        }
        let branch = Mutex::new(branch);
        let over: BranchWork<'_> = &|snapshot, work| {
            work(&snapshot.with_packed(&copy.different)?);
            Ok(())
        };
        then(answer, &|work| read_on(&branch, over, work))
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
