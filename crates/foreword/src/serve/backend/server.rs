//! An upstream server as the model: the route of a request to it, in the client's own protocol if the server speaks it,
//! else transcoded; the body with the composed prompt and the client's other fields; and the call.

use std::sync::Arc;

use axum::http::StatusCode;
use foreword_engine::compose::Format;
use foreword_model::http::{Api, completion_body};
use foreword_session::backend::{Backend, Endpoint as ModelEndpoint, Unavailable, Upstream};
use foreword_session::clock::unix_seconds;
use serde_json::{Map, Value, json};

use super::exchange::{
    Answer, Deltas, Generation, Plan, ServerDeltas, model_request, prompt_settings,
};
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
    pub(crate) fn new(
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

    pub(crate) fn endpoint(&self) -> ModelEndpoint {
        ModelEndpoint::Server(Arc::clone(&self.upstream))
    }

    /// Whether the server speaks the client's protocol.
    pub(crate) fn can_relay(&self) -> bool {
        self.route.is_relay()
    }

    /// llama.cpp's `/infill` needs no prompt, and cuts what is too long.
    pub(crate) fn fills_holes(&self) -> bool {
        self.route.api.is_llama_cpp() && self.endpoint == Endpoint::Infill
    }

    pub(crate) fn plan(
        &self,
        options: &Options,
        request: &ClientRequest,
    ) -> Result<Plan<ServerCall>, Unavailable> {
        match self.format {
            _ if is_load_request(request) && !self.route.is_relay() => {
                let (created, model) = (unix_seconds(), self.model_name(request));
                let completion = Completion { created, model, ..Completion::default() };
                Ok(Plan::Answer(Box::new(completion)))
            }
            // A model with an unknown prompt format gets the request unchanged, if possible.
            None => {
                let reason = self.upstream.format.as_ref().err().cloned().unwrap_or_default();
                match self.route.is_relay() {
                    true => {
                        let call = Box::new(self.unchanged(request));
                        Ok(Plan::Call { call, reason: Some(reason) })
                    }
                    false => Err(not_implemented(reason)),
                }
            }
            Some(format) => {
                let settings = prompt_settings(&self.endpoint(), format, options, request);
                settings.map(|it| self.plan_with_prompt(request, it)).map_err(|error| Unavailable {
                    status: StatusCode::INTERNAL_SERVER_ERROR.as_u16(),
                    message: error.to_string(),
                })
            }
        }
    }

    /// The steps of a request whose prompt can be rendered.
    fn plan_with_prompt(
        &self,
        request: &ClientRequest,
        settings: PromptSettings,
    ) -> Plan<ServerCall> {
        let has_snippets = self.route.api == Api::LlamaCpp && request.endpoint == Endpoint::Infill;
        match request.kind {
            PromptKind::WarmUp if self.route.is_relay() && has_snippets => Plan::WarmUp(settings),
            PromptKind::WarmUp if self.route.is_relay() => {
                Plan::Call { call: Box::new(self.warm_up(request, None)), reason: None }
            }
            _ => Plan::Complete(settings),
        }
    }

    /// The call that forwards a request unchanged.
    fn unchanged(&self, request: &ClientRequest) -> ServerCall {
        let body = unchanged_body(request, &self.upstream);
        self.call(request.endpoint.path(), body, Rendering::Relay)
    }

    /// The call that makes the server read the start of the next prompt, or the client's own text.
    pub(crate) fn warm_up(&self, request: &ClientRequest, head: Option<String>) -> ServerCall {
        let Some(head) = head else {
            let prompt = Some(prompt_of(request.recorded_body()));
            return ServerCall { prompt, ..self.unchanged(request) };
        };
        let body = warm_up_body(request, head.clone());
        let call = self.call(self.route.api.path(), body, Rendering::Relay);
        ServerCall { prompt: Some(head), ..call }
    }

    /// The call that completes a request. Without a context the request is forwarded unchanged, if possible.
    pub(crate) fn complete(
        &self,
        request: &ClientRequest,
        settings: &PromptSettings,
        context: Option<PreparedContext>,
    ) -> Result<ServerCall, Unavailable> {
        match context {
            None if self.route.is_relay() => {
                let call = self.unchanged(request);
                let prompt = Some(prompt_of(request.recorded_body())).filter(|it| !it.is_empty());
                Ok(ServerCall { prompt, ..call })
            }
            _ if !request.accepts_context() => Err(not_implemented(self.cannot_be_asked(request))),
            Some(context) => self.with_prompt(request, context),
            None => self.with_prompt(request, without_context(request, settings)),
        }
    }

    /// The call with a prompt that foreword made.
    fn with_prompt(
        &self,
        request: &ClientRequest,
        context: PreparedContext,
    ) -> Result<ServerCall, Unavailable> {
        let is_tabby = request.endpoint == Endpoint::Tabby;
        let surroundings = is_tabby.then(|| context.surroundings.clone());
        let completion_request = model_request(request, context);
        let base =
            completion_body(self.route.api, self.upstream.server.model(), &completion_request)
                .map_err(|error| Unavailable::from(&error))?;
        let prompt = base.as_object().map(prompt_of).unwrap_or_default();
        let rendering = match self.route.is_relay() {
            true => Rendering::Relay,
            false => Rendering::Transcode { model: self.model_name(request), surroundings },
        };
        let body = body_with_prompt(request, base, self.route, &self.upstream);
        let call = self.call(self.route.api.path(), body, rendering);
        Ok(ServerCall { prompt: Some(prompt), ..call })
    }

    /// The name of the model for the client.
    fn model_name(&self, request: &ClientRequest) -> String {
        request.model().unwrap_or(self.upstream.server.model()).to_owned()
    }

    /// The error for a request that has no text to complete and cannot be translated, with the remedy.
    fn cannot_be_asked(&self, request: &ClientRequest) -> String {
        let server = &self.upstream.server;
        let (path, base) = (request.endpoint.path(), server.base());
        format!(
            "{path} with tokens, pictures, `format`, `think` or a prompt for a next-edit model can only be answered by a server of that protocol, and {base} speaks {}; send text in `prompt`, or name such a server with --model-url",
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
    pub(crate) prompt: Option<String>,
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
    pub(crate) async fn send(self) -> Result<Answer, Unavailable> {
        let Self { backend, upstream, path, body, key, prompt, rendering } = self;
        let response = upstream.server.relay_json(path, &body, key.as_deref()).await;
        let response = response.map_err(|error| backend.failed(&error))?;
        match rendering {
            Rendering::Transcode { model, surroundings } if response.is_success() => {
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
            _ => Ok(Answer::Relayed(backend, response)),
        }
    }

    /// The text of the response, without a stream.
    pub(crate) async fn text(mut self) -> Result<String, Unavailable> {
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

/// The route of a request to a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Route {
    /// The API of the server that is called.
    api: Api,
    mode: RouteMode,
}

/// Whether client and server speak the same protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RouteMode {
    /// They do: request and response are passed on unchanged.
    Relay,
    /// They do not: request and response are converted.
    Transcode,
}

impl Route {
    fn relay(api: Api) -> Self {
        Self { api, mode: RouteMode::Relay }
    }

    fn is_relay(self) -> bool {
        self.mode == RouteMode::Relay
    }
}

/// The route from an endpoint to a server with this API.
fn route(endpoint: Endpoint, api: Api) -> Route {
    match (endpoint, api) {
        (Endpoint::Infill, Api::LlamaCppInfill) => Route::relay(api),
        (Endpoint::Infill | Endpoint::Completion, Api::LlamaCpp | Api::LlamaCppInfill) => {
            Route::relay(Api::LlamaCpp)
        }
        (Endpoint::OpenAi, Api::LlamaCpp | Api::OpenAi) => Route::relay(Api::OpenAi),
        (Endpoint::OpenAi, Api::OpenAiSuffix)
        | (Endpoint::Mistral, Api::Mistral)
        | (Endpoint::DeepSeek, Api::DeepSeek)
        | (Endpoint::Ollama, Api::Ollama | Api::OllamaSuffix) => Route::relay(api),
        _ => Route { api, mode: RouteMode::Transcode },
    }
}

/// The format in which a request's prompt is rendered; `None` if unknown.
fn format_for(upstream: &Upstream, request: &ClientRequest, api: Api) -> Option<&'static Format> {
    match request.kind {
        _ if !api.renders() => Format::named("comment"),
        PromptKind::Rendered(format) => Some(format),
        _ => {
            // A server with several models needs the name; llama.cpp has one model, whose special tokens were checked.
            let named = request.model().filter(|_| upstream.server.api() != Api::LlamaCpp);
            named.and_then(Format::of_model).or_else(|| upstream.format.as_ref().ok().copied())
        }
    }
}

/// Fields with the text to complete.
const PROMPT_FIELDS: [&str; 8] = [
    "prompt",
    "suffix",
    "input_prefix",
    "input_suffix",
    "input_extra",
    "raw",
    "skip_special_tokens",
    "segments",
];

/// Ollama's template fields, not sent with a rendered prompt.
const TEMPLATE_FIELDS: [&str; 3] = ["template", "system", "context"];

/// The body of a request with a prompt: foreword's own fields (`base`), and in the client's own protocol all of the
/// client's other fields.
fn body_with_prompt(
    request: &ClientRequest,
    base: Value,
    route: Route,
    upstream: &Upstream,
) -> Value {
    match base {
        Value::Object(base) if route.is_relay() => {
            Value::Object(merged_body(request, base, route.api, upstream))
        }
        Value::Object(mut base) => {
            add_options(request, &mut base, route.api);
            Value::Object(base)
        }
        other => other,
    }
}

/// The client's body with the prompt in place of its own.
fn merged_body(
    request: &ClientRequest,
    mut base: Map<String, Value>,
    api: Api,
    upstream: &Upstream,
) -> Map<String, Value> {
    let mut res = request.body.clone();
    for field in PROMPT_FIELDS {
        res.remove(field);
        if let Some(value) = base.remove(field) {
            res.insert(field.to_owned(), value);
        }
    }
    if api == Api::Ollama {
        TEMPLATE_FIELDS.iter().for_each(|it| drop(res.remove(*it)));
        let stop = base.get("options").and_then(|it| it.get("stop")).cloned();
        let options = res.entry("options").or_insert_with(|| json!({}));
        if let (Some(options), Some(stop)) = (options.as_object_mut(), stop) {
            options.insert("stop".to_owned(), stop);
        }
    } else if let Some(stop) = base.remove("stop").filter(|it| *it != json!([])) {
        res.insert("stop".to_owned(), stop);
    }
    adapt_to_server(&mut res, request, upstream);
    res
}

/// Adds the client's options to a request in another protocol.
fn add_options(request: &ClientRequest, base: &mut Map<String, Value>, api: Api) {
    let seed = if api == Api::Mistral { "random_seed" } else { "seed" };
    let fields = [
        ("top_p", request.options.top_p.map(Value::from)),
        (seed, request.options.seed.map(Value::from)),
    ];
    let into = match base.get_mut("options").and_then(Value::as_object_mut) {
        Some(options) => options,
        None => base,
    };
    for (name, value) in fields {
        if let Some(value) = value {
            into.insert(name.to_owned(), value);
        }
    }
}

/// The client's body without fields that the server would reject.
fn unchanged_body(request: &ClientRequest, upstream: &Upstream) -> Value {
    let mut res = request.body.clone();
    adapt_to_server(&mut res, request, upstream);
    Value::Object(res)
}

/// Sets the server's model unless the client names one that the server has, and limits the choices to the server's slots.
fn adapt_to_server(body: &mut Map<String, Value>, request: &ClientRequest, upstream: &Upstream) {
    let model = upstream.server.model();
    let is_ours = request.model().is_none_or(|it| it.starts_with("foreword"));
    if is_ours && !model.is_empty() {
        body.insert("model".to_owned(), model.into());
    }
    if let Some(n) = body.get("n_cmpl").and_then(Value::as_u64) {
        body.insert("n_cmpl".to_owned(), n.min(upstream.slots).max(1).into());
    }
}

/// The body of a request that makes llama.cpp read the start of the next prompt.
fn warm_up_body(request: &ClientRequest, head: String) -> Value {
    let mut res = request.body.clone();
    PROMPT_FIELDS.iter().for_each(|it| drop(res.remove(*it)));
    res.insert("prompt".to_owned(), head.into());
    Value::Object(res)
}

/// The prompt text in a body, for the record.
fn prompt_of(body: &Map<String, Value>) -> String {
    let field = |name: &str| body.get(name).unwrap_or(&Value::Null);
    let text = |name: &str| field(name).as_str().unwrap_or_default();
    if let Some(messages) = field("messages").as_array() {
        let texts = messages.iter().filter_map(|it| it["content"].as_str());
        texts.collect::<Vec<_>>().join("\n\n")
    } else if let Some(prefix) = field("input_prefix").as_str() {
        let extra = field("input_extra").as_array().into_iter().flatten();
        let extra: String = extra
            .map(|it| {
                let part = |name: &str| it[name].as_str().unwrap_or_default();
                format!("[{}]\n{}\n", part("filename"), part("text"))
            })
            .collect();
        format!("{extra}{prefix}{}[cursor]{}", text("prompt"), text("input_suffix"))
    } else if let Some(suffix) = field("suffix").as_str() {
        format!("{}[cursor]{suffix}", text("prompt"))
    } else {
        text("prompt").to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_is_called_in_the_clients_own_protocol_if_it_speaks_it() {
        let check = |endpoint, api, to, mode| {
            assert_eq!(route(endpoint, api), Route { api: to, mode });
        };
        let (relay, transcode) = (RouteMode::Relay, RouteMode::Transcode);
        check(Endpoint::Infill, Api::LlamaCpp, Api::LlamaCpp, relay);
        check(Endpoint::OpenAi, Api::LlamaCpp, Api::OpenAi, relay);
        check(Endpoint::Mistral, Api::LlamaCpp, Api::LlamaCpp, transcode);
        check(Endpoint::Ollama, Api::OllamaSuffix, Api::OllamaSuffix, relay);
        check(Endpoint::OpenAi, Api::Ollama, Api::Ollama, transcode);
        check(Endpoint::Tabby, Api::OpenAi, Api::OpenAi, transcode);
    }
}
