//! How a request goes to a model's server: relayed in the client's own protocol where the server speaks it, transcoded
//! otherwise.

use axum::http::StatusCode;
use foreword_engine::compose::Format;
use foreword_model::http::Api;

use crate::backend::{Unavailable, Upstream};
use crate::serve::http::error::Refusal;
use crate::serve::protocols::request::{Ask, Door, Kind};

impl Unavailable {
    /// The same for a client.
    pub(crate) fn refusal(&self) -> Refusal {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::BAD_GATEWAY);
        Refusal::new(status, self.message.clone())
    }
}

/// How a request goes to the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Route {
    /// The way in which the server is asked.
    pub(crate) api: Api,
    /// Whether that is the client's own way: then all that it says is passed on, and so is the answer.
    pub(crate) same: bool,
}

/// The route of a request to a server that is asked by `api`.
pub(crate) fn route(door: Door, api: Api) -> Route {
    let same = |api| Route { api, same: true };
    match (door, api) {
        (Door::Infill, Api::LlamaCppInfill) => same(api),
        (Door::Infill | Door::Completion, Api::LlamaCpp | Api::LlamaCppInfill) => {
            same(Api::LlamaCpp)
        }
        (Door::OpenAi, Api::LlamaCpp | Api::OpenAi) => same(Api::OpenAi),
        (Door::OpenAi, Api::OpenAiSuffix)
        | (Door::Mistral, Api::Mistral)
        | (Door::DeepSeek, Api::DeepSeek)
        | (Door::Ollama, Api::Ollama | Api::OllamaSuffix) => same(api),
        _ => Route { api, same: false },
    }
}

/// The format in which a request's prompt is rendered; none where it is not known, and then nothing is rendered.
pub(crate) fn format_for(upstream: &Upstream, ask: &Ask, api: Api) -> Option<&'static Format> {
    if !api.renders() {
        return Format::named("comment");
    }
    if let Kind::Rendered(format) = ask.kind {
        return Some(format);
    }
    // A server with several models is told which; llama.cpp has one, and its tokens have been checked.
    let named = ask.model().filter(|_| upstream.server.api() != Api::LlamaCpp);
    named.and_then(Format::of_model).or_else(|| upstream.format.as_ref().ok().copied())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_is_asked_in_the_clients_own_way_where_it_knows_it() {
        let check = |door, api, to, same| assert_eq!(route(door, api), Route { api: to, same });
        check(Door::Infill, Api::LlamaCpp, Api::LlamaCpp, true);
        check(Door::OpenAi, Api::LlamaCpp, Api::OpenAi, true);
        check(Door::Mistral, Api::LlamaCpp, Api::LlamaCpp, false);
        check(Door::Ollama, Api::OllamaSuffix, Api::OllamaSuffix, true);
        check(Door::OpenAi, Api::Ollama, Api::Ollama, false);
        check(Door::Tabby, Api::OpenAi, Api::OpenAi, false);
    }
}
