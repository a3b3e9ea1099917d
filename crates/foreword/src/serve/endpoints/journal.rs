//! `/api/requests…`: the journal, for the inspector and for scripts.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{Path, Query, State};
use axum::http::header;
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use bytes::Bytes;
use serde_json::json;
use tokio::sync::broadcast::error::RecvError;

use crate::serve::app::App;
use crate::serve::http::error::{ApiError, json_response};
use crate::serve::http::stream::body_channel;
use crate::serve::observation::journal::Filter;

/// How often a comment is sent when nothing happens, so that a client that is gone is noticed.
const HEARTBEAT: Duration = Duration::from_secs(15);

pub(super) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/api/requests", get(list))
        .route("/api/requests/live", get(live))
        .route("/api/requests/{id}", get(one))
}

async fn list(State(app): State<Arc<App>>, Query(filter): Query<Filter>) -> Response {
    let records = app.observation.journal.list(&filter);
    let requests: Vec<_> = records.iter().map(|it| it.summary()).collect();
    json_response(&json!({ "version": 1, "requests": requests }))
}

async fn one(State(app): State<Arc<App>>, Path(id): Path<String>) -> Result<Response, ApiError> {
    let record = app.observation.journal.get(&id).ok_or_else(|| ApiError::not_in_journal(&id))?;
    record.explanation.settled().await;
    Ok(json_response(&*record))
}

/// `GET /api/requests/live`, as server-sent events: an event `request` with a summary whenever a request begins or
/// changes, and `lagged` with the number of missed events.
async fn live(State(app): State<Arc<App>>) -> Response {
    let mut changes = app.observation.journal.subscribe();
    let mut closing = app.closing.clone();
    let (sender, stream) = body_channel();
    tokio::spawn(async move {
        let mut text = ": watching\n\n".to_owned();
        while sender.send(Bytes::from(text)).await {
            text = tokio::select! {
                change = changes.recv() => match change {
                    Ok(summary) => event("request", &*summary),
                    Err(RecvError::Lagged(missed)) => event("lagged", &missed),
                    Err(RecvError::Closed) => break,
                },
                () = tokio::time::sleep(HEARTBEAT) => ": beat\n\n".to_owned(),
                _ = closing.wait_for(|it| *it) => break,
                () = sender.closed() => break,
            };
        }
    });
    let headers =
        [(header::CONTENT_TYPE, "text/event-stream"), (header::CACHE_CONTROL, "no-store")];
    (headers, Body::from_stream(stream)).into_response()
}

fn event<T: serde::Serialize>(name: &str, value: &T) -> String {
    let data = serde_json::to_string(value).unwrap_or_default();
    format!("event: {name}\ndata: {data}\n\n")
}
