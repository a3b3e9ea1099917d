//! A request that is still kept, once more: the same text, client's snippets and all, by other settings.

use std::sync::Arc;
use std::time::Duration;

use axum::http::StatusCode;
use axum::response::Response;
use foreword_engine::compose::Format;
use foreword_engine::preset::Preset;
use foreword_model::TokenCounter;
use foreword_model::http::completion_body;
use serde_json::Value;

use super::ask::{PATIENCE, failed};
use super::context::named;
use crate::backend::{Input, Unavailable};
use crate::serve::app::App;
use crate::serve::backend::reader::Reader;
use crate::serve::backend::{embedded, file, request_body};
use crate::serve::complete::{request, way};
use crate::serve::context::prepare::{Form, Prepared, prepare};
use crate::serve::http::error::{Refusal, json_of};
use crate::serve::observation::record::Record;
use crate::serve::protocols::request::Ask;

/// How long somebody who looks at a page waits for a model.
const ANSWER: Duration = Duration::from_mins(2);

/// How a request is replayed.
pub(super) struct Wish<'w> {
    /// The request's own without it.
    pub(super) format: Option<&'w str>,
    pub(super) preset: Preset,
    /// Whether the budget of the preset is meant, or that of the request.
    pub(super) is_budget_said: bool,
    /// Whether the model's server is to answer.
    pub(super) answer: bool,
}

/// The request's trace; with what is answered to it now, by the embedded model or where that is wished.
pub(super) async fn again(app: Arc<App>, id: &str, wish: Wish<'_>) -> Result<Response, Refusal> {
    let gone = || {
        let message = format!("there is no request {id}; only the last some hundred are kept");
        Refusal::new(StatusCode::NOT_FOUND, message)
    };
    let record = app.journal.get(id).ok_or_else(gone)?;
    record.trace.ready().await;
    let ask = record.ask.clone().filter(|it| it.is_open()).ok_or_else(|| {
        Refusal::wrong("the request asks for nothing that context could be added to")
    })?;
    let form = form(&app, &record, &wish)?;
    let is_embedded = form.reads_files;
    let (prepared, trace) = computed(Arc::clone(&app), Arc::clone(&ask), form).await?;
    let trace = trace.ok_or_else(|| Refusal::wrong(prepared.notes.join("; ")))?;
    let mut trace: Value = serde_json::from_str(&trace).map_err(|it| failed(&it.into()))?;
    if is_embedded {
        let answer = embedded::complete(&ask, prepared).await.into_iter().next();
        trace["answer"] = answer.map_or(Value::Null, Value::String);
    } else if wish.answer {
        let mut ask = Ask::clone(&ask);
        ask.body = serde_json::from_str(&record.request).map_err(|it| failed(&it.into()))?;
        let asked = tokio::time::timeout(ANSWER, answered(&app, ask, prepared)).await;
        let late = "the model's server has not answered in two minutes";
        let late = |_| Refusal::new(StatusCode::GATEWAY_TIMEOUT, late);
        trace["answer"] = asked.map_err(late)??.into();
    }
    Ok(json_of(&trace))
}

/// What the model's server says to the prompt; it is asked as the client would be answered, but for the stream.
async fn answered(app: &App, mut ask: Ask, prepared: Prepared) -> Result<String, Refusal> {
    if let Some(local) = app.backend.file() {
        let mut request = file::asked(&ask, prepared, None);
        request.n = 1;
        let answer = local.model.complete(&request, &mut |_| {}).await;
        let answer = answer.map_err(|it| Unavailable::from(&it).refusal())?;
        return Ok(answer.choices.into_iter().next().map(|it| it.text).unwrap_or_default());
    }
    let lost = |it| app.backend.failed(&it).refusal();
    let upstream = app.backend.server().await.map_err(|it| it.refusal())?;
    let upstream = upstream.ok_or_else(|| Refusal::wrong("there is no model's server"))?;
    ask.wants.n = 1;
    let (way, _) = way(&upstream, &ask);
    let base = completion_body(way.api, upstream.server.model(), &request(&ask, prepared));
    let base = base.map_err(lost)?;
    let mut sent = request_body::body(&ask, base, way, &upstream);
    sent["stream"] = false.into();
    let relayed = upstream.server.relay_json(way.api.path(), &sent, None).await;
    let mut relayed = relayed.map_err(lost)?;
    if !relayed.is_success() {
        let said = relayed.rest(MOST_REFUSAL).await.unwrap_or_default();
        let message = String::from_utf8_lossy(&said).into_owned();
        return Err(Unavailable { status: relayed.status, message }.refusal());
    }
    let mut reader = Reader::new(relayed);
    let mut res = String::new();
    while let Some(part) = reader.next().await {
        res.push_str(&part.map_err(lost)?.text);
    }
    Ok(res)
}

/// Bytes of a refusal that are shown.
const MOST_REFUSAL: usize = 4 << 10;

/// The form of the request, or the one that is asked for.
fn form(app: &App, record: &Record, wish: &Wish<'_>) -> Result<Form, Refusal> {
    let trace = record.trace.value();
    let settings = trace.as_ref().map(|it| &it["settings"]);
    let known = || Format::named(settings?["format"].as_str()?);
    let format = match wish.format {
        Some(name) => named(name)?,
        None => known().unwrap_or_else(|| super::settings::default_format(app)),
    };
    let own = settings.and_then(|it| it["budget"].as_u64()).filter(|_| !wish.is_budget_said);
    let budget = own.map_or(wish.preset.budget.total, |it| it as usize);
    let counter = match app.backend.file().filter(|it| it.format.name == format.name) {
        Some(local) => local.counter.clone(),
        None => TokenCounter::for_format(format, app.options.backend.tokenizer.as_deref())
            .map_err(|it| Refusal::wrong(it.to_string()))?,
    };
    let reads_files = app.backend.input() == Input::Files;
    Ok(Form { format, counter, budget, preset: wish.preset, reads_files })
}

/// The context, and its explanation as JSON.
async fn computed(
    app: Arc<App>,
    ask: Arc<Ask>,
    form: Form,
) -> Result<(Prepared, Option<String>), Refusal> {
    let work = move || {
        let mut prepared = Prepared::default();
        let hand_over = |it| {
            prepared = it;
            true
        };
        let trace = prepare(&app, &ask, &form, PATIENCE, hand_over)?;
        anyhow::Ok((prepared, trace))
    };
    let made = tokio::task::spawn_blocking(work).await.map_err(|it| failed(&it.into()))?;
    made.map_err(|it| Refusal::wrong(format!("{it:#}")))
}
