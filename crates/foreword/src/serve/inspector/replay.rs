//! Replays a request of the journal: the same text and client snippets, with other settings.

use std::sync::Arc;
use std::time::Duration;

use axum::http::StatusCode;
use axum::response::Response;
use foreword_engine::compose::Format;
use foreword_engine::preset::Preset;
use foreword_model::TokenCounter;
use foreword_session::backend::{Input, Unavailable};
use serde_json::Value;

use super::settings::{default_format, format_named};
use super::workspace::PATIENCE;
use crate::serve::app::App;
use crate::serve::complete::Target;
use crate::serve::context::prepare::{Explainable, Preparation, PreparedContext, PromptInputs};
use crate::serve::context::prompt::PromptSettings;
use crate::serve::http::error::{ApiError, json_response};
use crate::serve::observation::record::Record;
use crate::serve::protocols::request::ClientRequest;

/// How long a page waits for the model.
const ANSWER_TIMEOUT: Duration = Duration::from_mins(2);

/// The settings of a replay.
pub(super) struct ReplaySettings<'r> {
    /// Default: the request's own.
    pub(super) format: Option<&'r str>,
    pub(super) preset: Preset,
    pub(super) budget: ReplayBudget,
    pub(super) model: ReplayModel,
}

/// The token budget of a replay.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ReplayBudget {
    /// The preset's budget.
    Preset,
    /// The request's budget.
    Request,
}

/// Whether the model answers again.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ReplayModel {
    Answers,
    /// Only the embedded model answers, which takes milliseconds.
    OnlyEmbedded,
}

/// The trace of a request by these settings, with the model's new answer.
pub(super) async fn replay(
    app: Arc<App>,
    id: &str,
    settings: ReplaySettings<'_>,
) -> Result<Response, ApiError> {
    let record = app.observation.journal.get(id).ok_or_else(|| ApiError::not_in_journal(id))?;
    record.explanation.settled().await;
    let request =
        record.parsed.clone().filter(|it| it.accepts_context()).ok_or_else(|| {
            ApiError::bad_request("context cannot be added to this kind of request")
        })?;
    let prompt = prompt_settings(&app, &record, &settings)?;
    let is_embedded = prompt.input == Input::Files;
    let (context, trace) = prepare(Arc::clone(&app), Arc::clone(&request), prompt.clone()).await?;
    let trace = trace.ok_or_else(|| ApiError::bad_request(context.notes.join("; ")))?;
    let mut trace: Value =
        serde_json::from_str(&trace).map_err(|it| ApiError::internal(&it.into()))?;
    if is_embedded || settings.model == ReplayModel::Answers {
        let mut request = ClientRequest::clone(&request);
        request.body =
            serde_json::from_str(&record.request).map_err(|it| ApiError::internal(&it.into()))?;
        let answer = answer(&app, request, &prompt, context);
        let late = "the model's server has not answered in two minutes";
        let late = |_| ApiError::new(StatusCode::GATEWAY_TIMEOUT, late);
        let answer = tokio::time::timeout(ANSWER_TIMEOUT, answer).await.map_err(late)?;
        let answer = answer.map_err(|it| ApiError::from(&it))?;
        trace["answer"] = answer.map_or(Value::Null, Value::String);
    }
    Ok(json_response(&trace))
}

/// The model's completion: the client's request, with one choice and without a stream.
async fn answer(
    app: &App,
    mut request: ClientRequest,
    settings: &PromptSettings,
    context: PreparedContext,
) -> Result<Option<String>, Unavailable> {
    request.options.n = 1;
    let target = Target::of(&app.backend, &request, None).await?;
    let call = target.complete(&request, settings, Some(context))?;
    call.text().await
}

/// The prompt settings: those of the replay, else the request's own.
fn prompt_settings(
    app: &App,
    record: &Record,
    replay: &ReplaySettings<'_>,
) -> Result<PromptSettings, ApiError> {
    let trace = record.explanation.value();
    let settings = trace.as_ref().map(|it| &it["settings"]);
    let known = || Format::named(settings?["format"].as_str()?);
    let format = match replay.format {
        Some(name) => format_named(name)?,
        None => known().unwrap_or_else(|| default_format(app)),
    };
    let own = settings.and_then(|it| it["budget"].as_u64());
    let own = own.filter(|_| replay.budget == ReplayBudget::Request);
    let budget = own.map_or(replay.preset.budget.total, |it| it as usize);
    let counter = match app.backend.file().filter(|it| it.format.name == format.name) {
        Some(model) => model.counter.clone(),
        None => TokenCounter::for_format(format, app.options.backend.tokenizer.as_deref())
            .map_err(|it| ApiError::bad_request(it.to_string()))?,
    };
    let input = app.backend.input();
    // A replay shows the model's text even if it would be withheld.
    let (preset, least_confidence) = (replay.preset.clone(), Some(0.0));
    Ok(PromptSettings { format, counter, budget, preset, input, least_confidence })
}

/// The context, and its explanation as JSON.
async fn prepare(
    app: Arc<App>,
    request: Arc<ClientRequest>,
    settings: PromptSettings,
) -> Result<(PreparedContext, Option<String>), ApiError> {
    let work = move || {
        let workspaces = &app.context.workspaces;
        let inputs = PromptInputs::gather(workspaces, &request, &settings, PATIENCE)?;
        let Preparation { context, explainable } = inputs.prepare()?;
        let trace = explainable.as_ref().map(Explainable::explain).transpose()?;
        anyhow::Ok((context, trace))
    };
    let prepared = tokio::task::spawn_blocking(work).await;
    let prepared = prepared.map_err(|it| ApiError::internal(&it.into()))?;
    prepared.map_err(|it| ApiError::bad_request(format!("{it:#}")))
}
