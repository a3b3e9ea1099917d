//! An upstream server as the model: the route, prompt and protocol of a request to it.

mod request_body;
mod route;

use std::sync::Arc;

use axum::http::StatusCode;
use foreword_engine::compose::Format;
use foreword_model::http::{Api, completion_body};
use foreword_session::backend::{Backend, Endpoint as ModelEndpoint, Unavailable, Upstream};
use serde_json::Value;

use self::route::{Route, RouteMode, format_for, route};
use super::deltas::{Deltas, ServerDeltas};
use super::exchange::{Answer, Generation, Plan, model_request, prompt_settings};
use crate::serve::clock::unix_seconds;
use crate::serve::context::prepare::{PreparedContext, Surroundings, without_context};
use crate::serve::context::prompt::PromptSettings;
use crate::serve::options::Options;
use crate::serve::protocols::completion::Completion;
use crate::serve::protocols::request::{ClientRequest, Endpoint, PromptKind};

/// Maximum bytes shown of a server's error.
const MAX_ERROR_BYTES: usize = 4 << 10;

/// A server, and the route of a request to it.
pub(crate) struct UpstreamRoute {
    /// Notified of failures, so that a lost server is detected again.
    backend: Arc<Backend>,
    upstream: Arc<Upstream>,
    route: Route,
    /// The endpoint of the client's request.
    endpoint: Endpoint,
    /// The format of the prompt, if it is known.
    format: Option<&'static Format>,
    /// Used if no key is configured for the server.
    key: Option<String>,
}

impl UpstreamRoute {
    pub(super) fn new(
        backend: Arc<Backend>,
        upstream: Arc<Upstream>,
        request: &ClientRequest,
        key: Option<String>,
    ) -> Self {
        let mut route = route(request.endpoint, upstream.server.api());
        // A server would echo the composed prompt, not the client's.
        if !request.echo().is_empty() {
            route.mode = RouteMode::Transcode;
        }
        let mut format = format_for(&upstream, request, route.api);
        // llama.cpp knows its model's special tokens even if the format is unknown here.
        let is_infill = request.endpoint == Endpoint::Infill && route.api == Api::LlamaCpp;
        if format.is_none() && is_infill {
            route.api = Api::LlamaCppInfill;
            format = Format::named("comment");
        }
        Self { backend, upstream, route, endpoint: request.endpoint, format, key }
    }

    pub(super) fn endpoint(&self) -> ModelEndpoint {
        ModelEndpoint::Server(Arc::clone(&self.upstream))
    }

    /// Whether the server speaks the client's protocol.
    pub(super) fn can_relay(&self) -> bool {
        self.route.is_relay()
    }

    /// llama.cpp's `/infill` needs no prompt, and cuts what is too long.
    pub(super) fn fills_holes(&self) -> bool {
        self.route.api.is_llama_cpp() && self.endpoint == Endpoint::Infill
    }

    pub(super) fn plan(
        &self,
        options: &Options,
        request: &ClientRequest,
    ) -> Result<Plan<ServerCall>, Unavailable> {
        if is_load_request(request) && !self.route.is_relay() {
            let model = request.model().unwrap_or(self.upstream.server.model()).to_owned();
            let completion = Completion { created: unix_seconds(), model, ..Completion::default() };
            return Ok(Plan::Answer(Box::new(completion)));
        }
        let Some(format) = self.format else { return self.plan_without_format(request) };
        let settings = prompt_settings(&self.endpoint(), format, options, request);
        let settings = settings.map_err(|error| Unavailable {
            status: StatusCode::INTERNAL_SERVER_ERROR.as_u16(),
            message: error.to_string(),
        })?;
        if request.kind != PromptKind::WarmUp || !self.route.is_relay() {
            return Ok(Plan::Complete(settings));
        }
        let has_snippets = self.route.api == Api::LlamaCpp && request.endpoint == Endpoint::Infill;
        if has_snippets {
            return Ok(Plan::WarmUp(settings));
        }
        let call = Box::new(self.warm_up(request, None));
        Ok(Plan::Call { call, reason: None })
    }

    /// A model with an unknown prompt format gets the request unchanged, if possible.
    fn plan_without_format(
        &self,
        request: &ClientRequest,
    ) -> Result<Plan<ServerCall>, Unavailable> {
        let reason = self.upstream.format.as_ref().err().cloned().unwrap_or_default();
        if !self.route.is_relay() {
            return Err(not_implemented(reason));
        }
        let call = Box::new(self.unchanged(request));
        Ok(Plan::Call { call, reason: Some(reason) })
    }

    /// The call that forwards a request unchanged.
    fn unchanged(&self, request: &ClientRequest) -> ServerCall {
        let body = request_body::unchanged(request, &self.upstream);
        self.call(request.endpoint.path(), body, Rendering::Relay)
    }

    /// The call that makes the server read the start of the next prompt, or the client's own text.
    pub(super) fn warm_up(&self, request: &ClientRequest, head: Option<String>) -> ServerCall {
        let call = match head {
            Some(head) => {
                let body = request_body::warm_up(request, head);
                self.call(self.route.api.path(), body, Rendering::Relay)
            }
            None => self.unchanged(request),
        };
        ServerCall { prompt: Some(request_body::prompt_of(&call.body)), ..call }
    }

