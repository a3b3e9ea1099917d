//! llama.cpp's `/infill` and `/completion`. Clients may select the fields of a response.

use bytes::Bytes;
use foreword_engine::compose::Format;
use foreword_model::request::{ContextPiece, FinishReason};
use serde_json::{Map, Value, json};

use super::completion::{Completion, event};
use super::openai;
use super::request::{
    ClientRequest, Endpoint, GenerationOptions, PromptKind, required_text, snippet,
};
use crate::serve::http::error::ApiError;

/// Parses a request to `/infill`. The text on the cursor's line is in `prompt`, which follows `input_prefix`.
pub(crate) fn parse_infill(body: Map<String, Value>) -> Result<ClientRequest, ApiError> {
    let prefix = required_text(&body, "input_prefix")?;
    let suffix = required_text(&body, "input_suffix")?;
    let mut request = ClientRequest::new(Endpoint::Infill, body);
    request.prefix = prefix + &request.text("prompt");
    request.suffix = suffix;
    request.snippets = extra_context(&request.body)?;
    set_options(&mut request);
    Ok(request)
}

/// Parses a request to `/completion`. `likely` is the format of the server's model.
pub(crate) fn parse_completion(
    body: Map<String, Value>,
    likely: Option<&'static Format>,
) -> Result<ClientRequest, ApiError> {
    let mut request = openai::parse(Endpoint::Completion, body, likely)?;
    set_options(&mut request);
    Ok(request)
}

fn set_options(request: &mut ClientRequest) {
    let n = request.body.get("n_cmpl").and_then(Value::as_u64).unwrap_or(1).max(1) as usize;
    // A negative limit is not a u64 and means no limit.
    request.options = GenerationOptions { n, ..GenerationOptions::of(&request.body, "n_predict") };
    if request.options.max_tokens == Some(0) {
        request.kind = PromptKind::WarmUp;
    }
}

fn extra_context(body: &Map<String, Value>) -> Result<Vec<ContextPiece>, ApiError> {
    let all = body.get("input_extra").and_then(Value::as_array);
    let mut res = Vec::new();
    for it in all.into_iter().flatten() {
        let Some(text) = it["text"].as_str() else {
            let message = "extra_context chunk must contain a \"text\" field with a string value";
            return Err(ApiError::bad_request(message));
        };
        res.extend(snippet(it["filename"].as_str().unwrap_or_default(), text));
    }
    Ok(res)
}

/// The whole response: a list if several choices were requested.
pub(super) fn whole(request: &ClientRequest, it: &Completion, texts: &[String]) -> Value {
    let fields: Option<Vec<&str>> = request
        .body
        .get("response_fields")
        .and_then(Value::as_array)
        .map(|all| all.iter().filter_map(Value::as_str).collect());
    let render = |(at, text): (usize, &String)| {
        let value = choice(it, at, text);
        match &fields {
            Some(fields) if !fields.is_empty() => select(&value, fields),
            _ => value,
        }
    };
    let mut all: Vec<Value> = texts.iter().enumerate().map(render).collect();
    let is_array = request.options.n > 1;
    if is_array { Value::Array(all) } else { all.swap_remove(0) }
}

/// A chunk of a stream.
pub(super) fn chunk(text: &str) -> Bytes {
    event(&json!({ "index": 0, "content": text, "tokens": [], "stop": false }))
}

/// The end of a stream.
pub(super) fn last_chunk(it: &Completion) -> Bytes {
    event(&choice(it, 0, ""))
}

/// One choice, or the end of a stream.
fn choice(it: &Completion, at: usize, text: &str) -> Value {
    let stop = if it.finish_reason == Some(FinishReason::Length) { "limit" } else { "eos" };
    let tokens = it.completion_tokens as f64;
    let per_token = if tokens > 0.0 { it.model_ms / tokens } else { 0.0 };
    let rate = if it.model_ms > 0.0 { tokens * 1e3 / it.model_ms } else { 0.0 };
    json!({
        "index": at, "content": text, "tokens": [], "id_slot": 0, "stop": true, "model": it.model,
        "tokens_predicted": it.completion_tokens, "tokens_evaluated": it.prompt_tokens,
        "generation_settings": {}, "prompt": it.prompt, "has_new_line": text.contains('\n'),
        "truncated": false, "stop_type": stop, "stopping_word": "", "tokens_cached": 0,
        "timings": {
            "cache_n": 0, "prompt_n": it.prompt_tokens, "prompt_ms": 0.0,
            "prompt_per_token_ms": 0.0, "prompt_per_second": 0.0,
            "predicted_n": it.completion_tokens, "predicted_ms": it.model_ms,
            "predicted_per_token_ms": per_token,
            "predicted_per_second": rate,
        },
    })
}

/// The fields that the client names, each under its full name.
fn select(value: &Value, fields: &[&str]) -> Value {
    let mut res = Map::new();
    for field in fields {
        let pointer = format!("/{field}");
        if let Some(found) = value.pointer(&pointer) {
            res.insert((*field).to_owned(), found.clone());
        }
    }
    Value::Object(res)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selected_fields_keep_their_full_names() {
        let value = json!({ "content": "x", "timings": { "prompt_n": 3 }, "other": 1 });
        let got = select(&value, &["content", "timings/prompt_n", "nothing"]);
        assert_eq!(got.to_string(), "{\"content\":\"x\",\"timings/prompt_n\":3}");
        assert_eq!(select(&value, &[""]).to_string(), "{}");
    }
}
