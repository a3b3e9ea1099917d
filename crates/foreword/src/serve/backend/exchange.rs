//! A request on its way to a response: the request with its record, the steps before its model is called, the request to
//! the model, and the model's answer.

use std::sync::Arc;

use axum::response::{IntoResponse as _, Response};
use foreword_engine::compose::Format;
use foreword_model::embedded::Extent;
use foreword_model::http::{Delta, RawResponse};
use foreword_model::request::CompletionRequest;
use foreword_session::backend::{Backend, Endpoint as ModelEndpoint, Unavailable};
use tokio::sync::watch;

use super::deltas::Deltas;
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
    pub(super) fn map<D>(self, to: impl FnOnce(C) -> D) -> Plan<D> {
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
        least_confidence: 0.0,
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