    /// The call that completes a request. Without a context the request is forwarded unchanged, if possible.
    pub(super) fn complete(
        &self,
        request: &ClientRequest,
        settings: &PromptSettings,
        context: Option<PreparedContext>,
    ) -> Result<ServerCall, Unavailable> {
        if context.is_none() && self.route.is_relay() {
            let call = self.unchanged(request);
            let prompt = Some(request_body::prompt_of(&call.body)).filter(|it| !it.is_empty());
            return Ok(ServerCall { prompt, ..call });
        }
        if !request.accepts_context() {
            return Err(not_implemented(self.cannot_be_asked(request)));
        }
        let context = context.unwrap_or_else(|| without_context(request, settings));
        let is_tabby = request.endpoint == Endpoint::Tabby;
        let surroundings = is_tabby.then(|| context.surroundings.clone());
        let completion_request = model_request(request, context);
        let base =
            completion_body(self.route.api, self.upstream.server.model(), &completion_request)
                .map_err(|error| Unavailable::from(&error))?;
        let prompt = request_body::prompt_of(&base);
        let rendering = match self.route.is_relay() {
            true => Rendering::Relay,
            false => {
                let model = request.model().unwrap_or(self.upstream.server.model()).to_owned();
                Rendering::Transcode { model, surroundings }
            }
        };
        let body = request_body::with_prompt(request, base, self.route, &self.upstream);
        let call = self.call(self.route.api.path(), body, rendering);
        Ok(ServerCall { prompt: Some(prompt), ..call })
    }

    /// The error for a request that has no text to complete and cannot be translated, with the remedy.
    fn cannot_be_asked(&self, request: &ClientRequest) -> String {
        let server = &self.upstream.server;
        let (path, base) = (request.endpoint.path(), server.base());
        format!(
            "{path} with tokens, pictures, `format` or `think` can only be answered by a server of that protocol, and {base} speaks {}; send text in `prompt`, or name such a server with --model-url",
            server.api().name()
        )
    }

    fn call(&self, path: &'static str, body: Value, rendering: Rendering) -> ServerCall {
        let (backend, upstream) = (Arc::clone(&self.backend), Arc::clone(&self.upstream));
        let key = self.key.clone();
        ServerCall { backend, upstream, path, body, key, prompt: None, rendering }
    }
}

/// Whether this is Ollama's request to load a model: an empty prompt.
fn is_load_request(request: &ClientRequest) -> bool {
    request.endpoint == Endpoint::Ollama
        && request.kind == PromptKind::Opaque
        && request.text("prompt").is_empty()
}

fn not_implemented(message: String) -> Unavailable {
    Unavailable { status: StatusCode::NOT_IMPLEMENTED.as_u16(), message }
}

/// A call of a server.
pub(crate) struct ServerCall {
    backend: Arc<Backend>,
    upstream: Arc<Upstream>,
    path: &'static str,
    body: Value,
    key: Option<String>,
    /// The prompt, for the record; `None` for a request that is forwarded unchanged.
    pub(super) prompt: Option<String>,
    rendering: Rendering,
}

/// How the response is rendered for the client.
enum Rendering {
    /// Unchanged.
    Relay,
    /// In the client's protocol.
    Transcode {
        /// The name of the model in the response.
        model: String,
        surroundings: Option<Surroundings>,
    },
}

impl ServerCall {
    pub(super) async fn send(self) -> Result<Answer, Unavailable> {
        let Self { backend, upstream, path, body, key, prompt, rendering } = self;
        let response = upstream.server.relay_json(path, &body, key.as_deref()).await;
        let response = response.map_err(|error| backend.failed(&error))?;
        let Rendering::Transcode { model, surroundings } = rendering else {
            return Ok(Answer::Relayed(backend, response));
        };
        if !response.is_success() {
            return Ok(Answer::Relayed(backend, response));
        }
        let completion = Completion {
            created: unix_seconds(),
            model,
            prompt: prompt.unwrap_or_default(),
            ..Completion::default()
        };
        let status = response.status;
        let deltas = Deltas::Server(backend, ServerDeltas::new(response));
        Ok(Answer::Generating(Generation { completion, deltas, surroundings, status }))
    }

    /// The text of the response, without a stream.
    pub(super) async fn text(mut self) -> Result<String, Unavailable> {
        self.body["stream"] = false.into();
        let Self { backend, upstream, path, body, key, .. } = self;
        let response = upstream.server.relay_json(path, &body, key.as_deref()).await;
        let mut response = response.map_err(|error| backend.failed(&error))?;
        if !response.is_success() {
            let bytes = response.rest(MAX_ERROR_BYTES).await.unwrap_or_default();
            let message = String::from_utf8_lossy(&bytes).into_owned();
            return Err(Unavailable { status: response.status, message });
        }
        let mut deltas = ServerDeltas::new(response);
        let mut res = String::new();
        while let Some(part) = deltas.next().await {
            res.push_str(&part.map_err(|error| backend.failed(&error))?.text);
        }
        Ok(res)
    }
}
