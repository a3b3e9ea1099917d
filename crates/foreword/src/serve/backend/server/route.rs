//! The route of a request to an upstream server: in the client's own protocol if the server speaks it, else transcoded.

use foreword_engine::compose::Format;
use foreword_model::http::Api;
use foreword_session::backend::Upstream;

use crate::serve::protocols::request::{ClientRequest, Endpoint, PromptKind};

/// The route of a request to a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Route {
    /// The API of the server that is called.
    pub(super) api: Api,
    pub(super) mode: RouteMode,
}

/// Whether client and server speak the same protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RouteMode {
    /// They do: request and response are passed on unchanged.
    Relay,
    /// They do not: request and response are converted.
    Transcode,
}

impl Route {
    fn relay(api: Api) -> Self {
        Self { api, mode: RouteMode::Relay }
    }

    pub(super) fn is_relay(self) -> bool {
        self.mode == RouteMode::Relay
    }
}

/// The route from an endpoint to a server with this API.
pub(super) fn route(endpoint: Endpoint, api: Api) -> Route {
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
pub(super) fn format_for(
    upstream: &Upstream,
    request: &ClientRequest,
    api: Api,
) -> Option<&'static Format> {
    if !api.renders() {
        return Format::named("comment");
    }
    if let PromptKind::Rendered(format) = request.kind {
        return Some(format);
    }
    // A server with several models is told which; llama.cpp has one, whose special tokens were checked.
    let named = request.model().filter(|_| upstream.server.api() != Api::LlamaCpp);
    named.and_then(Format::of_model).or_else(|| upstream.format.as_ref().ok().copied())
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
