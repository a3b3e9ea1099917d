//! A request on its way to a response: the request with its record, the steps before its model is called, the request to
//! the model, and the model's answer with the parts that are streamed as the model writes them.

use std::collections::VecDeque;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use axum::response::{IntoResponse as _, Response};
use foreword_engine::compose::Format;
use foreword_model::embedded::Extent;
use foreword_model::http::{Delta, Line, Lines, RawResponse, delta};
use foreword_model::request::{CompletionRequest, CompletionResponse};
use foreword_model::{ModelError, TokenCounter};
use foreword_session::backend::{Backend, Endpoint as ModelEndpoint, LoadedModel, Unavailable};
use serde_json::Value;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::sync::watch;

use crate::serve::context::prepare::{PreparedContext, Surroundings};
use crate::serve::context::prompt::PromptSettings;
use crate::serve::http::error::ApiError;
use crate::serve::observation::in_flight::InFlight;
use crate::serve::options::Options;
use crate::serve::protocols::completion::Completion;
use crate::serve::protocols::request::ClientRequest;

/// A request, its record, and the server's closing signal.
pub(crate) struct Exchange {
    pub(crate) request: ClientRequest,
    pub(crate) in_flight: InFlight,
    /// True when the server is about to close: streams end then.
    pub(crate) closing: watch::Receiver<bool>,
}

impl Exchange {
    /// Ends the request with the error as its response.
    pub(crate) fn refuse(mut self, error: &Unavailable) -> Response {
        self.in_flight.record().notes.push(error.message.clone());
        let headers = self.in_flight.headers();
        self.in_flight.finish(error.status);
        let mut res = ApiError::from(error).into_response();
        res.headers_mut().extend(headers);
        res
    }
}

/// The steps of a request before its model is called, with a call of this type.
pub(crate) enum Plan<C> {
    /// None: the completion is known without a model.
    Answer(Box<Completion>),
    /// A call without context. `reason` states why, if context was expected.
    Call { call: Box<C>, reason: Option<String> },
    /// Composing the start of the next prompt, to be read ahead.
    WarmUp(PromptSettings),
    /// Composing a context.
    Complete(PromptSettings),
}

impl<C> Plan<C> {
    /// The same plan with another type of call.
    pub(crate) fn map<D>(self, to: impl FnOnce(C) -> D) -> Plan<D> {
        match self {
            Self::Answer(completion) => Plan::Answer(completion),
            Self::Call { call, reason } => Plan::Call { call: Box::new(to(*call)), reason },
            Self::WarmUp(settings) => Plan::WarmUp(settings),
            Self::Complete(settings) => Plan::Complete(settings),
        }
    }
}

/// Default maximum tokens of a completion.
const DEFAULT_MAX_TOKENS: usize = 256;

/// The prompt of a request, within the windows of the model and of the client.
pub(super) fn prompt_settings(
    endpoint: &ModelEndpoint,
    format: &'static Format,
    options: &Options,
    request: &ClientRequest,
) -> anyhow::Result<PromptSettings> {
    let max_tokens = request.options.max_tokens.unwrap_or(DEFAULT_MAX_TOKENS);
    Ok(PromptSettings {
        format,
        counter: endpoint.counter(format)?,
        budget: endpoint.client_budget(options.budget, max_tokens, request.options.window)?,
        preset: options.preset.clone(),
        input: endpoint.input(),
        least_confidence: Some(0.0),
    })
}

/// The request to a model that takes a prompt.
pub(super) fn model_request(
    request: &ClientRequest,
    context: PreparedContext,
) -> CompletionRequest {
    let options = &request.options;
    CompletionRequest {
        fill: context.fill,
        extent: Extent::Block(usize::MAX),
        max_tokens: options.max_tokens.unwrap_or(DEFAULT_MAX_TOKENS),
        stop: options.stop.clone(),
        temperature: options.temperature.unwrap_or(0.0) as f32,
        n: options.n,
        deadline: None,
        stop_check: None,
    }
}

/// A model's answer.
pub(crate) enum Answer {
    /// The server's response in the client's own protocol, or an error; relayed unchanged.
    Relayed(Arc<Backend>, RawResponse),
    /// A completion being generated, to be rendered in the client's protocol.
    Generating(Generation),
    /// A finished completion, with its part of the record.
    Complete { completion: Completion, part: Delta, surroundings: Option<Surroundings> },
    /// A completion without a model call.
    WithoutModel(Box<Completion>),
}

/// A completion being generated.
pub(crate) struct Generation {
    /// The completion without its text.
    pub(crate) completion: Completion,
    pub(crate) deltas: Deltas,
    /// The text around the completion, for clients that do not make it fit themselves.
    pub(crate) surroundings: Option<Surroundings>,
    /// The HTTP status of the server; 0 without one.
    pub(crate) status: u16,
}

