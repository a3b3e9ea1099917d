//! A request that is still kept, once more: the same text, client's snippets and all, by other settings.

use std::sync::Arc;

use axum::http::StatusCode;
use axum::response::Response;
use foreword_engine::compose::Format;
use foreword_engine::preset::Preset;
use foreword_model::TokenCounter;
use serde_json::Value;

use super::ask::{PATIENCE, failed};
use super::context::named;
use crate::serve::app::App;
use crate::serve::ask::Ask;
use crate::serve::error::{Refusal, json_of};
use crate::serve::own;
use crate::serve::prepare::{Form, Prepared, prepare};
use crate::serve::record::Record;

/// The request's trace; where the embedded model answers, with what it writes then.
pub(super) async fn again(
    app: Arc<App>,
    id: &str,
    format: Option<&str>,
    preset: Preset,
) -> Result<Response, Refusal> {
    let gone = || {
        let message = format!("there is no request {id}; only the last some hundred are kept");
        Refusal::new(StatusCode::NOT_FOUND, message)
    };
    let record = app.journal.get(id).ok_or_else(gone)?;
    let ask = record.ask.clone().filter(|it| it.is_open()).ok_or_else(|| {
        Refusal::wrong("the request asks for nothing that context could be added to")
    })?;
    let form = form(&app, &record, format, preset)?;
    let is_embedded = form.reads_files;
    let prepared = computed(app, Arc::clone(&ask), form).await?;
    let trace = prepared.trace.as_deref().map(serde_json::from_str::<Value>).transpose();
    let trace = trace.map_err(|it| failed(&it.into()))?;
    let mut trace = trace.ok_or_else(|| Refusal::wrong(prepared.notes.join("; ")))?;
    if is_embedded {
        let answer = own::complete(&ask, prepared).await.into_iter().next();
        trace["answer"] = answer.map_or(Value::Null, Value::String);
    }
    Ok(json_of(&trace))
}

/// The form of the request, or the one that is asked for.
fn form(app: &App, record: &Record, format: Option<&str>, preset: Preset) -> Result<Form, Refusal> {
    let known = || {
        let trace: Value = serde_json::from_str(record.trace.as_deref()?).ok()?;
        Format::named(trace["settings"]["format"].as_str()?)
    };
    let format = match format {
        Some(name) => named(name)?,
        None => known().unwrap_or_else(|| super::settings::default_format(app)),
    };
    let counter = TokenCounter::for_format(format, app.options.tokenizer.as_deref())
        .map_err(|it| Refusal::wrong(it.to_string()))?;
    let reads_files = app.options.model_url.is_none();
    Ok(Form { format, counter, budget: preset.budget.total, preset, reads_files, explained: true })
}

async fn computed(app: Arc<App>, ask: Arc<Ask>, form: Form) -> Result<Prepared, Refusal> {
    let work = move || prepare(&app, &ask, &form, PATIENCE);
    let prepared = tokio::task::spawn_blocking(work).await.map_err(|it| failed(&it.into()))?;
    prepared.map_err(|it| Refusal::wrong(format!("{it:#}")))
}
