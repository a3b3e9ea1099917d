//! Questions from the page: the evidence is sent first, then the answer as it is written.

use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse as _, Response};
use foreword_model::chat::Message;
use foreword_session::ask::output::CallWithEvidence;
use foreword_session::backend::ChatSettings;
use foreword_session::host::Repository;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::workspace::repository;
use crate::serve::app::App;
use crate::serve::http::error::ApiError;
use crate::serve::http::stream::{BodySender, body_channel, send_while};
use crate::serve::questions::{AnswerEvent, Question, respond};

/// Maximum number of earlier questions read.
const MAX_EARLIER: usize = 500;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AskBody {
    workspace: Option<String>,
    /// A question; after an empty line, text that belongs to it, such as a traceback.
    question: String,
    /// Earlier questions and answers, oldest first.
    #[serde(default)]
    earlier: Vec<EarlierAnswer>,
    /// Places that earlier answers cited: paths, first and last lines, most recent first.
    #[serde(default)]
    places: Vec<(String, u32, u32)>,
    /// Required tags; a tag after `!` is excluded (docs/customise.md).
    #[serde(default)]
    tags: Vec<String>,
    #[serde(default)]
    by: AskedBy,
}

#[derive(Deserialize)]
struct EarlierAnswer {
    question: String,
    answer: String,
}

/// Who answers the question.
#[derive(Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum AskedBy {
    /// The configured chat model, if any.
    #[default]
    Model,
    /// No model: the reading list is the answer.
    Evidence,
}

/// `POST /api/ask`, as server-sent events: `evidence`, then any number of `text` and `call`, then `end` or
/// `error`.
pub(super) async fn ask(State(app): State<Arc<App>>, body: Bytes) -> Result<Response, ApiError> {
    let body: AskBody = serde_json::from_slice(&body)
        .map_err(|it| ApiError::bad_request(format!("the body is not a valid question: {it}")))?;
    if body.question.trim().is_empty() {
        return Err(ApiError::bad_request("question is missing"));
    }
    if body.earlier.len() > MAX_EARLIER {
        let message = format!("earlier: at most {MAX_EARLIER} are read");
        return Err(ApiError::bad_request(message));
    }
    let repository = repository(&app, body.workspace.as_deref())?;
    let (sender, stream) = body_channel();
    tokio::spawn(answer(app, repository, body, sender));
    let headers =
        [(header::CONTENT_TYPE, "text/event-stream"), (header::CACHE_CONTROL, "no-store")];
    Ok((headers, Body::from_stream(stream)).into_response())
}

/// Streams the answer. If the page cancels or disconnects, the connection to the model is closed.
async fn answer(app: Arc<App>, repository: Arc<Repository>, body: AskBody, sender: BodySender) {
    let chat = app.options.chat.as_ref().filter(|_| body.by == AskedBy::Model);
    let by = chat.map(ChatSettings::title);
    let mut question = Question::new(&body.question, messages(&body.earlier), body.places.clone());
    question.tags.clone_from(&body.tags);
    let (events, written) = mpsc::unbounded_channel::<Bytes>();
    let mut watch = |it: AnswerEvent<'_>| {
        if let Some(bytes) = rendered(it, by) {
            drop(events.send(bytes));
        }
    };
    let answering = respond(chat, repository, &question, &mut watch);
    let Some(finished) = send_while(answering, written, &sender).await else { return };
    let last: Value = match &finished {
        Ok(it) => it.details.clone(),
        Err(error) => error.body(),
    };
    sender.send(event(if finished.is_ok() { "end" } else { "error" }, &last)).await;
}

/// Renders an event for the page, which lists the sources itself; `by` is the model that answers.
fn rendered(it: AnswerEvent<'_>, by: Option<&str>) -> Option<Bytes> {
    match it {
        AnswerEvent::Evidence(found) => {
            let mut value = found.for_reading();
            value["by"] = json!(by);
            Some(event("evidence", &value))
        }
        AnswerEvent::Text(text) => Some(event("text", text)),
        AnswerEvent::Call(call, items) => Some(event("call", &CallWithEvidence::new(call, items))),
        AnswerEvent::Sources(_) => None,
    }
}

/// Earlier questions and answers for a model, without reading lists.
fn messages(earlier: &[EarlierAnswer]) -> Vec<Message> {
    let mut res = Vec::new();
    for it in earlier {
        res.push(Message::User(it.question.clone()));
        if !it.answer.is_empty() {
            res.push(Message::Assistant { text: it.answer.clone(), tool_calls: Vec::new() });
        }
    }
    res
}

fn event<T: Serialize + ?Sized>(name: &str, value: &T) -> Bytes {
    let data = serde_json::to_string(value).unwrap_or_default();
    Bytes::from(format!("event: {name}\ndata: {data}\n\n"))
}
