//! Mistral's `/v1/fim/completions`: prefix and suffix as they are, and a response in the shape of a chat. DeepSeek's
//! requests have the same shape.

use bytes::Bytes;
use serde_json::{Map, Value, json};

use super::completion::{Completion, event, last_event};
use super::openai;
use super::request::{ClientRequest, Endpoint, GenerationOptions, required_text};
use crate::serve::http::error::ApiError;

/// Parses a request with `prompt` and perhaps `suffix`.
pub(crate) fn parse(
    endpoint: Endpoint,
    body: Map<String, Value>,
) -> Result<ClientRequest, ApiError> {
    let prompt = required_text(&body, "prompt")?;
    let mut request = ClientRequest::new(endpoint, body);
    openai::set_prefix_and_suffix(&mut request, &prompt);
    request.options = GenerationOptions::of(&request.body, "max_tokens");
    let seed = request.body.get("random_seed").and_then(Value::as_u64);
    request.options.seed = seed.or(request.options.seed);
    Ok(request)
}

/// The whole response.
pub(super) fn whole(it: &Completion, texts: &[String]) -> Value {
    let choice = |(at, text)| {
        let message =
            json!({ "role": "assistant", "content": text, "tool_calls": null, "prefix": false });
        json!({ "index": at, "message": message, "finish_reason": it.finish_reason() })
    };
    let mut value = it.envelope("chat.completion");
    value["choices"] = texts.iter().enumerate().map(choice).collect::<Vec<_>>().into();
    value["usage"] = it.usage();
    value
}

/// A chunk of a stream.
pub(super) fn chunk(it: &Completion, text: &str) -> Bytes {
    let mut value = it.envelope("chat.completion.chunk");
    let delta = json!({ "role": "assistant", "content": text });
    value["choices"] = json!([{ "index": 0, "delta": delta, "finish_reason": null }]);
    event(&value)
}

/// The end of a stream.
pub(super) fn last_chunk(it: &Completion) -> Bytes {
    let mut value = it.envelope("chat.completion.chunk");
    let delta = json!({ "content": "" });
    value["choices"] = json!([{ "index": 0, "delta": delta, "finish_reason": it.finish_reason() }]);
    value["usage"] = it.usage();
    last_event(&value)
}
