//! Calls the model ([`foreword_session::backend`]): in the client's own protocol if the server speaks it, else with a
//! rendered prompt. Every model takes the same steps: [`Target::plan`], a [`Call`], and its [`exchange::Answer`], which is
//! relayed or transcoded to the client.

mod deltas;
mod embedded;
pub(crate) mod exchange;
mod file;
pub(crate) mod relay;
mod server;
pub(crate) mod transcode;

use std::sync::Arc;

use foreword_session::backend::{Backend, Endpoint as ModelEndpoint, LoadedModel, Unavailable};

use self::embedded::EmbeddedCall;
use self::exchange::{Answer, Plan};
use self::file::FileCall;
use self::server::{ServerCall, UpstreamRoute};
use super::context::prepare::PreparedContext;
use super::context::prompt::PromptSettings;
use super::options::Options;
use super::protocols::request::ClientRequest;

/// The model that answers one request, and the route to it.
pub(crate) enum Target {
    Server(UpstreamRoute),
    File(Arc<LoadedModel>),
    Embedded,
}

impl Target {
    /// The target of a request. `key` is used if no key is configured for the server.
    pub(crate) async fn of(
        backend: &Arc<Backend>,
        request: &ClientRequest,
        key: Option<String>,
    ) -> Result<Self, Unavailable> {
        Ok(match backend.endpoint().await? {
            ModelEndpoint::Server(upstream) => {
                Self::Server(UpstreamRoute::new(Arc::clone(backend), upstream, request, key))
            }
            ModelEndpoint::File(model) => Self::File(model),
            ModelEndpoint::Embedded => Self::Embedded,
        })
    }

    /// The model, for people.
    pub(crate) fn title(&self) -> String {
        match self {
            Self::Server(it) => it.endpoint().title(),
            Self::File(model) => ModelEndpoint::File(Arc::clone(model)).title(),
            Self::Embedded => ModelEndpoint::Embedded.title(),
        }
    }

    /// The steps needed to answer a request.
    pub(crate) fn plan(
        &self,
        options: &Options,
        request: &ClientRequest,
    ) -> Result<Plan<Call>, Unavailable> {
        match self {
            Self::Server(it) => Ok(it.plan(options, request)?.map(Call::Server)),
            Self::File(model) => Ok(file::plan(model, options, request)?.map(Call::File)),
            Self::Embedded => Ok(Plan::Complete(embedded::settings(options)?)),
        }
    }

    /// Whether a request can be forwarded unchanged.
    pub(crate) fn can_relay(&self) -> bool {
        matches!(self, Self::Server(it) if it.can_relay())
    }

    /// Whether the server renders fill-in-the-middle prompts itself and cuts the text to its window.
    pub(crate) fn fills_holes(&self) -> bool {
        matches!(self, Self::Server(it) if it.fills_holes())
    }

    /// The call that makes the model read the start of the next prompt; `None` without a start.
    pub(crate) fn warm_up(
        &self,
        request: &ClientRequest,
        settings: &PromptSettings,
        head: Option<String>,
    ) -> Call {
        match self {
            Self::Server(it) => Call::Server(it.warm_up(request, head)),
            Self::File(model) => {
                Call::File(FileCall::warm_up(model, request, settings, head.unwrap_or_default()))
            }
            Self::Embedded => Call::Embedded(EmbeddedCall::complete(request, settings, None)),
        }
    }

    /// The call that completes a request, with its context if there is one.
    pub(crate) fn complete(
        &self,
        request: &ClientRequest,
        settings: &PromptSettings,
        context: Option<PreparedContext>,
    ) -> Result<Call, Unavailable> {
        match self {
            Self::Server(it) => Ok(Call::Server(it.complete(request, settings, context)?)),
            Self::File(model) => {
                Ok(Call::File(FileCall::complete(model, request, settings, context)))
            }
            Self::Embedded => {
                Ok(Call::Embedded(EmbeddedCall::complete(request, settings, context)))
            }
        }
    }
}

/// A call of a model.
pub(crate) enum Call {
    Server(ServerCall),
    File(FileCall),
    Embedded(EmbeddedCall),
}

impl Call {
    /// The prompt sent to the model, for the record.
    pub(crate) fn prompt(&self) -> Option<String> {
        match self {
            Self::Server(it) => it.prompt.clone(),
            Self::File(it) => Some(it.prompt().to_owned()),
            Self::Embedded(it) => it.prompt().map(str::to_owned),
        }
    }

    /// Sends the call.
    pub(crate) async fn send(self) -> Result<Answer, Unavailable> {
        match self {
            Self::Server(it) => it.send().await,
            Self::File(it) => it.send().await,
            Self::Embedded(it) => Ok(it.send().await),
        }
    }

    /// Sends the call and returns the unchanged text of one choice; `None` if the model writes nothing.
    pub(crate) async fn text(self) -> Result<Option<String>, Unavailable> {
        match self {
            Self::Server(it) => it.text().await.map(Some),
            Self::File(it) => it.text().await.map(Some),
            Self::Embedded(it) => Ok(it.text().await),
        }
    }
}
