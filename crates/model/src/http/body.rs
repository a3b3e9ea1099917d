//! What a server is sent.

use serde_json::{Value, json};

use super::Api;
use crate::ModelError;
use crate::request::{Ask, Fill, Request, Shown, Turn};

/// The body of a request; always a stream, so that a deadline finds what there is.
pub fn body(api: Api, model: &str, request: &Request) -> Result<Value, ModelError> {
    let fill = match (&request.ask, api) {
        (Ask::Chat(turns), Api::Chat) => return Ok(chat(model, turns, request)),
        (Ask::Chat(_), _) => return Err(ModelError::NoChat),
        (Ask::Fill(fill), _) => fill,
    };
    let stop = request.stops(fill);
    let (max_tokens, temperature) = (request.max_tokens, request.temperature);
    Ok(match api {
        Api::LlamaCpp => json!({
            "prompt": prompt(fill)?, "n_predict": max_tokens, "temperature": temperature,
            "stop": stop, "stream": true, "cache_prompt": true,
        }),
        Api::LlamaCppInfill => json!({
            "input_prefix": fill.prefix, "input_suffix": fill.suffix, "prompt": "",
            "input_extra": fill.pieces.iter()
                .map(|it| json!({ "filename": it.path, "text": it.text })).collect::<Vec<_>>(),
            "n_predict": max_tokens, "temperature": temperature, "stop": request.stop,
            "stream": true, "cache_prompt": true,
        }),
        Api::Ollama => json!({
            "model": model, "prompt": prompt(fill)?, "raw": true, "stream": true,
            "options": { "num_predict": max_tokens, "temperature": temperature, "stop": stop },
        }),
        Api::OllamaSuffix => json!({
            "model": model, "prompt": with_pieces(fill), "suffix": suffix(fill), "stream": true,
            "options": {
                "num_predict": max_tokens, "temperature": temperature, "stop": request.stop,
            },
        }),
        // vLLM leaves special tokens out of its text, and then never sees that one of them is a stop string.
        Api::OpenAi => json!({
            "model": model, "prompt": prompt(fill)?, "max_tokens": max_tokens,
            "temperature": temperature, "stop": stop, "stream": true, "skip_special_tokens": false,
        }),
        Api::OpenAiSuffix => json!({
            "model": model, "prompt": with_pieces(fill), "suffix": suffix(fill),
            "max_tokens": max_tokens, "temperature": temperature, "stream": true,
            "stop": request.stop, "stream_options": { "include_usage": true },
        }),
        Api::Mistral | Api::DeepSeek => json!({
            "model": model, "prompt": with_pieces(fill), "suffix": suffix(fill),
            "max_tokens": max_tokens, "temperature": temperature, "stop": request.stop,
            "stream": true,
        }),
        Api::Chat => chat(model, &hole_filling(fill), request),
    })
}

fn prompt(fill: &Fill) -> Result<&str, ModelError> {
    fill.prompt.as_ref().map(|it| it.text.as_str()).ok_or(ModelError::NoPrompt)
}

/// Many models fill better before a line feed than before nothing.
fn suffix(fill: &Fill) -> &str {
    if fill.suffix.is_empty() { "\n" } else { &fill.suffix }
}

/// The text before the cursor below the pieces as comments, for servers that know no files.
fn with_pieces(fill: &Fill) -> String {
    let comment = fill.line_comment.unwrap_or("//");
    let mut res = String::new();
    for Shown { path, text } in &fill.pieces {
        res.push_str(&format!("{comment} Path: {path}\n"));
        for line in text.lines() {
            res.push_str(format!("{comment} {line}").trim_end());
            res.push('\n');
        }
    }
    res + &fill.prefix
}

fn chat(model: &str, turns: &[Turn], request: &Request) -> Value {
    let turn = |it: &Turn| json!({ "role": it.role, "content": it.text });
    json!({
        "model": model, "messages": turns.iter().map(turn).collect::<Vec<_>>(),
        "max_tokens": request.max_tokens, "temperature": request.temperature, "stream": true,
    })
}

/// What stands where the cursor is; no language has it.
const CURSOR: &str = "⟦CURSOR⟧";

/// A conversation that ends in the text of a hole.
fn hole_filling(fill: &Fill) -> Vec<Turn> {
    let system = format!(
        "You complete code. The user shows a file in which {CURSOR} marks the cursor. Answer with exactly the text that \
         belongs in place of {CURSOR}, in one Markdown code block: not the text before it, not the text after it, no \
         explanation."
    );
    let mut user = String::new();
    for Shown { path, text } in &fill.pieces {
        user.push_str(&format!("From {path}:\n````\n{text}\n````\n\n"));
    }
    let Fill { path, prefix, suffix, .. } = fill;
    user.push_str(&format!("{path}:\n````\n{prefix}{CURSOR}{suffix}\n````\n"));
    let turn = |role, text| Turn { role, text };
    vec![turn("system", system), turn("user", user)]
}
