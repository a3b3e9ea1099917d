//! `POST /v1/edits`: likely next edits for any client, as `foreword next --json` has them (docs/serve.md).

use std::path::{MAIN_SEPARATOR, Path};
use std::sync::Arc;
use std::time::Instant;

use axum::Router;
use axum::extract::State;
use axum::response::Response;
use axum::routing::post;
use bytes::Bytes;
use foreword_engine::index::Snapshot;
use foreword_session::answer::next::{LikelyPlaces, NextOutput, PlaceQuery, likely};
use foreword_session::host::Repository;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::serve::app::App;
use crate::serve::http::error::{ApiError, json_response};
use crate::serve::inspector::workspace::{not_indexed, repository, view};
use crate::serve::protocols::request::object;

/// Default number of places, as on the command line, and the maximum.
const DEFAULT_PLACES: usize = 10;
const MAX_PLACES: usize = 200;

pub(super) fn routes() -> Router<Arc<App>> {
    Router::new().route("/v1/edits", post(edits))
}

/// The cursor and the limits of an answer; all may be left out.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct EditsRequest {
    /// The root of one of several repositories.
    workspace: Option<String>,
    /// The cursor's file.
    file: Option<String>,
    /// The cursor's line, from 1.
    line: Option<u32>,
    limit: Option<usize>,
    /// Minimum confidence; 0 without, so that guesses are there, too.
    least: Option<f32>,
    /// `false` does not ask the next-edit model.
    model: Option<bool>,
}

async fn edits(State(app): State<Arc<App>>, body: Bytes) -> Result<Response, ApiError> {
    let start = Instant::now();
    let body = if body.trim_ascii().is_empty() { Map::new() } else { object(&body)? };
    let request: EditsRequest = serde_json::from_value(Value::Object(body))
        .map_err(|it| ApiError::bad_request(format!("the body is no request for edits: {it}")))?;
    let repository = repository(&app, request.workspace.as_deref())?;
    let is_asked = request.model != Some(false);
    let places = tokio::task::spawn_blocking(move || places(&repository, &request)).await;
    let (snapshot, mut found) = places.map_err(|it| ApiError::internal(&it.into()))??;
    // Dropped with the response when the client hangs up, which closes the connection to the model.
    let report = match app.edit_model.as_ref().filter(|_| is_asked) {
        Some(model) => model.add_edit(&snapshot, &mut found, None).await,
        None => None,
    };
    Ok(json_response(&NextOutput::new(&snapshot, found, report, start)))
}

/// The likely places without a model.
fn places(
    repository: &Repository,
    request: &EditsRequest,
) -> Result<(Arc<Snapshot>, LikelyPlaces), ApiError> {
    let snapshot = view(repository)?.snapshot;
    let file = request.file.as_deref().filter(|it| !it.is_empty());
    let file = file.map(|it| relative(repository, it));
    let line = request.line.unwrap_or(1);
    if let Some(path) = &file {
        let Some(known) = snapshot.file(path) else { return Err(not_indexed(repository, path)) };
        let lines = snapshot.size(known).1.max(1);
        // After the last line break one more line begins.
        if line == 0 || line > lines + 1 {
            let message = format!("{path} has {lines} lines; there is no line {line}");
            return Err(ApiError::bad_request(message));
        }
    }
    let wanted = PlaceQuery {
        cursor: file.as_deref().map(|it| (it, line)),
        limit: request.limit.unwrap_or(DEFAULT_PLACES).min(MAX_PLACES),
        written: &[],
        least: Some(request.least.unwrap_or_default()),
    };
    let found = likely(&snapshot, repository.workspace(), repository.past(), &wanted);
    Ok((snapshot, found))
}

/// A path as the index has it; editors send absolute ones.
fn relative(repository: &Repository, file: &str) -> String {
    let path = Path::new(file);
    let inner = path.strip_prefix(&repository.workspace().root).unwrap_or(path);
    inner.to_string_lossy().replace(MAIN_SEPARATOR, "/")
}
