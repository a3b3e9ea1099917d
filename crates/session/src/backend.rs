//! The model that answers: embedded in the program, run from a file, or behind a server. Every door asks it here.
//!
//! A `Backend` is what the settings name, for as long as the process lives. An `Endpoint` is the model that it
//! stands for at the moment, with all that is known of it: title, prompt format, token counter, window. A request takes
//! one endpoint at its start and uses it to its end, so that a server that changes its model meanwhile cannot mix two.

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
pub use settings::{BackendSettings, ChatSettings, Limits, Prices};

/// The name of the embedded model, for clients that list models.
pub const EMBEDDED: &str = "foreword-embedded";

static EMBEDDED_MODEL: LazyLock<EmbeddedModel> = LazyLock::new(EmbeddedModel::default);

/// What the settings name as the model.
pub enum Backend {
    /// The model in the program.
    Embedded,
    /// A model file.
    File(Arc<LoadedModel>),
    /// A server.
    Server(Box<Connection>),
}

/// A model that is ready to be asked; cheap to clone.
#[derive(Clone)]
pub enum Endpoint {
    /// The model in the program.
    Embedded,
    /// A model file.
    File(Arc<LoadedModel>),
    /// The model of a server.
    Server(Arc<Upstream>),
}

/// What a model reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input {
    /// Whole files, and pieces of context as texts.
    Files,
    /// A prompt, composed of the window around the cursor and the pieces of context.
    Prompt,
}

impl Backend {
    /// Loads a model file, if one is named. A server is connected when it is first asked, so that it may be started
    /// later.
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

    /// The model at this moment. To be called within a tokio runtime.
    pub async fn endpoint(&self) -> Result<Endpoint, Unavailable> {
        Ok(match self {
            Self::Embedded => Endpoint::Embedded,
            Self::File(loaded) => Endpoint::File(Arc::clone(loaded)),
            Self::Server(connection) => Endpoint::Server(connection.get().await?),
        })
    }

    /// The same at the start, when a server may not be up yet: a failure is not remembered.
    pub async fn probe(&self) -> Result<Endpoint, Unavailable> {
        let endpoint = self.endpoint().await;
        if let (Self::Server(connection), Err(_)) = (self, &endpoint) {
            connection.forget_failure().await;
        }
        endpoint
    }

    /// The server at this moment; `None` where the model is in this process.
    pub async fn server(&self) -> Result<Option<Arc<Upstream>>, Unavailable> {
        match self {
            Self::Embedded | Self::File(_) => Ok(None),
            Self::Server(connection) => connection.get().await.map(Some),
        }
    }

    /// Notes that a request failed: a server that cannot be reached is detected anew by the next request.
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

    /// What the model reads; known before a server is.
    pub fn input(&self) -> Input {
        match self {
            Self::Embedded => Input::Files,
            Self::File(_) | Self::Server(_) => Input::Prompt,
        }
    }

    /// The name of the model for clients, where no server tells one.
    pub fn local_name(&self) -> &str {
        self.file().map_or(EMBEDDED, |it| &it.name)
    }

    /// Ends what the model does in this process.
    pub fn close(&self) {
        if let Self::File(loaded) = self {
            loaded.model.close();
        }
    }
}

impl Endpoint {
    /// Completes a hole. A request for a model that reads a prompt has a rendered one, where its
    /// [protocol](Api::renders) wants that.
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

    /// The name of the model for clients; empty where a server has one model and no name for it.
    pub fn name(&self) -> &str {
        match self {
            Self::Embedded => EMBEDDED,
            Self::File(loaded) => &loaded.name,
            Self::Server(upstream) => upstream.server.model(),
        }
    }

    /// The format of the model's prompts, or why it is not known.
    pub fn format(&self) -> Result<&'static Format, String> {
        match self {
            Self::Embedded => Format::named("none").ok_or_else(|| ModelError::NoPrompt.to_string()),
            Self::File(loaded) => Ok(loaded.format),
            Self::Server(upstream) => upstream.format.clone(),
        }
    }

    /// Counts tokens for prompts in this format: by the model's own counter where it is the model's own format.
    pub fn counter(&self, format: &'static Format) -> Result<TokenCounter, ModelError> {
        match self {
            Self::File(loaded) if loaded.format.name == format.name => Ok(loaded.counter.clone()),
            Self::Server(upstream) if upstream.has_format(format) => Ok(upstream.counter.clone()),
            _ => TokenCounter::for_format(format, None),
        }
    }

    /// What the model reads.
    pub fn input(&self) -> Input {
        match self {
            Self::Embedded => Input::Files,
            Self::File(_) | Self::Server(_) => Input::Prompt,
        }
    }

    /// Tokens of a prompt and its answer, where they are limited.
    pub fn window(&self) -> Option<usize> {
        match self {
            Self::Embedded => None,
            Self::File(loaded) => Some(loaded.window),
            Self::Server(upstream) => upstream.window,
        }
    }

    /// What kind of text the model writes.
    pub fn writer(&self) -> Writer {
        match self {
            Self::Server(upstream) if upstream.server.api() == Api::Chat => Writer::Chat,
            _ => Writer::Base,
        }
    }

    /// Tokens of a prompt beside an answer of so many; never more than `budget`. Fails where there is no room for any
    /// prompt.
    pub fn prompt_budget(&self, budget: usize, answer: usize) -> anyhow::Result<usize> {
        match self {
            Self::Embedded => Ok(budget),
            Self::File(loaded) => loaded.prompt_budget(budget, answer),
            Self::Server(upstream) => Ok(upstream.prompt_budget(budget, answer, None)),
        }
    }

    /// The same for a client that may ask for more tokens than there is room for, and may say how many the model is to
    /// read.
    pub fn client_budget(
        &self,
        budget: usize,
        answer: usize,
        client_window: Option<usize>,
    ) -> anyhow::Result<usize> {
        match self {
            Self::Embedded => Ok(budget),
            Self::File(loaded) => {
                // Some clients ask for as many tokens as they can think of; what does not fit is not written.
                let answer = answer.min(loaded.window / 2);
                let budget = loaded.prompt_budget(budget, answer)?;
                Ok(client_window.map_or(budget, |it| budget.min(it.saturating_sub(answer))))
            }
            Self::Server(upstream) => Ok(upstream.prompt_budget(budget, answer, client_window)),
        }
    }
}
