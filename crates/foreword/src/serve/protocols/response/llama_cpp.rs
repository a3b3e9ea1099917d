//! llama.cpp's answers, which clients may ask for field by field.

use foreword_model::request::FinishReason;
use serde_json::{Map, Value, json};

use super::Said;
use crate::serve::protocols::request::Ask;

/// The whole answer: a list where several were asked for.
pub(super) fn whole(ask: &Ask, it: &Said, texts: &[String]) -> Value {
    let fields: Option<Vec<&str>> = ask
        .body
        .get("response_fields")
        .and_then(Value::as_array)
        .map(|all| all.iter().filter_map(Value::as_str).collect());
    let shaped = |(at, text): (usize, &String)| {
        let value = one(it, at, text);
        match &fields {
            Some(fields) if !fields.is_empty() => chosen(&value, fields),
            _ => value,
        }
    };
    let mut all: Vec<Value> = texts.iter().enumerate().map(shaped).collect();
    let is_array = ask.wants.n > 1;
    if is_array { Value::Array(all) } else { all.swap_remove(0) }
}

/// One answer, or the end of a stream.
pub(super) fn one(it: &Said, at: usize, text: &str) -> Value {
    let stop = if it.end == Some(FinishReason::Length) { "limit" } else { "eos" };
    let tokens = it.answer_tokens as f64;
    let per_token = if tokens > 0.0 { it.model_ms / tokens } else { 0.0 };
    let rate = if it.model_ms > 0.0 { tokens * 1e3 / it.model_ms } else { 0.0 };
    json!({
        "index": at, "content": text, "tokens": [], "id_slot": 0, "stop": true, "model": it.model,
        "tokens_predicted": it.answer_tokens, "tokens_evaluated": it.prompt_tokens,
        "generation_settings": {}, "prompt": it.prompt, "has_new_line": text.contains('\n'),
        "truncated": false, "stop_type": stop, "stopping_word": "", "tokens_cached": 0,
        "timings": {
            "cache_n": 0, "prompt_n": it.prompt_tokens, "prompt_ms": 0.0,
            "prompt_per_token_ms": 0.0, "prompt_per_second": 0.0,
            "predicted_n": it.answer_tokens, "predicted_ms": it.model_ms,
            "predicted_per_token_ms": per_token,
            "predicted_per_second": rate,
        },
    })
}

/// The fields that a client of llama.cpp names, each under its whole name.
fn chosen(value: &Value, fields: &[&str]) -> Value {
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
    fn fields_that_are_named_come_under_their_whole_names() {
        let value = json!({ "content": "x", "timings": { "prompt_n": 3 }, "other": 1 });
        let got = chosen(&value, &["content", "timings/prompt_n", "nothing"]);
        assert_eq!(got.to_string(), "{\"content\":\"x\",\"timings/prompt_n\":3}");
        assert_eq!(chosen(&value, &[""]).to_string(), "{}");
    }
}
