//! The model that answers: embedded in the program, in a file, or behind a server; the same for every door.
//!
//! A `Backend` is the model of the settings, for the lifetime of the process. An `Endpoint` is its current model, with
//! title, prompt format, token counter and window. A request uses one endpoint from start to end, so that a server that
//! changes its model cannot mix two.

mod connection;
mod file;
mod server;
mod settings;

use std::sync::{Arc, LazyLock};

use foreword_engine::compose::Format;
use foreword_model::clean::Writer;
use foreword_model::embedded::EmbeddedModel;
use foreword_model::http::Api;
use foreword_model::request::{CompletionRequest, CompletionResponse, Model as _, Sink};
use foreword_model::{ModelError, TokenCounter};

pub use connection::{Connection, Unavailable};
pub use file::ModelFile;
pub use file::{BUILD, CAN_RUN, LoadedModel};
pub use server::Upstream;
pub use settings::{BackendSettings, ChatSettings, EditSettings, Limits, Prices};

/// The name of the embedded model, for clients that list models.
pub const EMBEDDED: &str = "foreword-embedded";

static EMBEDDED_MODEL: LazyLock<EmbeddedModel> = LazyLock::new(EmbeddedModel::default);

/// The model of the settings.
pub enum Backend {
    /// The model in the program.
    Embedded,
    /// A model file.
    File(Arc<LoadedModel>),
    /// A server.
    Server(Box<Connection>),
}

/// A model that is ready for requests; cheap to clone.
#[derive(Clone)]
pub enum Endpoint {
    /// The model in the program.
    Embedded,
    /// A model file.
    File(Arc<LoadedModel>),
    /// The model of a server.
    Server(Arc<Upstream>),
}

/// Input of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input {
    /// Whole files, and pieces of context as texts.
    Files,
    /// A prompt, composed of the window around the cursor and the pieces of context.
    Prompt,
}

impl Backend {
    /// Loads the model file, if one is named. A server is connected by the first request, so that it may start later.
    pub fn open(settings: BackendSettings) -> anyhow::Result<Self> {
        settings.check()?;
        if let Some(file) = &settings.gguf {
            let loaded = LoadedModel::open(file, settings.model.as_deref())?;
            return Ok(Self::File(Arc::new(loaded)));
        }
        Ok(match &settings.url {
            Some(_) => Self::Server(Box::new(Connection::new(settings))),
            None => Self::Embedded,
        })
    }

    /// The current model. Must be called within a tokio runtime.
    pub async fn endpoint(&self) -> Result<Endpoint, Unavailable> {
        Ok(match self {
            Self::Embedded => Endpoint::Embedded,
            Self::File(loaded) => Endpoint::File(Arc::clone(loaded)),
            Self::Server(connection) => Endpoint::Server(connection.get().await?),
        })
    }

    /// The same at the start, when a server may not be up yet: a failure is not cached.
    pub async fn probe(&self) -> Result<Endpoint, Unavailable> {
        let endpoint = self.endpoint().await;
        if let (Self::Server(connection), Err(_)) = (self, &endpoint) {
            connection.forget_failure().await;
        }
        endpoint
    }

    /// The current server; `None` if the model is in this process.
    pub async fn server(&self) -> Result<Option<Arc<Upstream>>, Unavailable> {
        match self {
            Self::Embedded | Self::File(_) => Ok(None),
            Self::Server(connection) => connection.get().await.map(Some),
        }
    }

    /// Records a failed request: the next one connects to the server again.
    pub fn failed(&self, error: &ModelError) -> Unavailable {
        match self {
            Self::Server(connection) => connection.failed(error),
            Self::Embedded | Self::File(_) => Unavailable::from(error),
        }
    }

    /// The model file that was loaded.
    pub fn file(&self) -> Option<&Arc<LoadedModel>> {
        match self {
            Self::File(loaded) => Some(loaded),
            Self::Embedded | Self::Server(_) => None,
        }
    }

    /// The input of the model; known without a connection.
    pub fn input(&self) -> Input {
        match self {
            Self::Embedded => Input::Files,
            Self::File(_) | Self::Server(_) => Input::Prompt,
        }
    }

