//! OpenAI's `/v1/chat/completions`: answers the last question of a conversation with evidence from the repository, by the
//! configured chat model, or by the evidence alone if there is no model at all.
//!
//! A conversation with the client's own instructions or tools goes to the chat model as it is, with evidence as an
//! additional message. Without a configured chat model the request is forwarded unchanged to the completion server, whose clients compose
//! their own prompts.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, Uri, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::post;
use bytes::Bytes;
use foreword_session::answer::tokens;
use foreword_session::clock::unix_seconds;
use foreword_session::host::Repository;
use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::forward;
use crate::serve::app::App;
use crate::serve::clock::unix_millis;
use crate::serve::http::error::{ApiError, json_response};
use crate::serve::http::stream::{BodySender, body_channel, send_while};
use crate::serve::protocols::request::object;
use crate::serve::questions::{
    AnswerEnd, AnswerEvent, ChatQuestion, Question, Watch, is_composed, pass_on, respond,
};

pub(super) fn routes() -> Router<Arc<App>> {
    Router::new().route("/v1/chat/completions", post(chat))
}

async fn chat(State(app): State<Arc<App>>, uri: Uri, headers: HeaderMap, body: Bytes) -> Response {
    if app.options.chat.is_none() {
        let path = uri.path_and_query().map_or(uri.path(), |it| it.as_str());
        let forwarded = forward(&app, "POST", path, &headers, Some(body.clone())).await;
        if let Some(response) = forwarded {
            return response;
        }
    }
    let body = match object(&body) {
        Ok(body) => body,
        Err(error) => return error.into_response(),
    };
    if let Some(settings) = app.options.chat.as_ref().filter(|_| is_composed(&body)) {
        let name = body.get("model").and_then(Value::as_str).unwrap_or_default();
        let repository = repository(&app, name);
        let response = pass_on(&app, settings, repository, body).await;
        return response.unwrap_or_else(ApiError::into_response);
    }
    let question = match ChatQuestion::parse(&body) {
        Ok(question) => question,
        Err(error) => return error.into_response(),
    };
    if question.stream {
        let (sender, stream) = body_channel();
        tokio::spawn(write(app, question, sender));
        let mut response = Response::new(Body::from_stream(stream));
        let kind = HeaderValue::from_static("text/event-stream");
        response.headers_mut().insert(header::CONTENT_TYPE, kind);
        return response;
    }
    whole(&app, &question).await.unwrap_or_else(ApiError::into_response)
}

/// The repository that the client names as its model; the first one otherwise.
fn repository(app: &App, name: &str) -> Arc<Repository> {
    let all = &app.context.workspaces.repositories;
    Arc::clone(all.iter().find(|it| it.workspace().name == name).unwrap_or(&all[0]))
}

/// The answer from the repository that the question names.
async fn answer(
    app: &App,
    question: &ChatQuestion,
    watch: Watch<'_>,
) -> Result<AnswerEnd, ApiError> {
    let repository = repository(app, &question.model);
    respond(app.options.chat.as_ref(), repository, &question.question, watch).await
}

/// The answer in one object.
async fn whole(app: &App, question: &ChatQuestion) -> Result<Response, ApiError> {
    let mut text = String::new();
    let mut watch = |event: AnswerEvent<'_>| {
        if let AnswerEvent::Text(piece) | AnswerEvent::Sources(piece) = event {
            text.push_str(piece);
        }
    };
    let finished = answer(app, question, &mut watch).await?;
    let message = json!({ "role": "assistant", "content": text });
    let choice = json!({ "index": 0, "message": message, "finish_reason": finished.reason });
    let mut res = Frame::new(&question.model).object("chat.completion", &choice);
    res["usage"] = usage(&question.question, &text);
    res["foreword"] = finished.details;
    Ok(json_response(&res))
}

/// Streams the answer. If the client disconnects, the connection to the model is closed.
async fn write(app: Arc<App>, question: ChatQuestion, sender: BodySender) {
    let frame = Frame::new(&question.model);
    let (texts, written) = mpsc::unbounded_channel::<Bytes>();
    let mut written_text = String::new();
    let mut watch = |event: AnswerEvent<'_>| {
        if let AnswerEvent::Text(piece) | AnswerEvent::Sources(piece) = event {
            written_text.push_str(piece);
            drop(texts.send(frame.delta(&json!({ "content": piece }))));
        }
    };
    if !sender.send(frame.delta(&json!({ "role": "assistant", "content": "" }))).await {
        return;
    }
    let answering = answer(&app, &question, &mut watch);
    let Some(finished) = send_while(answering, written, &sender).await else { return };
    sender.send(frame.end(finished)).await;
    if question.counts_tokens {
        sender.send(frame.usage(&usage(&question.question, &written_text))).await;
    }
    sender.send(Bytes::from_static(b"data: [DONE]\n\n")).await;
}

/// Estimated tokens of the question and the answer as the client sees them. Some clients reject answers without usage.
fn usage(question: &Question, answer: &str) -> Value {
    let count = |text: &str| tokens::general().map_or(text.len() / 4, |it| it.count(text));
    let earlier: usize = question.earlier.iter().map(|it| count(it.text())).sum();
    let prompt = earlier + count(&question.question) + count(&question.pasted);
    let answer = count(answer);
    json!({ "prompt_tokens": prompt, "completion_tokens": answer, "total_tokens": prompt + answer })
}

/// The fields common to all objects of an answer.
struct Frame {
    id: String,
    created: u64,
    model: String,
}

impl Frame {
    fn new(model: &str) -> Self {
        let id = format!("chatcmpl-foreword-{}", unix_millis());
        Self { id, created: unix_seconds(), model: model.to_owned() }
    }

    fn object(&self, kind: &str, choice: &Value) -> Value {
        let Self { id, created, model } = self;
        json!({ "id": id, "object": kind, "created": created, "model": model, "choices": [choice] })
    }

    fn delta(&self, delta: &Value) -> Bytes {
        let choice = json!({ "index": 0, "delta": delta, "finish_reason": null });
        event(&self.object("chat.completion.chunk", &choice))
    }

    /// The token counts, as an event without choices.
    fn usage(&self, usage: &Value) -> Bytes {
        let mut last = self.object("chat.completion.chunk", &Value::Null);
        (last["choices"], last["usage"]) = (json!([]), usage.clone());
        event(&last)
    }

    /// The last event of the answer.
    fn end(&self, finished: Result<AnswerEnd, ApiError>) -> Bytes {
        let last = match finished {
            Ok(it) => {
                let choice = json!({ "index": 0, "delta": {}, "finish_reason": it.reason });
                let mut last = self.object("chat.completion.chunk", &choice);
                last["foreword"] = it.details;
                last
            }
            Err(error) => error.body(),
        };
        event(&last)
    }
}

fn event(value: &Value) -> Bytes {
    Bytes::from(format!("data: {value}\n\n"))
}
