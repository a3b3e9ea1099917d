//! What is in the index, and what is left out by which rule.

use std::sync::Arc;

use axum::extract::{Query, State};
use axum::response::Response;
use foreword_engine::index::{FileId, Snapshot};
use serde::{Deserialize, Serialize};

use super::ask;
use crate::answer::status::{ExcludedPath, Listing, ReasonCount, Status, status};
use crate::host::Repository;
use crate::serve::app::App;
use crate::serve::http::error::Refusal;

/// Rows that are sent at the most, if it is not said.
const ROWS: usize = 500;

/// And whatever is said.
const MOST_ROWS: usize = 20_000;

#[derive(Deserialize)]
pub(super) struct Asked {
    workspace: Option<String>,
    /// A part of the path.
    filter: Option<String>,
    /// Only files of this language.
    language: Option<String>,
    /// Only what was left out for this reason.
    code: Option<String>,
    limit: Option<usize>,
}

impl Asked {
    fn takes(&self, path: &str) -> bool {
        self.filter.as_deref().is_none_or(|part| path.contains(part))
    }

    fn limit(&self) -> usize {
        self.limit.unwrap_or(ROWS).min(MOST_ROWS)
    }
}

#[derive(Serialize)]
struct Index {
    #[serde(flatten)]
    status: Status,
    /// Whether the snapshot has everything that is on the disk.
    fresh: bool,
    /// While it is being indexed: how many files are done, and of how many.
    indexing: Option<(usize, usize)>,
    trouble: Option<String>,
}

/// `GET /api/index`: sizes, languages, freshness, and how much is left out for which reason.
pub(super) async fn index(
    State(app): State<Arc<App>>,
    Query(asked): Query<Asked>,
) -> Result<Response, Refusal> {
    ask::about(app, asked.workspace.clone(), move |app, repository| {
        let view = ask::view(repository)?;
        let mut status = look(app, repository)?;
        status.ignored = None;
        Ok(Index {
            status,
            fresh: view.fresh,
            indexing: view.indexing.map(|it| (it.done, it.total)),
            trouble: view.trouble,
        })
    })
    .await
}

fn look(app: &App, repository: &Repository) -> Result<Status, Refusal> {
    let (workspace, store) = (repository.workspace(), repository.store());
    status(app.host.setup(), workspace, store, Listing::All).map_err(|it| ask::failed(&it))
}

#[derive(Serialize)]
struct Files {
    version: u32,
    snapshot: String,
    /// That the filter takes.
    total: usize,
    files: Vec<File>,
}

#[derive(Serialize)]
struct File {
    path: String,
    language: &'static str,
    bytes: u32,
    lines: u32,
    chunks: usize,
}

/// `GET /api/files`: what is in, by path.
pub(super) async fn files(
    State(app): State<Arc<App>>,
    Query(asked): Query<Asked>,
) -> Result<Response, Refusal> {
    ask::about(app, asked.workspace.clone(), move |_, repository| {
        let snapshot = ask::view(repository)?.snapshot;
        let language =
            |it: FileId| snapshot.language(it).map_or("other", foreword_chunk::Language::name);
        let takes = |it: &FileId| {
            asked.takes(snapshot.path(*it))
                && asked.language.as_deref().is_none_or(|want| want == language(*it))
        };
        let taken: Vec<FileId> = snapshot.files().filter(takes).collect();
        let files = taken.iter().take(asked.limit()).map(|it| file(&snapshot, *it));
        let files = files.collect();
        Ok(Files { version: 1, snapshot: snapshot.id().to_owned(), total: taken.len(), files })
    })
    .await
}

fn file(snapshot: &Snapshot, it: FileId) -> File {
    let (bytes, lines) = snapshot.size(it);
    File {
        path: snapshot.path(it).to_owned(),
        language: snapshot.language(it).map_or("other", foreword_chunk::Language::name),
        bytes,
        lines,
        chunks: snapshot.chunks(it).len(),
    }
}

#[derive(Serialize)]
struct Ignored {
    version: u32,
    /// That the filter takes.
    total: usize,
    /// By reason, of all that the text of the filter takes.
    codes: Vec<ReasonCount>,
    paths: Vec<ExcludedPath>,
}

/// `GET /api/ignored`: what is not in, with the rule that says so.
pub(super) async fn ignored(
    State(app): State<Arc<App>>,
    Query(asked): Query<Asked>,
) -> Result<Response, Refusal> {
    ask::about(app, asked.workspace.clone(), move |app, repository| {
        let mut paths = look(app, repository)?.ignored.unwrap_or_default();
        paths.retain(|it| asked.takes(&it.path) || it.reason.contains(filter_of(&asked)));
        let codes = crate::answer::status::counts(&paths);
        paths.retain(|it| asked.code.as_deref().is_none_or(|code| it.code == code));
        let total = paths.len();
        paths.truncate(asked.limit());
        Ok(Ignored { version: 1, total, codes, paths })
    })
    .await
}

fn filter_of(asked: &Asked) -> &str {
    asked.filter.as_deref().unwrap_or_default()
}
