//! The parts of a completion, streamed as the model writes them.

use std::collections::VecDeque;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use foreword_model::http::{Delta, Line, Lines, RawResponse, delta};
use foreword_model::request::{CompletionRequest, CompletionResponse};
use foreword_model::{ModelError, TokenCounter};
use foreword_session::backend::{Backend, LoadedModel, Unavailable};
use serde_json::Value;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

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
