//! The indexed files, and the excluded ones with their rules.

use std::sync::Arc;

use axum::extract::{Query, State};
use axum::response::Response;
use foreword_engine::index::{FileId, Snapshot};
use foreword_session::answer::status::{ExcludedPath, Listing, ReasonCount, Status, status};
use foreword_session::host::Repository;
use serde::{Deserialize, Serialize};

use super::workspace::{respond_with, view};
use crate::serve::app::App;
use crate::serve::http::error::ApiError;

/// Default number of rows in a response.
const DEFAULT_ROWS: usize = 500;

/// Maximum number of rows in a response.
const MAX_ROWS: usize = 20_000;

#[derive(Deserialize)]
pub(super) struct IndexQuery {
    workspace: Option<String>,
    /// A part of the path.
    filter: Option<String>,
    /// Only files of this language.
    language: Option<String>,
    /// Only paths that are excluded for this reason.
    code: Option<String>,
    limit: Option<usize>,
}

impl IndexQuery {
    fn matches(&self, path: &str) -> bool {
        self.filter.as_deref().is_none_or(|part| path.contains(part))
    }

    fn limit(&self) -> usize {
        self.limit.unwrap_or(DEFAULT_ROWS).min(MAX_ROWS)
    }
}

#[derive(Serialize)]
struct Index {
    #[serde(flatten)]
    status: Status,
    /// Whether the snapshot is up to date with the disk.
    fresh: bool,
    /// During indexing: files done, and files in all.
    indexing: Option<(usize, usize)>,
    trouble: Option<String>,
}

/// `GET /api/index`: sizes, languages, freshness, and the number of excluded files by reason.
pub(super) async fn index(
    State(app): State<Arc<App>>,
    Query(query): Query<IndexQuery>,
) -> Result<Response, ApiError> {
    respond_with(app, query.workspace.clone(), move |app, repository| {
        let view = view(repository)?;
        let mut status = status_of(app, repository)?;
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

fn status_of(app: &App, repository: &Repository) -> Result<Status, ApiError> {
    let (workspace, store) = (repository.workspace(), repository.store());
    status(app.host.setup(), workspace, store, Listing::All).map_err(|it| ApiError::internal(&it))
}

#[derive(Serialize)]
struct Files {
    version: u32,
    snapshot: String,
    /// Number of matches, including those beyond the limit.
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

/// `GET /api/files`: the indexed files, by path.
pub(super) async fn files(
    State(app): State<Arc<App>>,
    Query(query): Query<IndexQuery>,
) -> Result<Response, ApiError> {
    respond_with(app, query.workspace.clone(), move |_, repository| {
        let snapshot = view(repository)?.snapshot;
        let language =
            |it: FileId| snapshot.language(it).map_or("other", foreword_chunk::Language::name);
        let matches = |it: &FileId| {
            query.matches(snapshot.path(*it))
                && query.language.as_deref().is_none_or(|want| want == language(*it))
        };
        let matching: Vec<FileId> = snapshot.files().filter(matches).collect();
        let files = matching.iter().take(query.limit()).map(|it| file(&snapshot, *it));
        let files = files.collect();
        Ok(Files { version: 1, snapshot: snapshot.id().to_owned(), total: matching.len(), files })
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
struct IgnoredResponse {
    version: u32,
    /// Number of matches, including those beyond the limit.
    total: usize,
    /// Numbers by reason, of all paths that match the filter.
    codes: Vec<ReasonCount>,
    paths: Vec<ExcludedPath>,
}

/// `GET /api/ignored`: the excluded files, each with its rule.
pub(super) async fn ignored(
    State(app): State<Arc<App>>,
    Query(query): Query<IndexQuery>,
) -> Result<Response, ApiError> {
    respond_with(app, query.workspace.clone(), move |app, repository| {
        let mut paths = status_of(app, repository)?.ignored.unwrap_or_default();
        paths.retain(|it| query.matches(&it.path) || it.reason.contains(filter_text(&query)));
        let codes = foreword_session::answer::status::counts(&paths);
        paths.retain(|it| query.code.as_deref().is_none_or(|code| it.code == code));
        let total = paths.len();
        paths.truncate(query.limit());
        Ok(IgnoredResponse { version: 1, total, codes, paths })
    })
    .await
}

fn filter_text(query: &IndexQuery) -> &str {
    query.filter.as_deref().unwrap_or_default()
}
