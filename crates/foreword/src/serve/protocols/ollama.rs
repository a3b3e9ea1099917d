//! Ollama's `/api/generate`.

use serde_json::{Map, Value, json};

use super::completion::Completion;
use super::next_edit::is_next_edit;
use super::request::{ClientRequest, Endpoint, GenerationOptions, PromptKind};
use super::{fim, openai};
use crate::serve::clock::rfc3339;

/// How a prompt with neither `raw` nor a suffix is handled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Template {
    /// Ollama applies its model's template: the prompt is a question to a chat model.
    OfServer,
    /// No template: the prompt is text to continue.
    None,
}

/// Parses a request.
pub(crate) fn parse(body: Map<String, Value>, template: Template) -> ClientRequest {
    let mut request = ClientRequest::new(Endpoint::Ollama, body);
    request.options = options(&request.body);
    let prompt = request.text("prompt");
    let is_raw = request.body.get("raw").and_then(Value::as_bool).unwrap_or(false);
    let is_text = is_raw || template == Template::None;
    let has_suffix = request.has_text("suffix");
    let is_set = |field: &str| {
        request.body.get(field).is_some_and(|it| {
            !matches!(it, Value::Null | Value::Bool(false)) && it != "" && *it != json!([])
        })
    };
    let is_other = ["images", "format", "think"].into_iter().any(is_set);
    // An empty prompt loads or unloads the model.
    if prompt.is_empty() && !has_suffix || is_other || is_next_edit(&prompt) {
        request.kind = PromptKind::Opaque;
    } else if has_suffix {
        openai::set_prefix_and_suffix(&mut request, &prompt);
    } else if let Some(parsed) = fim::parse(&prompt, None).filter(|_| is_text) {
        openai::set_parsed_prompt(&mut request, parsed);
    } else if is_text {
        request.kind = PromptKind::Plain;
        request.prefix = prompt;
    } else {
        request.kind = PromptKind::Opaque;
    }
    request
}

/// Ollama streams by default.
fn options(body: &Map<String, Value>) -> GenerationOptions {
    let empty = Map::new();
    let options = body.get("options").and_then(Value::as_object).unwrap_or(&empty);
    let stream = body.get("stream").and_then(Value::as_bool).unwrap_or(true);
    let window = options.get("num_ctx").and_then(Value::as_u64).filter(|it| *it > 0);
    let window = window.map(|it| it as usize);
    GenerationOptions { stream, window, ..GenerationOptions::of(options, "num_predict") }
}

/// A chunk of a stream.
pub(super) fn chunk(it: &Completion, text: &str) -> Value {
    json!({
        "model": it.model, "created_at": rfc3339(it.created), "response": text, "done": false,
    })
}

/// The end of a stream, or the whole response.
pub(super) fn last(it: &Completion, text: &str) -> Value {
    let mut value = chunk(it, text);
    value["done"] = true.into();
    let nanos = (it.model_ms * 1e6) as u64;
    let end = json!({
        "done_reason": it.finish_reason(), "context": [], "total_duration": nanos, "load_duration": 0,
        "prompt_eval_count": it.prompt_tokens, "prompt_eval_duration": 0,
        "eval_count": it.completion_tokens, "eval_duration": nanos,
    });
    if let (Some(all), Value::Object(end)) = (value.as_object_mut(), end) {
        all.extend(end);
    }
    value
}
