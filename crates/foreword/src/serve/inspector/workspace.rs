//! Answers the page's requests about a repository's current state, on a thread for computations.

use std::sync::Arc;
use std::time::Duration;

use axum::http::StatusCode;
use axum::response::Response;
use foreword_session::host::{Repository, View};
use serde::Serialize;

use crate::serve::app::App;
use crate::serve::http::error::{ApiError, json_response};

/// The repository whose root is `workspace`; the first one if none is named. Only those that the server was started for: a
/// page must not make it read other directories.
pub(crate) fn repository(app: &App, workspace: Option<&str>) -> Result<Arc<Repository>, ApiError> {
    let repositories = &app.context.workspaces.repositories;
    let root = |it: &Repository| it.workspace().root.display().to_string();
    let found = match workspace {
        None => repositories.first(),
        Some(workspace) => repositories.iter().find(|it| root(it) == workspace),
    };
    found.map(Arc::clone).ok_or_else(|| {
        let known: Vec<String> = repositories.iter().map(|it| root(it)).collect();
        let message = format!(
            "there is no workspace {}; there are: {}",
            workspace.unwrap_or_default(),
            known.join(", ")
        );
        ApiError::new(StatusCode::NOT_FOUND, message)
    })
}

/// Maximum wait of a page for changes on the disk or the first indexing.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);

/// The current state of a repository.
pub(crate) fn view(repository: &Repository) -> Result<View, ApiError> {
    repository.view(Some(PATIENCE)).map_err(|it| ApiError::internal(&it))
}

/// The error for a file that is not in the index.
pub(crate) fn not_indexed(repository: &Repository, path: &str) -> ApiError {
    let why = match repository.admit(path) {
        Ok(()) => "; /api/ignored may say why".to_owned(),
        Err(secret) => format!(": {secret}"),
    };
    ApiError::new(StatusCode::NOT_FOUND, format!("{path} is not in the index{why}"))
}

/// Responds with a function's result for a repository, computed on a thread for computations.
pub(crate) async fn respond_with<T, F>(
    app: Arc<App>,
    workspace: Option<String>,
    compute: F,
) -> Result<Response, ApiError>
where
    T: Serialize + Send + 'static,
    F: FnOnce(&App, &Repository) -> Result<T, ApiError> + Send + 'static,
{
    let repository = repository(&app, workspace.as_deref())?;
    let computed = tokio::task::spawn_blocking(move || compute(&app, &repository)).await;
    Ok(json_response(&computed.map_err(|it| ApiError::internal(&it.into()))??))
}
