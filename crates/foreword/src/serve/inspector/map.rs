//! The repository map as a graph: files, their definitions, and the references between them.

use std::sync::Arc;

use axum::extract::{Query, State};
use axum::response::Response;
use foreword_session::answer::map::{Edge, File, edges, files, of};
use serde::{Deserialize, Serialize};

use super::workspace::{respond_with, view};
use crate::serve::app::App;
use crate::serve::http::error::ApiError;

/// Default size of the map as text, which limits the number of nodes.
const DEFAULT_TOKENS: usize = 6000;

/// Maximum size; a larger map would not be readable.
const MAX_TOKENS: usize = 60_000;

#[derive(Deserialize)]
pub(super) struct MapQuery {
    workspace: Option<String>,
    /// A path or a name that the map is centred on.
    focus: Option<String>,
    tokens: Option<usize>,
}

#[derive(Serialize)]
struct MapResponse {
    version: u32,
    snapshot: String,
    complete: bool,
    files_total: usize,
    files_shown: usize,
    definitions_total: usize,
    definitions_shown: usize,
    files: Vec<File>,
    edges: Vec<Edge>,
}

/// `GET /api/map`.
pub(super) async fn map(
    State(app): State<Arc<App>>,
    Query(query): Query<MapQuery>,
) -> Result<Response, ApiError> {
    respond_with(app, query.workspace.clone(), move |_, repository| {
        let view = view(repository)?;
        let focus: Vec<String> = query.focus.into_iter().filter(|it| !it.is_empty()).collect();
        let tokens = query.tokens.unwrap_or(DEFAULT_TOKENS).min(MAX_TOKENS);
        let map =
            of(repository, &view.snapshot, &focus, tokens).map_err(|it| ApiError::internal(&it))?;
        Ok(MapResponse {
            version: 1,
            snapshot: view.snapshot.id().to_owned(),
            complete: view.is_complete(),
            files_total: map.files_total,
            files_shown: map.files_shown,
            definitions_total: map.definitions_total,
            definitions_shown: map.definitions_shown,
            files: files(&map),
            edges: edges(&map),
        })
    })
    .await
}
