//! `foreword push`: writes a repository to a cluster with many.

mod progress;

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use foreword_cluster::{Access, Cluster, PushReport, PushRequest};
use foreword_load::{Effort, Reuse, Workspace};
use foreword_session::seed::ClusterSettings;
use serde::Serialize;

use self::progress::Progress;
use super::args::{ClusterArgs, ClusterIndexArgs, PushArgs};
use super::config::Settings;
use super::{Outcome, output, usage, workspace};

/// Branch of a directory that has none.
const MAIN: &str = "main";

/// Why a list from many repositories may be empty.
pub(super) const OTHER_KEYS: &str =
    "those pushed with another key are not found: `foreword doctor --cluster URL` counts them";

/// JSON of `push --json` (docs/json.md).
#[derive(Serialize)]
struct Summary<'s> {
    version: u32,
    cluster: &'s str,
    repository: &'s str,
    branch: &'s str,
    snapshot: &'s str,
    files: usize,
    sent_files: usize,
    sent_pages: usize,
    cut_files: usize,
    described_files: usize,
    sent_facts: usize,
    bytes: u64,
    removed: u64,
    unchanged: bool,
    elapsed_ms: f64,
}

pub(super) fn run(args: &PushArgs, settings: &Settings) -> anyhow::Result<Outcome> {
    let start = Instant::now();
    let cluster = connect(&args.at, settings)?;
    let workspace = workspace::discover(settings, args.path.as_deref());
    let named = args.at.repository.clone();
    let repository = match (named, &workspace) {
        (Some(name), _) => name,
        (None, Ok(workspace)) => workspace.full_name(),
        (None, Err(_)) => return Err(workspace.err().unwrap_or_else(|| usage("--repository"))),
    };
    if args.remove_all {
        let removed = cluster.remove_repository(&repository)?;
        return output::text(&format!("{repository}: {removed} documents removed, none is left\n"));
    }
    let workspace = workspace?;
    let branch = args.at.branch.clone().map_or_else(|| branch_of(&workspace), Ok)?;
    if args.remove {
        let removed = cluster.remove_branch(&repository, &branch)?;
        return output::text(&format!("{repository} ({branch}): {removed} documents removed\n"));
    }
    let version = version_of(&workspace)?;
    let store = workspace::store(settings, &workspace)?;
    let synced = workspace::synchronise(settings, &workspace, &store, Reuse::Stored, Effort::Full)?;
    let request = PushRequest {
        repository: &repository,
        branch: &branch,
        snapshot: &synced.snapshot,
        version,
        force: args.force,
    };
    let progress = Progress::new(settings);
    let report = cluster.push(&request, &|it| progress.show(it))?;
    let elapsed = start.elapsed();
    if args.json {
        return output::json(&summary(args, &request, report, elapsed));
    }
    output::text(&text(&request, report, elapsed))
}

/// Connects to the cluster of the arguments.
pub(super) fn connect(args: &ClusterArgs, settings: &Settings) -> anyhow::Result<Cluster> {
    let Some(url) = &args.cluster else {
        return Err(usage(
            "give the address of the cluster, as in --cluster http://127.0.0.1:9200",
        ));
    };
    connect_to(url, &args.index, settings)
}

/// Connects to an index of the cluster at an address.
pub(super) fn connect_to(
    url: &str,
    at: &ClusterIndexArgs,
    settings: &Settings,
) -> anyhow::Result<Cluster> {
    let (url, index, key) = (url.to_owned(), at.cluster_index.clone(), at.cluster_key.clone());
    let given = at.cluster_timeout.map(Duration::from_secs);
    let timeout = given.or_else(|| settings.config.cluster_timeout());
    ClusterSettings { url, index, key, timeout }.connect(at.deadline)
}

/// The repositories of `--repository`: names and patterns, separated by commas; without, all.
pub(super) fn repositories(named: Option<&str>) -> anyhow::Result<Access> {
    let named: Vec<String> =
        named.into_iter().flat_map(|it| it.split(',')).map(|it| it.trim().to_owned()).collect();
    Access::all().only(&named).map_err(|it| usage(format!("--repository: {it}")))
}

fn branch_of(workspace: &Workspace) -> anyhow::Result<String> {
    if workspace.revision.is_some() {
        return Err(usage("--rev: name the branch whose state it is, as in --branch main"));
    }
    let branch = workspace.git.as_ref().and_then(|it| it.branch.clone());
    Ok(branch.unwrap_or_else(|| MAIN.to_owned()))
}

/// Later pushes of a directory are newer, and later commits.
fn version_of(workspace: &Workspace) -> anyhow::Result<i64> {
    if let Some(revision) = &workspace.revision {
        let unread = || usage("--rev: the time of the commit cannot be read; push a clone");
        return Ok(revision.time().ok_or_else(unread)?.saturating_mul(1_000_000_000));
    }
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Ok(i64::try_from(since.as_nanos()).unwrap_or(i64::MAX))
}

fn summary<'s>(
    args: &'s PushArgs,
    request: &PushRequest<'s>,
    report: PushReport,
    elapsed: Duration,
) -> Summary<'s> {
    Summary {
        version: 1,
        cluster: args.at.cluster.as_deref().unwrap_or_default(),
        repository: request.repository,
        branch: request.branch,
        snapshot: request.snapshot.id(),
        files: report.files,
        sent_files: report.sent_files,
        sent_pages: report.sent_pages,
        cut_files: report.cut_files,
        described_files: report.described_files,
        sent_facts: report.sent_facts,
        bytes: report.bytes,
        removed: report.removed,
        unchanged: report.unchanged,
        elapsed_ms: elapsed.as_secs_f64() * 1e3,
    }
}

fn text(request: &PushRequest<'_>, report: PushReport, elapsed: Duration) -> String {
    let PushRequest { repository, branch, .. } = request;
    if report.unchanged {
        return format!("{repository} ({branch}): {} files, nothing new\n", report.files);
    }
    let facts = match report.described_files {
        0 => String::new(),
        all => format!(" precise facts of {} of {all} files,", report.sent_facts),
    };
    let cut = match report.cut_files {
        0 => String::new(),
        n => format!(
            "files with more different words than the cluster can index: {n}; some of their words find nothing\n"
        ),
    };
    format!(
        "{repository} ({branch}): {} of {} files sent,{facts} {} pages, {:.1} MB; {} documents removed; {:.2} s\n{cut}",
        report.sent_files,
        report.files,
        report.sent_pages,
        report.bytes as f64 / 1e6,
        report.removed,
        elapsed.as_secs_f64(),
    )
}
