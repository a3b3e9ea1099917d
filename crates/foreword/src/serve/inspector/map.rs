//! The repository map, to be drawn: files, their definitions, and who refers to whom.

use std::sync::Arc;

use axum::extract::{Query, State};
use axum::response::Response;
use serde::{Deserialize, Serialize};

use super::ask;
use crate::answer::map::{Edge, File, edges, files, of};
use crate::serve::app::App;
use crate::serve::http::error::Refusal;

/// Tokens of the map as text, which decide how much is drawn.
const TOKENS: usize = 6000;

/// More than that nobody could read.
const MOST_TOKENS: usize = 60_000;

#[derive(Deserialize)]
pub(super) struct Asked {
    workspace: Option<String>,
    /// A path or a name near which it looks first.
    focus: Option<String>,
    tokens: Option<usize>,
}

#[derive(Serialize)]
struct Answer {
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
    Query(asked): Query<Asked>,
) -> Result<Response, Refusal> {
    ask::about(app, asked.workspace.clone(), move |_, repository| {
        let view = ask::view(repository)?;
        let focus: Vec<String> = asked.focus.into_iter().filter(|it| !it.is_empty()).collect();
        let tokens = asked.tokens.unwrap_or(TOKENS).min(MOST_TOKENS);
        let map = of(repository, &view.snapshot, &focus, tokens).map_err(|it| ask::failed(&it))?;
        Ok(Answer {
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
