//! A connected server and the properties of its model.

use foreword_engine::compose::Format;
use foreword_model::http::{Api, Server};
use foreword_model::request::{CompletionRequest, CompletionResponse, Model as _, Sink};
use foreword_model::{ModelError, TokenCounter};
use tokio::sync::Semaphore;

use super::settings::BackendSettings;

/// Tokens of a model's window reserved for additions by the server.
const RESERVED_TOKENS: usize = 32;

/// The answer may reserve at most this fraction (one in N) of a model's window: some clients send the size of the window
/// as the limit of the answer.
const ANSWER_PART: usize = 4;

/// A server at the time of the connection.
pub struct Upstream {
    /// The connected server.
    pub server: Server,
    /// The format of its model, or why it is not known.
    pub format: Result<&'static Format, String>,
    /// Fixed for as long as this connection is used.
    pub counter: TokenCounter,
    /// Maximum tokens of a prompt and its answer, if the server or the settings have a limit.
    pub window: Option<usize>,
    /// Number of requests that it answers concurrently.
    pub slots: u64,
    /// Limits concurrent completions, if the settings do.
    parallel: Option<Semaphore>,
}

impl Upstream {
    /// Connects to the server at `url`.
    pub(super) async fn connect(url: &str, settings: &BackendSettings) -> Result<Self, ModelError> {
        let api = settings.api.as_deref().and_then(Api::named);
        let model = settings.model.as_deref();
        let server = Server::connect(url, api, model, settings.key.clone()).await?;
        server.ensure_suffix().await?;
        let format = match server.format(model).await {
            Ok(format) => Ok(format),
            Err(error @ (ModelError::UnknownFormat { .. } | ModelError::NoSuchToken { .. })) => {
                Err(error.to_string())
            }
            Err(error) => return Err(error),
        };
        let counter = counter(&server, format.as_ref().ok().copied(), settings).await?;
        let is_llama_cpp = server.api().is_llama_cpp();
        let window = [server.window().await.map(|it| it as usize), settings.limits.context];
        let slots = if is_llama_cpp { server.slots().await } else { None };
        Ok(Self {
            server,
            format,
            counter,
            window: window.into_iter().flatten().min(),
            slots: slots.unwrap_or(1),
            parallel: settings.limits.parallel.map(|it| Semaphore::new(it.max(1))),
        })
    }

    /// Completes a hole; waits if too many completions are under way.
    pub(super) async fn complete(
        &self,
        request: &CompletionRequest,
        sink: Sink<'_>,
    ) -> Result<CompletionResponse, ModelError> {
        let _permit = match &self.parallel {
            // It is never closed.
            Some(parallel) => parallel.acquire().await.ok(),
            None => None,
        };
        self.server.complete(request, sink).await
    }

    /// Whether this is the format of the server's model.
    pub(crate) fn has_format(&self, format: &Format) -> bool {
        self.format.as_ref().is_ok_and(|it| it.name == format.name)
    }

    /// Prompt budget after reserving the answer, within the windows of the model and of the client.
    pub(super) fn prompt_budget(
        &self,
        budget: usize,
        answer: usize,
        client_window: Option<usize>,
    ) -> usize {
        let window = [self.window, client_window].into_iter().flatten().min();
        let window = window.unwrap_or(usize::MAX);
        let left = (window - answer.min(window / ANSWER_PART)).saturating_sub(RESERVED_TOKENS);
        budget.min(left)
    }
}

/// The best counter for the model. Without a tokenizer's file it is calibrated once, by llama.cpp's tokenizer: a model's name
/// may promise a vocabulary that it does not have.
async fn counter(
    server: &Server,
    format: Option<&'static Format>,
    settings: &BackendSettings,
) -> Result<TokenCounter, ModelError> {
    let format = format.or_else(|| Format::named("comment")).ok_or(ModelError::NoPrompt)?;
    let counter = TokenCounter::for_format(format, settings.tokenizer.as_deref())?;
    match settings.tokenizer {
        None if server.api().is_llama_cpp() => Ok(server.calibrate(counter).await),
        _ => Ok(counter),
    }
}
