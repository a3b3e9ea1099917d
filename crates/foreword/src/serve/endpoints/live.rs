//! The journal as it grows, as server-sent events.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use tokio::sync::broadcast::error::RecvError;

use crate::serve::app::App;
use crate::serve::http::stream::Pipe;

/// How often a line is sent when nothing happens, so that a client that is gone is noticed.
const BEAT: Duration = Duration::from_secs(15);

/// `GET /api/requests/live`: an event `request` with a summary whenever a request comes or changes, and `lagged` with a
/// number when so many were missed.
pub(crate) async fn live(State(app): State<Arc<App>>) -> Response {
    let mut changes = app.journal.watch();
    let mut closing = app.closing.clone();
    let (pipe, body) = Pipe::new();
    tokio::spawn(async move {
        let mut text = ": watching\n\n".to_owned();
        while pipe.send(Bytes::from(text)).await {
            text = tokio::select! {
                change = changes.recv() => match change {
                    Ok(record) => event("request", &record.summary()),
                    Err(RecvError::Lagged(missed)) => event("lagged", &missed),
                    Err(RecvError::Closed) => break,
                },
                () = tokio::time::sleep(BEAT) => ": beat\n\n".to_owned(),
                _ = closing.wait_for(|it| *it) => break,
                () = pipe.closed() => break,
            };
        }
    });
    let headers =
        [(header::CONTENT_TYPE, "text/event-stream"), (header::CACHE_CONTROL, "no-store")];
    (headers, Body::from_stream(body)).into_response()
}

fn event<T: serde::Serialize>(name: &str, value: &T) -> String {
    let data = serde_json::to_string(value).unwrap_or_default();
    format!("event: {name}\ndata: {data}\n\n")
}
