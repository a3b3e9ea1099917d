//! A completion in the shape of the client's protocol: as a whole response, or as the chunks of a stream.

use bytes::Bytes;
use serde_json::{Value, json};

use super::completion::{Completion, event, line};
use super::request::{ClientRequest, Endpoint};
use super::{llama_cpp, mistral, ollama, openai, tabby};

/// The whole response.
pub(crate) fn whole(request: &ClientRequest, it: &Completion) -> Value {
    let empty = [String::new()];
    let texts = if it.texts.is_empty() { &empty[..] } else { &it.texts };
    match request.endpoint {
        Endpoint::Infill | Endpoint::Completion => llama_cpp::whole(request, it, texts),
        Endpoint::OpenAi | Endpoint::DeepSeek => openai::whole(it, texts),
        Endpoint::Mistral => mistral::whole(it, texts),
        Endpoint::Ollama => ollama::last(it, &texts[0]),
        Endpoint::Tabby => tabby::whole(it, texts),
    }
}

/// A chunk of a stream.
pub(crate) fn chunk(endpoint: Endpoint, it: &Completion, text: &str) -> Bytes {
    match endpoint {
        Endpoint::Infill | Endpoint::Completion | Endpoint::Tabby => llama_cpp::chunk(text),
        Endpoint::OpenAi | Endpoint::DeepSeek => openai::chunk(it, text),
        Endpoint::Mistral => mistral::chunk(it, text),
        Endpoint::Ollama => line(&ollama::chunk(it, text)),
    }
}

/// The end of a stream.
pub(crate) fn last_chunk(endpoint: Endpoint, it: &Completion) -> Bytes {
    match endpoint {
        Endpoint::Infill | Endpoint::Completion | Endpoint::Tabby => llama_cpp::last_chunk(it),
        Endpoint::OpenAi | Endpoint::DeepSeek => openai::last_chunk(it),
        Endpoint::Mistral => mistral::last_chunk(it),
        Endpoint::Ollama => line(&ollama::last(it, "")),
    }
}

/// An error that ends a stream.
pub(crate) fn stream_error(endpoint: Endpoint, message: &str) -> Bytes {
    match endpoint {
        Endpoint::Ollama => line(&json!({ "error": message })),
        _ => {
            let error = json!({ "code": 502, "message": message, "type": "server_error" });
            event(&json!({ "error": error }))
        }
    }
}

/// Ends an incomplete line of a stream, so that an error can follow.
pub(crate) fn line_break(endpoint: Endpoint) -> Bytes {
    Bytes::from_static(if endpoint == Endpoint::Ollama { b"\n" } else { b"\n\n" })
}

/// The content type of a stream.
pub(crate) fn stream_type(endpoint: Endpoint) -> &'static str {
    if endpoint == Endpoint::Ollama { "application/x-ndjson" } else { "text/event-stream" }
}
