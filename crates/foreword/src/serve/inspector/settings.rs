//! What can be asked and set: workspaces, prompt formats, signals.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use foreword_engine::compose::Format;
use foreword_engine::preset;
use foreword_engine::retrieve::Signal;
use serde::Serialize;

use crate::answer::trace::Weight;
use crate::backend::Input;
use crate::serve::app::App;
use crate::serve::http::error::json_of;

#[derive(Serialize)]
struct Settings {
    version: u32,
    foreword: &'static str,
    workspaces: Vec<Workspace>,
    formats: Vec<Form>,
    format: String,
    budget: usize,
    /// The defaults.
    weights: Vec<Weight>,
    /// Whether a server's or a file's model answers, who may be asked again.
    server: bool,
}

#[derive(Serialize)]
struct Workspace {
    name: String,
    root: String,
}

#[derive(Serialize)]
struct Form {
    name: &'static str,
    title: &'static str,
}

/// `GET /api/settings`.
pub(super) async fn settings(State(app): State<Arc<App>>) -> Response {
    let workspaces = app.repositories.iter().map(|it| it.workspace());
    let fuse = preset::context().fuse;
    let weight = |it: Signal| Weight { signal: it.name(), weight: fuse.weights[it as usize] };
    json_of(&Settings {
        version: 1,
        foreword: env!("CARGO_PKG_VERSION"),
        workspaces: workspaces
            .map(|it| Workspace { name: it.name.clone(), root: it.root.display().to_string() })
            .collect(),
        formats: Format::ALL.iter().map(|it| Form { name: it.name, title: it.title }).collect(),
        format: default_format(&app).name.to_owned(),
        budget: app.options.budget,
        weights: Signal::ALL.map(weight).to_vec(),
        server: app.backend.input() == Input::Prompt,
    })
}

/// The format of the server's model, as far as its name says it.
pub(super) fn default_format(app: &App) -> &'static Format {
    if let Some(local) = app.backend.file() {
        return local.format;
    }
    let named = app.options.backend.model.as_deref();
    named.and_then(|it| Format::named(it).or_else(|| Format::of_model(it))).unwrap_or(FALLBACK)
}

/// The first of all.
const FALLBACK: &Format = &Format::ALL[0];
