//! Conversations that go to the chat model as the client composed them: those of editing clients and agents, which have
//! instructions, tools or a form of answer of their own, and those that want no evidence.

use std::sync::Arc;

use axum::response::Response;
use foreword_model::ModelError;
use foreword_model::ask::{Help, evidence_message};
use foreword_model::chat::Message;
use foreword_model::http::RawResponse;
use foreword_session::ask::intent::{is_about_conversation, is_courtesy, is_question};
use foreword_session::ask::model::ChatModel;
use foreword_session::backend::ChatSettings;
use foreword_session::host::Repository;
use foreword_session::usage::MAX_QUESTION_BYTES;
use serde_json::{Map, Value, json};

use super::messages::{Question, message};
use super::respond::{TOKENS, find, unavailable};
use crate::serve::app::App;
use crate::serve::backend::relay;
use crate::serve::http::error::ApiError;

const PATH: &str = "/v1/chat/completions";

/// Tokens that remain for the answer where the client sets no limit.
const ANSWER_TOKENS: usize = 2_000;

/// Evidence within fewer tokens is not worth its place.
const LEAST_TOKENS: usize = 500;

/// Whether a conversation is passed on as it is, apart from additional evidence.
pub(crate) fn is_composed(body: &Map<String, Value>) -> bool {
    let has = |field: &str| match body.get(field) {
        Some(Value::Array(it)) => !it.is_empty(),
        Some(Value::Object(it)) => it.get("type").is_none_or(|it| it != "text"),
        _ => false,
    };
    let is_own = |it: &Value| {
        let is_text = |part: &Value| part["type"] == "text";
        let parts = it["content"].as_array();
        !matches!(it["role"].as_str(), Some("user" | "assistant"))
            || it["tool_calls"].as_array().is_some_and(|it| !it.is_empty())
            || parts.is_some_and(|it| !it.iter().all(is_text))
    };
    let messages = body.get("messages").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let last = messages.last().and_then(message);
    let wants_none =
        last.is_some_and(|it| is_courtesy(it.text()) || is_about_conversation(it.text()));
    let is_composed = ["tools", "functions", "response_format"].iter().any(|it| has(it));
    wants_none || is_composed || messages.iter().any(is_own)
}

/// Sends a conversation to the chat model and relays its answer. The last message, if it is a question about the
/// repository, gets an additional message before it with the evidence. A server that refuses the additional message gets
/// the conversation without it.
pub(crate) async fn pass_on(
    app: &App,
    settings: &ChatSettings,
    repository: Arc<Repository>,
    mut body: Map<String, Value>,
) -> Result<Response, ApiError> {
    let model = ChatModel::connect(settings, TOKENS).await.map_err(|it| unavailable(&it))?;
    if !model.server.model().is_empty() {
        body.insert("model".to_owned(), model.server.model().into());
    }
    let text = evidence(&model, repository, &body).await?;
    let with_evidence = text.and_then(|it| with_message(&body, &it));
    let mut response = None;
    if let Some(it) = with_evidence {
        response = send(&model, it).await.ok().filter(RawResponse::is_success);
    }
    let response = match response {
        Some(it) => it,
        None => send(&model, body).await.map_err(|it| unavailable(&it))?,
    };
    Ok(relay::forward(&app.backend, Ok(response), app.closing.clone()).await)
}

async fn send(model: &ChatModel, body: Map<String, Value>) -> Result<RawResponse, ModelError> {
    model.server.relay_json(PATH, &Value::Object(body), None).await
}

/// The evidence for the last message as a message; `None` if it does not ask about the repository.
async fn evidence(
    model: &ChatModel,
    repository: Arc<Repository>,
    body: &Map<String, Value>,
) -> Result<Option<String>, ApiError> {
    let all = body.get("messages").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let Some(Message::User(text)) = all.last().and_then(message) else { return Ok(None) };
    let is_system = |it: &&Value| it["role"] == "system" || it["role"] == "developer";
    let mut orders = all.iter().filter(is_system).filter_map(|it| it["content"].as_str());
    let wants_none = text.len() > MAX_QUESTION_BYTES
        || !is_question(&text)
        || is_courtesy(&text)
        || is_about_conversation(&text)
        || orders.any(is_about_conversation);
    let length: usize = all.iter().map(|it| it.to_string().len()).sum();
    let answer =
        body.get("max_tokens").and_then(Value::as_u64).map_or(ANSWER_TOKENS, |it| it as usize);
    let tokens = model.evidence_tokens.min(model.window.saturating_sub(length / 3 + answer));
    if wants_none || tokens < LEAST_TOKENS {
        return Ok(None);
    }
    let name = repository.workspace().name.clone();
    let earlier = all[..all.len() - 1].iter().filter_map(message).collect();
    let question = Question::new(&text, earlier, Vec::new());
    let found = find(repository, &question, tokens, Help::default()).await?;
    let gathered = &found.gathered;
    let is_found = !gathered.is_absent() && gathered.strength.is_enough();
    Ok(is_found.then(|| evidence_message(&name, &gathered.evidence)))
}

/// The conversation with a message before the last one.
fn with_message(body: &Map<String, Value>, text: &str) -> Option<Map<String, Value>> {
    let mut body = body.clone();
    let messages = body.get_mut("messages")?.as_array_mut()?;
    messages.insert(messages.len().checked_sub(1)?, json!({ "role": "user", "content": text }));
    Some(body)
}
