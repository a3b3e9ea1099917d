//! The answer to one question: the evidence, and what the chat model says of it.

use std::sync::Arc;
use std::time::Duration;

use axum::http::StatusCode;
use foreword_engine::ask::{AskRequest, EvidenceItem, Gathered, gather};
use foreword_engine::feedback::Config;
use foreword_engine::index::{ChunkId, Snapshot};
use foreword_model::ModelError;
use foreword_model::ask::{Conversation, ModelAnswer, converse};
use foreword_model::request::Sink;
use serde_json::{Value, json};

use super::messages::ChatQuestion;
use crate::answer::tokens;
use crate::ask::model::ChatModel;
use crate::ask::output::{AnswerOutput, evidence, missing, strength};
use crate::ask::reading::{Look, lines, reading};
use crate::ask::sources::sources;
use crate::host::Repository;
use crate::serve::app::App;
use crate::serve::http::error::ApiError;

/// Tokens of the evidence.
const TOKENS: usize = 4_000;

/// How long a question waits for what has changed on the disk.
const PATIENCE: Duration = Duration::from_secs(10);

/// How an answer ended.
pub(super) struct Finished {
    /// OpenAI's `finish_reason`.
    pub(super) reason: &'static str,
    /// What was found and checked (docs/serve.md).
    pub(super) details: Value,
}

/// Answers; `sink` receives the text as it comes.
pub(super) async fn respond(
    app: &App,
    question: &ChatQuestion,
    sink: Sink<'_>,
) -> Result<Finished, ApiError> {
    let model = match &app.options.chat {
        Some(settings) => {
            Some(ChatModel::connect(settings, TOKENS).await.map_err(|it| unavailable(&it))?)
        }
        None => None,
    };
    let tokens = model.as_ref().map_or(TOKENS, |it| it.evidence_tokens);
    let repository = repository(app, &question.model);
    let name = repository.workspace().name.clone();
    let (snapshot, gathered) = find(repository, question, tokens).await?;
    let missing = missing(&snapshot, &gathered);
    let Some(model) = model.filter(|_| !gathered.evidence.is_empty()) else {
        sink(&reading(&snapshot, &gathered, &LOOK));
        let details = details(&snapshot, &gathered, missing.as_deref(), &gathered.evidence);
        return Ok(Finished { reason: "stop", details });
    };
    let conversation = Conversation {
        snapshot: &snapshot,
        repository: name,
        question: question.question.clone(),
        pasted: question.pasted.clone(),
        earlier: question.earlier.clone(),
        gathered,
        missing,
    };
    let answer = converse(&model.server, &conversation, model.limits, &mut *sink).await;
    let answer = answer.map_err(|it| unavailable(&it))?;
    let cited = sources(&answer.evidence, &answer.cited, &place);
    if !cited.is_empty() {
        sink(&format!("\n{cited}"));
    }
    Ok(finished(&model, &conversation, &answer))
}

fn finished(model: &ChatModel, conversation: &Conversation<'_>, answer: &ModelAnswer) -> Finished {
    let Conversation { snapshot, gathered, missing, .. } = conversation;
    let mut details = details(snapshot, gathered, missing.as_deref(), &answer.evidence);
    details["answer"] = json!(AnswerOutput::new(model.name(), answer));
    let reason = if answer.end == "stop" { "stop" } else { "length" };
    Finished { reason, details }
}

/// The repository that the client names as its model; the first one otherwise.
fn repository(app: &App, model: &str) -> Arc<Repository> {
    let all = &app.context.workspaces.repositories;
    let named = all.iter().find(|it| it.workspace().name == model);
    Arc::clone(named.unwrap_or(&all[0]))
}

/// The evidence; away from the threads that serve requests.
async fn find(
    repository: Arc<Repository>,
    question: &ChatQuestion,
    most: usize,
) -> Result<(Arc<Snapshot>, Gathered), ApiError> {
    let (searched, pasted) = (question.searched.clone(), question.pasted.clone());
    let earlier = question.places.clone();
    let gathering = tokio::task::spawn_blocking(move || {
        let view = repository.view(Some(PATIENCE))?;
        let counter = tokens::general()?;
        let (snapshot, feedback) = (&view.snapshot, repository.feedback());
        let weighed = feedback.weigh(&searched, &Config::IN_FORCE);
        let prior = |chunk| weighed.factor(snapshot, chunk).into_iter().collect();
        let request = AskRequest {
            question: &searched,
            pasted: &pasted,
            repository: &repository.workspace().name,
            keep: None,
            prior: (!feedback.is_empty()).then_some(&prior as &dyn Fn(ChunkId) -> _),
            tokens: most,
            earlier: &earlier,
        };
        let gathered = gather(&view.snapshot, &request, &|text| counter.count(text));
        anyhow::Ok((view.snapshot, gathered))
    });
    let found = gathering.await.map_err(|it| ApiError::internal(&it.into()))?;
    found.map_err(|it| ApiError::internal(&it))
}

fn details(
    snapshot: &Snapshot,
    gathered: &Gathered,
    missing: Option<&str>,
    items: &[EvidenceItem],
) -> Value {
    json!({
        "snapshot": snapshot.id(),
        "strength": strength(&gathered.strength),
        "missing": missing,
        "evidence": evidence(items),
    })
}

/// The server that the settings name does not answer.
fn unavailable(error: &ModelError) -> ApiError {
    let status = StatusCode::from_u16(foreword_model::http::status_of(error));
    ApiError::new(status.unwrap_or(StatusCode::BAD_GATEWAY), error.to_string())
}

fn place(it: &EvidenceItem) -> String {
    format!("{}:{}", it.path, lines(it))
}

/// Text for programs.
const LOOK: Look<'_> =
    Look { place: &place, strong: &str::to_owned, faint: &str::to_owned, plain: &str::to_owned };