/// Maximum pause between parts. Reading a long prompt on a small machine takes minutes.
const MAX_SILENCE: Duration = Duration::from_mins(5);

/// The parts of a completion.
pub(crate) enum Deltas {
    Server(Arc<Backend>, ServerDeltas),
    File(FileDeltas),
}

impl Deltas {
    /// The next part; `None` at the end.
    pub(crate) async fn next(&mut self) -> Option<Result<Delta, Unavailable>> {
        match self {
            Self::Server(backend, it) => {
                Some(it.next().await?.map_err(|error| backend.failed(&error)))
            }
            Self::File(it) => Some(it.next().await?.map_err(|error| Unavailable::from(&error))),
        }
    }
}

/// Fails if the server sends nothing for too long.
pub(super) async fn with_timeout<T>(
    what: impl Future<Output = Result<T, ModelError>>,
) -> Result<T, ModelError> {
    let silent = || ModelError::Timeout { url: "the model's server".to_owned() };
    tokio::time::timeout(MAX_SILENCE, what).await.unwrap_or_else(|_| Err(silent()))
}

/// The parts of a server's response.
pub(crate) struct ServerDeltas {
    response: RawResponse,
    lines: Lines,
    ready: VecDeque<Line>,
    is_over: bool,
}

impl ServerDeltas {
    pub(super) fn new(response: RawResponse) -> Self {
        Self { response, lines: Lines::default(), ready: VecDeque::new(), is_over: false }
    }

    /// The next part; `None` at the end.
    pub(super) async fn next(&mut self) -> Option<Result<Delta, ModelError>> {
        loop {
            match self.ready.pop_front() {
                Some(Line::Object(value)) => return Some(Self::part(&value)),
                Some(Line::Done) => return None,
                Some(Line::Invalid(text)) => {
                    self.is_over = true;
                    self.ready.clear();
                    let url = "the model's server".to_owned();
                    return Some(Err(ModelError::InvalidResponse { url, text }));
                }
                None if self.is_over => return None,
                None => {}
            }
            match with_timeout(self.response.chunk()).await {
                Ok(Some(bytes)) => self.ready.extend(self.lines.push(&bytes)),
                Ok(None) => {
                    self.is_over = true;
                    self.ready.extend(std::mem::take(&mut self.lines).finish());
                }
                Err(error) => {
                    self.is_over = true;
                    return Some(Err(error));
                }
            }
        }
    }

    fn part(value: &Value) -> Result<Delta, ModelError> {
        let mut part = delta(value);
        match part.error.take() {
            None => Ok(part),
            Some(message) => Err(ModelError::Refused {
                url: "the model's server".to_owned(),
                status: 502,
                message,
            }),
        }
    }
}

type Completing = Pin<Box<dyn Future<Output = Result<CompletionResponse, ModelError>> + Send>>;

/// The parts of a model file's completion. Dropping it cancels the completion.
pub(crate) struct FileDeltas {
    texts: UnboundedReceiver<String>,
    completing: Option<Completing>,
    /// The response, which ends the texts.
    response: Option<Result<CompletionResponse, ModelError>>,
    counter: TokenCounter,
}

impl FileDeltas {
    pub(super) fn new(model: Arc<LoadedModel>, request: CompletionRequest) -> Self {
        let counter = model.counter.clone();
        let (sender, texts) = unbounded_channel();
        let completing = async move {
            let mut sink = |text: &str| drop(sender.send(text.to_owned()));
            model.model.complete(&request, &mut sink).await
        };
        Self { texts, completing: Some(Box::pin(completing)), response: None, counter }
    }

    async fn next(&mut self) -> Option<Result<Delta, ModelError>> {
        if let Some(completing) = &mut self.completing {
            let response = tokio::select! {
                biased;
                Some(text) = self.texts.recv() => return Some(Ok(text_part(text))),
                response = completing => response,
            };
            self.completing = None;
            self.response = Some(response);
        }
        if let Ok(text) = self.texts.try_recv() {
            return Some(Ok(text_part(text)));
        }
        Some(self.response.take()?.map(|it| last_part(&it, &self.counter)))
    }
}

fn text_part(text: String) -> Delta {
    Delta { text, ..Delta::default() }
}

/// The values of a response other than its text.
pub(super) fn last_part(response: &CompletionResponse, counter: &TokenCounter) -> Delta {
    let tokens = response.choices.iter().map(|it| counter.count(&it.text) as u64);
    Delta {
        finish_reason: response.choices.first().map(|it| it.finish_reason),
        prompt_tokens: response.prompt_tokens,
        cached_tokens: response.cached_tokens,
        answer_tokens: Some(tokens.sum()),
        ..Delta::default()
    }
}
