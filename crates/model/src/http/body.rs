//! Bodies of completion requests, by protocol.

use serde_json::{Value, json};

use super::Api;
use crate::error::ModelError;
use crate::request::{CompletionRequest, ContextPiece, Fill};

/// Body of a completion request; always streamed, so that a deadline can return the text so far.
pub fn completion_body(
    api: Api,
    model: &str,
    request: &CompletionRequest,
) -> Result<Value, ModelError> {
    match api {
        Api::LlamaCpp | Api::LlamaCppInfill => llama_cpp(api, request),
        Api::Ollama | Api::OllamaSuffix => ollama(api, model, request),
        Api::OpenAi | Api::OpenAiSuffix | Api::Mistral | Api::DeepSeek => {
            openai(api, model, request)
        }
        Api::Chat => Ok(chat(model, request)),
    }
}

fn llama_cpp(api: Api, request: &CompletionRequest) -> Result<Value, ModelError> {
    let (max_tokens, temperature, fill) = (request.max_tokens, request.temperature, &request.fill);
    if api == Api::LlamaCpp {
        return Ok(json!({
            "prompt": prompt(fill)?, "n_predict": max_tokens, "temperature": temperature,
            "stop": request.stops(), "stream": true, "cache_prompt": true,
        }));
    }
    let extra = fill.pieces.iter().map(|it| json!({ "filename": it.path, "text": it.text }));
    Ok(json!({
        "input_prefix": fill.prefix, "input_suffix": fill.suffix, "prompt": "",
        "input_extra": extra.collect::<Vec<_>>(),
        "n_predict": max_tokens, "temperature": temperature, "stop": request.stop,
        "stream": true, "cache_prompt": true,
    }))
}

fn ollama(api: Api, model: &str, request: &CompletionRequest) -> Result<Value, ModelError> {
    let (max_tokens, temperature, fill) = (request.max_tokens, request.temperature, &request.fill);
    if api == Api::Ollama {
        let stop = request.stops();
        return Ok(json!({
            "model": model, "prompt": prompt(fill)?, "raw": true, "stream": true,
            "options": { "num_predict": max_tokens, "temperature": temperature, "stop": stop },
        }));
    }
    Ok(json!({
        "model": model, "prompt": with_pieces(fill), "suffix": suffix(fill), "stream": true,
        "options": { "num_predict": max_tokens, "temperature": temperature, "stop": request.stop },
    }))
}

fn openai(api: Api, model: &str, request: &CompletionRequest) -> Result<Value, ModelError> {
    let (max_tokens, temperature, fill) = (request.max_tokens, request.temperature, &request.fill);
    if api == Api::OpenAi {
        // By default vLLM drops special tokens from its text, and then never sees one that is a stop string.
        return Ok(json!({
            "model": model, "prompt": prompt(fill)?, "max_tokens": max_tokens,
            "temperature": temperature, "stop": request.stops(), "stream": true,
            "skip_special_tokens": false,
        }));
    }
    let mut res = json!({
        "model": model, "prompt": with_pieces(fill), "suffix": suffix(fill),
        "max_tokens": max_tokens, "temperature": temperature, "stop": request.stop,
        "stream": true,
    });
    if api == Api::OpenAiSuffix {
        // The reported number of tokens shows whether the server read the suffix.
        res["stream_options"] = json!({ "include_usage": true });
    }
    Ok(res)
}

fn prompt(fill: &Fill) -> Result<&str, ModelError> {
    fill.prompt.as_ref().map(|it| it.text.as_str()).ok_or(ModelError::NoPrompt)
}

/// Many models complete better before a line feed than before nothing.
fn suffix(fill: &Fill) -> &str {
    if fill.suffix.is_empty() { "\n" } else { &fill.suffix }
}

/// The pieces as comments and the text before the cursor, for protocols without files.
fn with_pieces(fill: &Fill) -> String {
    let comment = fill.line_comment.unwrap_or("//");
    let mut res = String::new();
    for ContextPiece { path, text } in &fill.pieces {
        res.push_str(&format!("{comment} Path: {path}\n"));
        for line in text.lines() {
            res.push_str(format!("{comment} {line}").trim_end());
            res.push('\n');
        }
    }
    res + &fill.prefix
}

/// Marks the cursor; a sign that no language uses.
const CURSOR: &str = "⟦CURSOR⟧";

/// A conversation that asks for the text of the hole.
fn chat(model: &str, request: &CompletionRequest) -> Value {
    let fill = &request.fill;
    let system = format!(
        "You complete code. The user shows a file in which {CURSOR} marks the cursor. Answer with exactly the text that \
         belongs in place of {CURSOR}, in one Markdown code block: not the text before it, not the text after it, no \
         explanation."
    );
    let mut user = String::new();
    for ContextPiece { path, text } in &fill.pieces {
        user.push_str(&format!("From {path}:\n````\n{text}\n````\n\n"));
    }
    let Fill { path, prefix, suffix, .. } = fill;
    user.push_str(&format!("{path}:\n````\n{prefix}{CURSOR}{suffix}\n````\n"));
    let message = |role: &str, text: String| json!({ "role": role, "content": text });
    json!({
        "model": model, "messages": [message("system", system), message("user", user)],
        "max_tokens": request.max_tokens, "temperature": request.temperature, "stream": true,
    })
}
