//! OpenAI's `/v1/completions`: with a suffix, with a prompt that is rendered already, or with text to continue. DeepSeek's
//! responses have the same shape.

use bytes::Bytes;
use foreword_engine::compose::Format;
use serde_json::{Map, Value, json};

use super::completion::{Completion, event, last_event};
use super::fim;
use super::next_edit::is_next_edit;
use super::request::{ClientRequest, Endpoint, GenerationOptions, PromptKind};
use crate::serve::http::error::ApiError;

/// Parses a request whose prompt may come with a suffix or be rendered already. `likely` is the format of the server's
/// model.
pub(crate) fn parse(
    endpoint: Endpoint,
    body: Map<String, Value>,
    likely: Option<&'static Format>,
) -> Result<ClientRequest, ApiError> {
    let mut request = ClientRequest::new(endpoint, body);
    request.options = GenerationOptions::of(&request.body, "max_tokens");
    request.options.n = request.body.get("n").and_then(Value::as_u64).unwrap_or(1).max(1) as usize;
    let Some(prompt) = prompt(&request.body)? else {
        request.kind = PromptKind::Opaque;
        return Ok(request);
    };
    if is_next_edit(&prompt) {
        request.kind = PromptKind::Opaque;
    } else if request.has_text("suffix") {
        set_prefix_and_suffix(&mut request, &prompt);
    } else if let Some(parsed) = fim::parse(&prompt, likely) {
        set_parsed_prompt(&mut request, parsed);
    } else {
        request.kind = PromptKind::Plain;
        request.prefix = prompt;
    }
    Ok(request)
}

/// The text of the prompt; none for lists of prompts and of tokens.
fn prompt(body: &Map<String, Value>) -> Result<Option<String>, ApiError> {
    match body.get("prompt") {
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(Value::Array(all)) => match all.as_slice() {
            [Value::String(text)] => Ok(Some(text.clone())),
            _ => Ok(None),
        },
        Some(_) => Err(ApiError::bad_request("prompt: a string or a list is expected")),
        None => Err(ApiError::bad_request("prompt is missing")),
    }
}

/// The prompt is the text before the cursor, perhaps below snippets in comments; the text after it is in `suffix`.
pub(super) fn set_prefix_and_suffix(request: &mut ClientRequest, prompt: &str) {
    let (snippets, file, prefix) = fim::comments(prompt);
    request.kind = PromptKind::FillInMiddle;
    prefix.clone_into(&mut request.prefix);
    request.suffix = request.text("suffix");
    request.snippets = snippets;
    request.file = file;
}

/// The prompt was rendered by the client.
pub(super) fn set_parsed_prompt(request: &mut ClientRequest, parsed: fim::ParsedPrompt) {
    request.kind = PromptKind::Rendered(parsed.format);
    (request.prefix, request.suffix) = (parsed.prefix, parsed.suffix);
    (request.file, request.snippets) = (parsed.path, parsed.snippets);
}

/// The whole response.
pub(super) fn whole(it: &Completion, texts: &[String]) -> Value {
    let choice = |(at, text)| json!({ "index": at, "text": text, "logprobs": null, "finish_reason": it.finish_reason() });
    let mut value = it.envelope("text_completion");
    value["choices"] = texts.iter().enumerate().map(choice).collect::<Vec<_>>().into();
    value["usage"] = it.usage();
    value
}

/// Two whole responses as one: the choices of the second come after those of the first.
pub(crate) fn joined(first: Option<Value>, mut second: Value) -> Value {
    let Some(mut all) = first else { return second };
    let added = second["choices"].as_array_mut().map(std::mem::take).unwrap_or_default();
    if let Some(choices) = all["choices"].as_array_mut() {
        for mut choice in added {
            choice["index"] = choices.len().into();
            choices.push(choice);
        }
    }
    for count in ["prompt_tokens", "completion_tokens", "total_tokens"] {
        let sum = |it: &Value| it["usage"][count].as_u64().unwrap_or(0);
        all["usage"][count] = (sum(&all) + sum(&second)).into();
    }
    all
}

/// A chunk of a stream.
pub(super) fn chunk(it: &Completion, text: &str) -> Bytes {
    let mut value = it.envelope("text_completion");
    value["choices"] =
        json!([{ "index": 0, "text": text, "logprobs": null, "finish_reason": null }]);
    event(&value)
}

/// The end of a stream.
pub(super) fn last_chunk(it: &Completion) -> Bytes {
    let mut value = it.envelope("text_completion");
    value["choices"] =
        json!([{ "index": 0, "text": "", "logprobs": null, "finish_reason": it.finish_reason() }]);
    value["usage"] = it.usage();
    last_event(&value)
}

/// A server's response with the fields that strict clients require and the server may have left out.
pub(crate) fn with_required_fields(mut value: Value, defaults: &Completion) -> Value {
    let mut required = defaults.envelope("text_completion");
    required["usage"] = defaults.usage();
    if let (Some(it), Value::Object(required)) = (value.as_object_mut(), required) {
        for (field, default) in required {
            let known = it.entry(field).or_insert(Value::Null);
            if known.is_null() {
                *known = default;
            }
        }
    }
    for choice in value["choices"].as_array_mut().into_iter().flatten() {
        if choice["finish_reason"].is_null() {
            choice["finish_reason"] = "stop".into();
        }
    }
    value
}
