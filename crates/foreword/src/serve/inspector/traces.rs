//! The trace of a context with given settings, for a position in a file or for a replayed request.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Query, State};
use axum::response::Response;
use foreword_chunk::LineIndex;
use foreword_engine::compose::Format;
use foreword_engine::evidence::Signal;
use foreword_engine::index::Snapshot;
use foreword_engine::preset::Preset;
use foreword_engine::scope::Cursor;
use foreword_engine::speculate::ShownForecasts;
use foreword_model::TokenCounter;
use foreword_session::answer::prompt::{PromptRequest, compose};
use foreword_session::answer::trace::Trace;
use foreword_session::host::Repository;
use serde::Deserialize;

use super::replay::{self, ReplayBudget, ReplayModel, ReplaySettings};
use super::settings::{default_format, format_named};
use super::workspace::{not_indexed, respond_with, view};
use crate::serve::app::App;
use crate::serve::http::error::ApiError;

/// Maximum budget in tokens.
const MAX_BUDGET: usize = 1 << 20;

/// A position or a request, and the settings of its context.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ContextQuery {
    /// The id of a request in the journal, instead of a position.
    request: Option<String>,
    workspace: Option<String>,
    file: Option<String>,
    /// 1-based; default: 1.
    line: Option<u32>,
    /// 1-based, in characters; default: the end of the line.
    column: Option<usize>,
    /// The name of a format or a model.
    format: Option<String>,
    budget: Option<usize>,
    /// Weights of signals by name; the others keep theirs.
    #[serde(default)]
    weights: BTreeMap<String, f32>,
    /// Whether the model answers a replayed request again.
    #[serde(default)]
    answer: bool,
}

/// `GET /api/context?file=&line=`: the trace of a position in an indexed file.
pub(super) async fn context(
    State(app): State<Arc<App>>,
    Query(query): Query<ContextQuery>,
) -> Result<Response, ApiError> {
    trace_position(app, query).await
}

/// `POST /api/replay`: the trace of a position, or of a request in the journal, by other settings.
pub(super) async fn replay(State(app): State<Arc<App>>, body: Bytes) -> Result<Response, ApiError> {
    let query: ContextQuery = serde_json::from_slice(&body)
        .map_err(|it| ApiError::bad_request(format!("the body is not a valid request: {it}")))?;
    let Some(request) = &query.request else { return trace_position(app, query).await };
    let has_budget = query.budget.is_some();
    let settings = ReplaySettings {
        format: query.format.as_deref(),
        preset: preset(&app, &query)?,
        budget: if has_budget { ReplayBudget::Preset } else { ReplayBudget::Request },
        model: if query.answer { ReplayModel::Answers } else { ReplayModel::OnlyEmbedded },
    };
    replay::replay(app, request, settings).await
}

async fn trace_position(app: Arc<App>, query: ContextQuery) -> Result<Response, ApiError> {
    let format = query.format.as_deref();
    let format = format.map_or_else(|| Ok(default_format(&app)), format_named)?;
    let preset = preset(&app, &query)?;
    let workspace = query.workspace.clone();
    respond_with(app, workspace, move |app, repository| {
        trace(app, repository, &query, format, preset)
    })
    .await
}

/// The ranking preset with the weights and the budget of the query.
fn preset(app: &App, query: &ContextQuery) -> Result<Preset, ApiError> {
    let mut preset = app.options.preset.clone();
    let budget = query.budget.unwrap_or(app.options.budget);
    if budget > MAX_BUDGET {
        return Err(ApiError::bad_request(format!("a budget of {budget} tokens is too large")));
    }
    preset.budget.total = budget;
    for (name, weight) in &query.weights {
        let Some(signal) = Signal::named(name) else {
            let names = Signal::ALL.map(Signal::name).join(", ");
            return Err(ApiError::bad_request(format!(
                "there is no signal {name}; there are {names}"
            )));
        };
        if !(0.0..=10.0).contains(weight) {
            return Err(ApiError::bad_request(format!(
                "the weight of {name} must be from 0 to 10"
            )));
        }
        preset.fuse.weights[signal] = *weight;
    }
    Ok(preset)
}

fn trace(
    app: &App,
    repository: &Repository,
    query: &ContextQuery,
    format: &'static Format,
    mut preset: Preset,
) -> Result<Trace, ApiError> {
    let tokenizer = app.options.backend.tokenizer.as_deref();
    let counter = TokenCounter::for_format(format, tokenizer)
        .map_err(|it| ApiError::bad_request(it.to_string()))?;
    preset.budget.total = preset.budget.total.saturating_sub(counter.added());
    let view = view(repository)?;
    let cursor = cursor(repository, &view.snapshot, query)?;
    let (cursor, activity) = repository.elsewhere(cursor.path(), &view.snapshot).at(cursor);
    let (plan, most) = repository.plan(cursor.path());
    let request = PromptRequest {
        repository: &repository.workspace().name,
        snapshot: &view.snapshot,
        cursor: &cursor,
        activity: &activity,
        preset: &preset,
        format,
        counter: &counter,
        deadline: None,
        is_fresh: view.fresh,
        forecasts: ShownForecasts::beside(plan.as_ref(), most),
    };
    let analyzer = &app.host.setup().analyzer;
    let run = compose(request, analyzer).map_err(|it| ApiError::bad_request(format!("{it:#}")))?;
    let mut trace = Trace::new(&request, &run);
    trace.notes.extend(view.trouble);
    Ok(trace)
}

/// The cursor in the indexed file: ignored files cannot be read through the inspector.
fn cursor(
    repository: &Repository,
    snapshot: &Snapshot,
    query: &ContextQuery,
) -> Result<Cursor, ApiError> {
    let file = query.file.as_deref().ok_or_else(|| ApiError::bad_request("file is missing"))?;
    let line = query.line.unwrap_or(1);
    let Some(found) = snapshot.file(file) else { return Err(not_indexed(repository, file)) };
    let text = snapshot.text(found).to_string();
    let lines = LineIndex::new(text.as_bytes());
    let last = lines.line_of(text.len());
    if line == 0 || line > last {
        return Err(ApiError::bad_request(format!(
            "{file} has {last} lines; there is no line {line}"
        )));
    }
    let start = lines.start_of(line);
    let content = text[start..].split('\n').next().unwrap_or_default().trim_end_matches('\r');
    let at = match query.column {
        None => content.len(),
        Some(column) => content
            .char_indices()
            .map(|it| it.0)
            .chain([content.len()])
            .nth(column.saturating_sub(1))
            .unwrap_or(content.len()),
    };
    let offset = start + at;
    let cursor = repository.cursor(file.to_owned(), &text, offset);
    cursor.map_err(|it| ApiError::bad_request(it.to_string()))
}
