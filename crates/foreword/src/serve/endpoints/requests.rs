//! What the inspector and scripts ask of the server itself.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::get;
use serde_json::json;

use crate::serve::app::App;
use crate::serve::endpoints::live;
use crate::serve::http::error::{Refusal, json_of};
use crate::serve::observation::journal::Filter;

/// `/api/requests…`.
pub(crate) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/api/requests", get(list))
        .route("/api/requests/live", get(live::live))
        .route("/api/requests/{id}", get(one))
}

async fn list(State(app): State<Arc<App>>, Query(filter): Query<Filter>) -> Response {
    let requests: Vec<_> = app.journal.list(&filter).iter().map(|it| it.summary()).collect();
    json_of(&json!({ "version": 1, "requests": requests }))
}

async fn one(State(app): State<Arc<App>>, Path(id): Path<String>) -> Result<Response, Refusal> {
    let gone = || {
        let message = format!("there is no request {id}; only the last some hundred are kept");
        Refusal::new(StatusCode::NOT_FOUND, message)
    };
    let record = app.journal.get(&id).ok_or_else(gone)?;
    record.trace.ready().await;
    Ok(json_of(&*record))
}
