//! The choices on the page: workspaces, prompt formats, signals.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use foreword_engine::compose::Format;
use foreword_engine::evidence::Signal;
use foreword_engine::preset;
use foreword_session::answer::trace::Weight;
use foreword_session::backend::Input;
use serde::Serialize;

use crate::serve::app::App;
use crate::serve::http::error::{ApiError, json_response};

#[derive(Serialize)]
struct Settings {
    version: u32,
    foreword: &'static str,
    workspaces: Vec<Workspace>,
    formats: Vec<FormatName>,
    format: String,
    budget: usize,
    /// Default weights.
    weights: Vec<Weight>,
    /// Whether a server or a model file answers, so that a replay can ask it.
    server: bool,
    /// The chat model that answers questions, if configured.
    chat: Option<String>,
}

#[derive(Serialize)]
struct Workspace {
    name: String,
    root: String,
}

#[derive(Serialize)]
struct FormatName {
    name: &'static str,
    title: &'static str,
}

/// `GET /api/settings`.
pub(super) async fn settings(State(app): State<Arc<App>>) -> Response {
    let workspaces = app.context.workspaces.repositories.iter().map(|it| it.workspace());
    let fuse = preset::context().fuse;
    let weight = |it: Signal| Weight { signal: it.name(), weight: fuse.weights[it] };
    json_response(&Settings {
        version: 1,
        foreword: env!("CARGO_PKG_VERSION"),
        workspaces: workspaces
            .map(|it| Workspace { name: it.name.clone(), root: it.root.display().to_string() })
            .collect(),
        formats: Format::ALL
            .iter()
            .map(|it| FormatName { name: it.name, title: it.title })
            .collect(),
        format: default_format(&app).name.to_owned(),
        budget: app.options.budget,
        weights: Signal::ALL.map(weight).to_vec(),
        server: app.backend.input() == Input::Prompt,
        chat: app.options.chat.as_ref().map(|it| it.title().to_owned()),
    })
}

/// The format that the model's name implies.
pub(super) fn default_format(app: &App) -> &'static Format {
    if let Some(model) = app.backend.file() {
        return model.format;
    }
    let name = app.options.backend.model.as_deref();
    name.and_then(|it| Format::named(it).or_else(|| Format::of_model(it))).unwrap_or(FALLBACK)
}

/// The format with this name, or the format of the model with this name.
pub(super) fn format_named(name: &str) -> Result<&'static Format, ApiError> {
    Format::named(name).or_else(|| Format::of_model(name)).ok_or_else(|| {
        let message = format!("there is no prompt format {name}; /api/settings lists them");
        ApiError::bad_request(message)
    })
}

/// The format of an unknown model.
const FALLBACK: &Format = &Format::ALL[0];
