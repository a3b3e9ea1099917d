//! `/api/feedback`: verdicts on the results of an answer, kept on this machine (docs/json.md).

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use foreword_session::clock::unix_seconds;
use foreword_session::feedback::{self, About, Event, FeedbackStore, Place, Source, Verdict};
use foreword_session::host::Repository;
use foreword_session::setup::Setup;
use serde::{Deserialize, Serialize};

use super::workspace::respond_with;
use crate::serve::app::App;
use crate::serve::http::error::ApiError;

/// Maximum number of places in a verdict.
const MAX_PLACES: usize = 100;

/// Default number of events in a list.
const LIMIT: usize = 200;

/// A verdict.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Judgement {
    workspace: Option<String>,
    verdict: Verdict,
    about: About,
    #[serde(default)]
    question: String,
    /// The judged places. For a completion without places: the pieces that the completion reused.
    #[serde(default)]
    places: Vec<Place>,
    /// The id of a completion in the journal.
    request: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct FeedbackQuery {
    workspace: Option<String>,
    limit: Option<usize>,
}

/// The stored feedback.
#[derive(Serialize)]
struct FeedbackResponse {
    version: u32,
    /// Whether feedback is stored (the setting `feedback`).
    enabled: bool,
    /// The directory.
    path: String,
    total: usize,
    /// Latest first.
    events: Vec<Event>,
}

/// The result of a change.
#[derive(Serialize)]
struct FeedbackReceipt {
    version: u32,
    kept: usize,
    total: usize,
}

/// `GET /api/feedback`.
pub(super) async fn list(
    State(app): State<Arc<App>>,
    Query(query): Query<FeedbackQuery>,
) -> Result<Response, ApiError> {
    respond_with(app, query.workspace.clone(), move |app, repository| {
        let store = feedback::store_of(app.host.setup(), repository.workspace());
        let mut events = store.as_ref().map(FeedbackStore::read).unwrap_or_default();
        let total = events.len();
        events.reverse();
        events.truncate(query.limit.unwrap_or(LIMIT));
        let path = store.as_ref().map_or_else(String::new, |it| it.path().display().to_string());
        Ok(FeedbackResponse { version: 1, enabled: store.is_some(), path, total, events })
    })
    .await
}

/// `POST /api/feedback`.
pub(super) async fn add(State(app): State<Arc<App>>, body: Bytes) -> Result<Response, ApiError> {
    let judgement: Judgement = serde_json::from_slice(&body)
        .map_err(|it| ApiError::bad_request(format!("the body is not a verdict: {it}")))?;
    respond_with(app, judgement.workspace.clone(), move |app, repository| {
        let store = enabled(app.host.setup(), repository)?;
        let places = places(app, repository, &judgement)?;
        let event = |place| Event {
            at: unix_seconds(),
            verdict: judgement.verdict,
            source: Source::Person,
            about: judgement.about,
            question: judgement.question.clone(),
            place,
        };
        let events: Vec<Event> = places.into_iter().map(event).collect();
        store.append(&events).map_err(|it| ApiError::internal(&it))?;
        Ok(FeedbackReceipt { version: 1, kept: events.len(), total: store.read().len() })
    })
    .await
}

/// `DELETE /api/feedback`: deletes all feedback on a repository.
pub(super) async fn clear(
    State(app): State<Arc<App>>,
    Query(query): Query<FeedbackQuery>,
) -> Result<Response, ApiError> {
    respond_with(app, query.workspace.clone(), move |app, repository| {
        let store = enabled(app.host.setup(), repository)?;
        store.clear().map_err(|it| ApiError::internal(&it))?;
        Ok(FeedbackReceipt { version: 1, kept: 0, total: 0 })
    })
    .await
}

fn enabled(setup: &Setup, repository: &Repository) -> Result<FeedbackStore, ApiError> {
    feedback::store_of(setup, repository.workspace()).ok_or_else(|| {
        let message = "feedback is switched off: the setting `feedback` is off, or the user has no data directory";
        ApiError::new(StatusCode::CONFLICT, message)
    })
}

/// The places of a verdict; each must be in a file of the repository.
fn places(
    app: &App,
    repository: &Repository,
    judgement: &Judgement,
) -> Result<Vec<Place>, ApiError> {
    let mut places = judgement.places.clone();
    if let Some(id) = judgement.request.as_deref().filter(|_| places.is_empty()) {
        let record = app.observation.journal.get(id).ok_or_else(|| ApiError::not_in_journal(id))?;
        places = record.places_used();
    }
    if places.is_empty() || places.len() > MAX_PLACES {
        let message =
            format!("a verdict is on 1 to {MAX_PLACES} places; there are {}", places.len());
        return Err(ApiError::bad_request(message));
    }
    let snapshot = repository.latest();
    let is_gone = |it: &&Place| snapshot.as_ref().is_some_and(|all| all.file(&it.path).is_none());
    match places.iter().find(is_gone) {
        Some(it) => Err(ApiError::bad_request(format!("{}: no such file", it.path))),
        None => Ok(places),
    }
}