    /// The name of the model for clients, without a server.
    pub fn local_name(&self) -> &str {
        self.file().map_or(EMBEDDED, |it| &it.name)
    }

    /// Stops the model in this process.
    pub fn close(&self) {
        if let Self::File(loaded) = self {
            loaded.model.close();
        }
    }
}

impl Endpoint {
    /// Completes a hole. The request must have a rendered prompt if the [protocol](Api::renders) needs one.
    pub async fn complete(
        &self,
        request: &CompletionRequest,
        sink: Sink<'_>,
    ) -> Result<CompletionResponse, ModelError> {
        match self {
            Self::Embedded => EMBEDDED_MODEL.complete(request, sink).await,
            Self::File(loaded) => loaded.model.complete(request, sink).await,
            Self::Server(upstream) => upstream.complete(request, sink).await,
        }
    }

    /// The model's kind, name and location, for people.
    pub fn title(&self) -> String {
        match self {
            Self::Embedded => EMBEDDED_MODEL.title(),
            Self::File(loaded) => loaded.model.title(),
            Self::Server(upstream) => upstream.server.title(),
        }
    }

    /// The name of the model for clients; empty if the server has a single unnamed model.
    pub fn name(&self) -> &str {
        match self {
            Self::Embedded => EMBEDDED,
            Self::File(loaded) => &loaded.name,
            Self::Server(upstream) => upstream.server.model(),
        }
    }

    /// The format of the model's prompts, or why it is unknown.
    pub fn format(&self) -> Result<&'static Format, String> {
        match self {
            Self::Embedded => Format::named("none").ok_or_else(|| ModelError::NoPrompt.to_string()),
            Self::File(loaded) => Ok(loaded.format),
            Self::Server(upstream) => upstream.format.clone(),
        }
    }

    /// A token counter for prompts in a format; the model's own for its own format.
    pub fn counter(&self, format: &'static Format) -> Result<TokenCounter, ModelError> {
        match self {
            Self::File(loaded) if loaded.format.name == format.name => Ok(loaded.counter.clone()),
            Self::Server(upstream) if upstream.has_format(format) => Ok(upstream.counter.clone()),
            _ => TokenCounter::for_format(format, None),
        }
    }

    /// The input of the model.
    pub fn input(&self) -> Input {
        match self {
            Self::Embedded => Input::Files,
            Self::File(_) | Self::Server(_) => Input::Prompt,
        }
    }

    /// Maximum tokens of a prompt and its answer, if limited.
    pub fn window(&self) -> Option<usize> {
        match self {
            Self::Embedded => None,
            Self::File(loaded) => Some(loaded.window),
            Self::Server(upstream) => upstream.window,
        }
    }

    /// Kind of text that the model writes.
    pub fn writer(&self) -> Writer {
        match self {
            Self::Server(upstream) if upstream.server.api() == Api::Chat => Writer::Chat,
            _ => Writer::Base,
        }
    }

    /// Prompt budget after reserving the answer, at most `budget`. Fails if no prompt fits.
    pub fn prompt_budget(&self, budget: usize, answer: usize) -> anyhow::Result<usize> {
        match self {
            Self::Embedded => Ok(budget),
            Self::File(loaded) => loaded.prompt_budget(budget, answer),
            Self::Server(upstream) => Ok(upstream.prompt_budget(budget, answer, None)),
        }
    }

    /// The same for a client, which may request more tokens than fit and may limit the window.
    pub fn client_budget(
        &self,
        budget: usize,
        answer: usize,
        client_window: Option<usize>,
    ) -> anyhow::Result<usize> {
        match self {
            Self::Embedded => Ok(budget),
            Self::File(loaded) => {
                // Some clients request very large answers; they are cut to the window.
                let answer = answer.min(loaded.window / 2);
                let budget = loaded.prompt_budget(budget, answer)?;
                Ok(client_window.map_or(budget, |it| budget.min(it.saturating_sub(answer))))
            }
            Self::Server(upstream) => Ok(upstream.prompt_budget(budget, answer, client_window)),
        }
    }
}
