//! What is indexed of a repository, what is not, and why.

use foreword_engine::index::{Manifest, Store};
use foreword_load::{Skipped, Workspace, walk};
use serde::Serialize;

use crate::host::Setup;

/// What is indexed of a repository, and what is not (docs/json.md).
#[derive(Serialize)]
pub(crate) struct Status {
    pub(crate) version: u32,
    pub(crate) root: String,
    pub(crate) repository: String,
    pub(crate) git: Option<Git>,
    pub(crate) index: String,
    pub(crate) index_bytes: u64,
    pub(crate) indexed: bool,
    pub(crate) complete: bool,
    pub(crate) snapshot: Option<String>,
    pub(crate) files: u32,
    pub(crate) chunks: u32,
    pub(crate) lines: u64,
    pub(crate) bytes: u64,
    pub(crate) segments: usize,
    pub(crate) generation: u64,
    /// Files that have changed since; the next query indexes them.
    pub(crate) stale: Stale,
    pub(crate) languages: Vec<Language>,
    /// How many paths were left out, by reason.
    pub(crate) left_out: Vec<Count>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ignored: Option<Vec<Out>>,
}

#[derive(Serialize)]
pub(crate) struct Git {
    pub(crate) branch: Option<String>,
    pub(crate) head: Option<String>,
    pub(crate) worktree: bool,
    pub(crate) submodule: bool,
}

#[derive(Serialize, Default)]
pub(crate) struct Stale {
    pub(crate) changed: usize,
    pub(crate) added: usize,
    pub(crate) removed: usize,
}

#[derive(Serialize)]
pub(crate) struct Language {
    pub(crate) language: &'static str,
    pub(crate) files: usize,
}

#[derive(Serialize)]
pub(crate) struct Count {
    pub(crate) code: String,
    pub(crate) paths: usize,
}

#[derive(Serialize)]
pub(crate) struct Out {
    pub(crate) path: String,
    pub(crate) code: String,
    pub(crate) reason: String,
}

/// Whether every path that was left out is listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum List {
    /// Only how many there are, without what ignore files leave out.
    Counts,
    /// All.
    All,
}

/// Looks at the disk and at the index as it is. What ignore files leave out is listed one by one if `list` says so.
pub(crate) fn status(
    setup: &Setup,
    workspace: &Workspace,
    store: &Store,
    list: List,
) -> anyhow::Result<Status> {
    let ignored = list == List::All;
    let mut config = setup.walk.clone();
    config.record_ignored = ignored;
    let found = walk(&workspace.root, &config)?;
    let opened = foreword_load::open_as_is(workspace, store);
    let (manifest, snapshot) =
        opened.map_or((None, None), |(manifest, it)| (Some(manifest), Some(it)));
    let out = left_out(&found.skipped, manifest.as_ref());
    let totals =
        snapshot.as_ref().map(foreword_engine::index::Snapshot::totals).unwrap_or_default();
    let git = workspace.git.as_ref().map(|it| Git {
        branch: it.branch.clone(),
        head: it.head.clone(),
        worktree: it.is_worktree,
        submodule: it.is_submodule,
    });
    Ok(Status {
        version: 1,
        root: workspace.root.display().to_string(),
        repository: workspace.name.clone(),
        git,
        index: store.dir().display().to_string(),
        index_bytes: store.size_on_disk(),
        indexed: manifest.is_some(),
        complete: snapshot.as_ref().is_some_and(foreword_engine::index::Snapshot::is_complete),
        snapshot: snapshot.as_ref().map(|it| it.id().to_owned()),
        files: totals.files,
        chunks: totals.chunks,
        lines: totals.lines,
        bytes: totals.bytes,
        segments: manifest.as_ref().map_or(0, |it| it.segments.len()),
        generation: manifest.as_ref().map_or(0, |it| it.generation),
        stale: stale(manifest.as_ref(), &found),
        languages: snapshot.as_ref().map(languages).unwrap_or_default(),
        left_out: counts(&out),
        ignored: ignored.then_some(out),
    })
}

/// What the walk and the reading left out, by path.
fn left_out(walked: &[Skipped], manifest: Option<&Manifest>) -> Vec<Out> {
    let walked = walked.iter().map(|it| Out {
        path: it.path.clone(),
        code: it.reason.code().to_owned(),
        reason: it.reason.to_string(),
    });
    let read = manifest.into_iter().flat_map(|it| &it.skipped).map(|it| Out {
        path: it.path.clone(),
        code: it.code.clone(),
        reason: it.reason.clone(),
    });
    let mut res: Vec<Out> = walked.chain(read).collect();
    res.sort_by(|a, b| a.path.cmp(&b.path));
    res
}

pub(crate) fn counts(out: &[Out]) -> Vec<Count> {
    let mut codes: Vec<&str> = out.iter().map(|it| it.code.as_str()).collect();
    codes.sort_unstable();
    let groups = codes.chunk_by(|a, b| a == b);
    groups.map(|it| Count { code: it[0].to_owned(), paths: it.len() }).collect()
}

fn stale(manifest: Option<&Manifest>, found: &foreword_load::Walk) -> Stale {
    let Some(manifest) = manifest else {
        return Stale { added: found.files.len(), ..Stale::default() };
    };
    let mut res = Stale::default();
    let mut known = 0;
    for file in &found.files {
        match manifest.file(&file.path) {
            Some(it) => {
                known += 1;
                let same =
                    (it.stamp.size, it.stamp.mtime_ns) == (file.stamp.size, file.stamp.mtime_ns);
                res.changed += usize::from(!same);
            }
            None => {
                let refused = manifest.skipped.iter().any(|it| it.path == file.path);
                res.added += usize::from(!refused);
            }
        }
    }
    res.removed = manifest.files.len() - known;
    res
}

fn languages(snapshot: &foreword_engine::index::Snapshot) -> Vec<Language> {
    let mut names: Vec<&'static str> = snapshot
        .files()
        .map(|it| snapshot.language(it).map_or("other", foreword_chunk::Language::name))
        .collect();
    names.sort_unstable();
    let groups = names.chunk_by(|a, b| a == b);
    let mut res: Vec<Language> =
        groups.map(|it| Language { language: it[0], files: it.len() }).collect();
    res.sort_by_key(|it| (std::cmp::Reverse(it.files), it.language));
    res
}
