//! Likely places of the next edit, from the changes since the last commit or from a line.

use std::sync::Arc;

use axum::extract::{Query, State};
use axum::response::Response;
use foreword_session::answer::next::{LikelyPlace, PlaceQuery, likely};
use serde::{Deserialize, Serialize};

use super::workspace::{not_indexed, respond_with, view};
use crate::serve::app::App;
use crate::serve::http::error::ApiError;

/// Default and maximum number of places in a response.
const DEFAULT_PLACES: usize = 20;
const MAX_PLACES: usize = 200;

#[derive(Deserialize)]
pub(super) struct NextQuery {
    workspace: Option<String>,
    /// The cursor's file; default: places that follow from the edits alone.
    file: Option<String>,
    /// The cursor's line, 1-based; default: 1.
    line: Option<u32>,
    limit: Option<usize>,
}

#[derive(Serialize)]
struct NextResponse {
    version: u32,
    snapshot: String,
    complete: bool,
    /// Number of edits since the last commit.
    edits: usize,
    places: Vec<LikelyPlace>,
}

/// `GET /api/next`.
pub(super) async fn next(
    State(app): State<Arc<App>>,
    Query(query): Query<NextQuery>,
) -> Result<Response, ApiError> {
    respond_with(app, query.workspace.clone(), move |_, repository| {
        let view = view(repository)?;
        let snapshot = &view.snapshot;
        let file = query.file.as_deref().filter(|it| !it.is_empty());
        let line = query.line.unwrap_or(1);
        if let Some(path) = file {
            let Some(known) = snapshot.file(path) else {
                return Err(not_indexed(repository, path));
            };
            let lines = snapshot.size(known).1.max(1);
            if line == 0 || line > lines {
                let message = format!("{path} has {lines} lines; there is no line {line}");
                return Err(ApiError::bad_request(message));
            }
        }
        let wanted = PlaceQuery {
            cursor: file.map(|it| (it, line)),
            limit: query.limit.unwrap_or(DEFAULT_PLACES).min(MAX_PLACES),
            written: &[],
            // Guesses too, marked as such.
            least: Some(0.0),
        };
        let found = likely(snapshot, repository.workspace(), repository.past(), &wanted);
        Ok(NextResponse {
            version: 1,
            snapshot: snapshot.id().to_owned(),
            complete: view.is_complete(),
            edits: found.edits,
            places: found.places,
        })
    })
    .await
}
