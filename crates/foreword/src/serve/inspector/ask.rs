//! From a question of the page to a repository that is fresh, on a thread that may compute.

use std::sync::Arc;
use std::time::Duration;

use axum::http::StatusCode;
use axum::response::Response;
use serde::Serialize;

use crate::host::{Repository, View};
use crate::serve::app::App;
use crate::serve::http::error::{Refusal, json_of};

/// The repository whose root is `workspace`; the first one if none is named. Only those that the server was started
/// for: a page must not make it read other places.
fn repository(app: &App, workspace: Option<&str>) -> Result<Arc<Repository>, Refusal> {
    let root = |it: &Repository| it.workspace().root.display().to_string();
    let found = match workspace {
        None => app.repositories.first(),
        Some(workspace) => app.repositories.iter().find(|it| root(it) == workspace),
    };
    found.map(Arc::clone).ok_or_else(|| {
        let known: Vec<String> = app.repositories.iter().map(|it| root(it)).collect();
        let message = format!(
            "there is no workspace {}; there are: {}",
            workspace.unwrap_or_default(),
            known.join(", ")
        );
        Refusal::new(StatusCode::NOT_FOUND, message)
    })
}

/// How long a page waits for the disk, or for the first indexing.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);

/// The repository as it is now.
pub(super) fn view(repository: &Repository) -> Result<View, Refusal> {
    repository.view(Some(PATIENCE)).map_err(|it| failed(&it))
}

/// What went wrong without the page's fault.
pub(super) fn failed(error: &anyhow::Error) -> Refusal {
    Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, format!("{error:#}"))
}

/// Answers with what a function computes of a repository, on a thread of its own.
pub(super) async fn about<T, F>(
    app: Arc<App>,
    workspace: Option<String>,
    compute: F,
) -> Result<Response, Refusal>
where
    T: Serialize + Send + 'static,
    F: FnOnce(&App, &Repository) -> Result<T, Refusal> + Send + 'static,
{
    let repository = repository(&app, workspace.as_deref())?;
    let computed = tokio::task::spawn_blocking(move || compute(&app, &repository)).await;
    Ok(json_of(&computed.map_err(|it| failed(&it.into()))??))
}
