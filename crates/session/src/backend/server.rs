//! A model's server that has been reached, and what is known of its model.

use foreword_engine::compose::Format;
use foreword_model::http::{Api, Server};
use foreword_model::request::{CompletionRequest, CompletionResponse, Model as _, Sink};
use foreword_model::{Counting, ModelError, TokenCounter};
use tokio::sync::Semaphore;

use super::settings::BackendSettings;

/// Tokens that are left free in a model's window, for what servers add.
const SLACK: usize = 32;

/// Of a model's window, the part (one in so many) that is left free for the answer at the most. Some clients name a limit
/// as large as the window, and mean none.
const ANSWER: usize = 4;

/// A model's server, as it was when it was connected.
pub struct Upstream {
    /// The connected server.
    pub server: Server,
    /// The format of its model, or why it is not known.
    pub format: Result<&'static Format, String>,
    /// Counts the same for as long as this connection is used.
    pub counter: TokenCounter,
    /// Tokens of a prompt and its answer, where the server or the settings limit them.
    pub window: Option<usize>,
    /// Requests that it answers at a time.
    pub slots: u64,
    /// Limits the completions that are under way at a time, where the settings do.
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

    /// Completes a hole, when not too many other completions are under way.
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

    /// Tokens of a prompt beside an answer of so many, within the windows of the model and of the client.
    pub(super) fn prompt_budget(
        &self,
        budget: usize,
        answer: usize,
        client_window: Option<usize>,
    ) -> usize {
        let window = [self.window, client_window].into_iter().flatten().min();
        let window = window.unwrap_or(usize::MAX);
        let left = (window - answer.min(window / ANSWER)).saturating_sub(SLACK);
        budget.min(left)
    }
}

/// The best counter for the model: an estimate is calibrated by llama.cpp's tokenizer, now and never again.
async fn counter(
    server: &Server,
    format: Option<&'static Format>,
    settings: &BackendSettings,
) -> Result<TokenCounter, ModelError> {
    let format = format.or_else(|| Format::named("comment")).ok_or(ModelError::NoPrompt)?;
    let counter = TokenCounter::for_format(format, settings.tokenizer.as_deref())?;
    match counter.kind() {
        Counting::Estimate { .. } if server.api().is_llama_cpp() => {
            Ok(server.calibrate(counter).await)
        }
        _ => Ok(counter),
    }
}
