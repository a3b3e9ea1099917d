//! The context of any place, by any settings: to open a place, and to replay a request.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use foreword_chunk::LineIndex;
use foreword_engine::compose::Format;
use foreword_engine::index::Snapshot;
use foreword_engine::preset::{self, Preset};
use foreword_engine::retrieve::Signal;
use foreword_engine::scope::Cursor;
use foreword_model::TokenCounter;
use serde::Deserialize;

use super::settings::default_format;
use super::{again, ask};
use crate::answer::prompt::{Wanted, compose};
use crate::answer::trace::Trace;
use crate::host::Repository;
use crate::serve::app::App;
use crate::serve::http::error::Refusal;

/// Budgets above this are a slip of the hand.
const MOST_TOKENS: usize = 1 << 20;

/// A place, and how its context is wanted.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Asked {
    /// A request that is still kept, instead of a place.
    request: Option<String>,
    workspace: Option<String>,
    file: Option<String>,
    /// 1-based; the first one without it.
    line: Option<u32>,
    /// 1-based, in characters; the end of the line without it.
    column: Option<usize>,
    /// A name of a format or a model.
    format: Option<String>,
    budget: Option<usize>,
    /// Of signals by name; the others keep theirs.
    #[serde(default)]
    weights: BTreeMap<String, f32>,
    /// Of a request: whether the model's server is to answer it again.
    #[serde(default)]
    answer: bool,
}

/// `GET /api/context?file=&line=`: the trace of a place in a file of the index.
pub(super) async fn context(
    State(app): State<Arc<App>>,
    Query(asked): Query<Asked>,
) -> Result<Response, Refusal> {
    traced(app, asked).await
}

/// `POST /api/replay`: the trace of a place, or of a request that is still kept, by other settings.
pub(super) async fn replay(State(app): State<Arc<App>>, body: Bytes) -> Result<Response, Refusal> {
    let asked: Asked = serde_json::from_slice(&body)
        .map_err(|it| Refusal::wrong(format!("the body is not a question: {it}")))?;
    let Some(request) = &asked.request else { return traced(app, asked).await };
    let preset = preset_of(&app, &asked)?;
    let wish = again::Wish {
        format: asked.format.as_deref(),
        preset,
        is_budget_said: asked.budget.is_some(),
        answer: asked.answer,
    };
    again::again(app, request, wish).await
}

async fn traced(app: Arc<App>, asked: Asked) -> Result<Response, Refusal> {
    let format = asked.format.as_deref();
    let format = format.map_or_else(|| Ok(default_format(&app)), named)?;
    let preset = preset_of(&app, &asked)?;
    let workspace = asked.workspace.clone();
    ask::about(app, workspace, move |app, repository| {
        trace(app, repository, &asked, format, preset)
    })
    .await
}

/// The format, or that of the model, with this name.
pub(super) fn named(name: &str) -> Result<&'static Format, Refusal> {
    Format::named(name).or_else(|| Format::of_model(name)).ok_or_else(|| {
        Refusal::wrong(format!("there is no prompt format {name}; /api/settings lists them"))
    })
}

fn preset_of(app: &App, asked: &Asked) -> Result<Preset, Refusal> {
    let mut preset = preset::context();
    let budget = asked.budget.unwrap_or(app.options.budget);
    if budget > MOST_TOKENS {
        return Err(Refusal::wrong(format!("a budget of {budget} tokens is too large")));
    }
    preset.budget = preset::budget(budget);
    for (name, weight) in &asked.weights {
        let signal = Signal::ALL.into_iter().find(|it| it.name() == name);
        let Some(signal) = signal else {
            let names = Signal::ALL.map(Signal::name).join(", ");
            return Err(Refusal::wrong(format!("there is no signal {name}; there are {names}")));
        };
        if !(0.0..=10.0).contains(weight) {
            return Err(Refusal::wrong(format!("the weight of {name} must be from 0 to 10")));
        }
        preset.fuse.weights[signal as usize] = *weight;
    }
    Ok(preset)
}

fn trace(
    app: &App,
    repository: &Repository,
    asked: &Asked,
    format: &'static Format,
    mut preset: Preset,
) -> Result<Trace, Refusal> {
    let tokenizer = app.options.backend.tokenizer.as_deref();
    let counter =
        TokenCounter::for_format(format, tokenizer).map_err(|it| Refusal::wrong(it.to_string()))?;
    preset.budget.total = preset.budget.total.saturating_sub(counter.added());
    let view = ask::view(repository)?;
    let cursor = cursor(&view.snapshot, asked)?;
    let wanted = Wanted {
        repository: &repository.workspace().name,
        snapshot: &view.snapshot,
        cursor: &cursor,
        preset: &preset,
        format,
        counter: &counter,
    };
    let made = compose(wanted).map_err(|it| Refusal::wrong(format!("{it:#}")))?;
    let mut trace = Trace::new(&wanted, &made, view.fresh);
    trace.notes.extend(view.trouble);
    Ok(trace)
}

/// The place in the file as the index has it: what is ignored can not be read from here.
fn cursor(snapshot: &Snapshot, asked: &Asked) -> Result<Cursor, Refusal> {
    let file = asked.file.as_deref().ok_or_else(|| Refusal::wrong("file is missing"))?;
    let line = asked.line.unwrap_or(1);
    let Some(found) = snapshot.file(file) else {
        let message = format!("{file} is not in the index; /api/ignored may say why");
        return Err(Refusal::new(StatusCode::NOT_FOUND, message));
    };
    let text = snapshot.text(found).to_string();
    let lines = LineIndex::new(text.as_bytes());
    let last = lines.line_of(text.len());
    if line == 0 || line > last {
        return Err(Refusal::wrong(format!("{file} has {last} lines; there is no line {line}")));
    }
    let start = lines.start_of(line);
    let content = text[start..].split('\n').next().unwrap_or_default().trim_end_matches('\r');
    let at = match asked.column {
        None => content.len(),
        Some(column) => content
            .char_indices()
            .map(|it| it.0)
            .chain([content.len()])
            .nth(column.saturating_sub(1))
            .unwrap_or(content.len()),
    };
    let offset = start + at;
    Ok(Cursor { path: file.to_owned(), text, offset, resume: offset, ..Cursor::default() })
}
