//! An answer in the shape of each protocol, whole and in pieces.

use bytes::Bytes;
use foreword_model::request::End;
use serde_json::{Map, Value, json};

use super::ask::{Ask, Door};

/// An answer that is not passed on as it came, but told anew.
#[derive(Clone, Debug, Default)]
pub(super) struct Said {
    pub(super) id: String,
    /// Seconds since 1970.
    pub(super) created: u64,
    /// The name of the model.
    pub(super) model: String,
    /// Best first.
    pub(super) texts: Vec<String>,
    pub(super) end: Option<End>,
    /// What the model was sent.
    pub(super) prompt: String,
    pub(super) prompt_tokens: u64,
    pub(super) answer_tokens: u64,
    /// Milliseconds of the model.
    pub(super) model_ms: f64,
}

/// The whole answer.
pub(super) fn whole(ask: &Ask, it: &Said) -> Value {
    let empty = [String::new()];
    let texts = if it.texts.is_empty() { &empty[..] } else { &it.texts };
    let choices = |one: &dyn Fn(usize, &str) -> Value| -> Vec<Value> {
        texts.iter().enumerate().map(|(at, text)| one(at, text)).collect()
    };
    match ask.door {
        Door::Infill | Door::Completion => llama(ask, it, texts),
        Door::OpenAi | Door::DeepSeek => {
            let choices = choices(
                &|at, text| json!({ "index": at, "text": text, "logprobs": null, "finish_reason": reason(it.end) }),
            );
            let mut value = base(it, "text_completion");
            value["choices"] = choices.into();
            value["usage"] = usage(it);
            value
        }
        Door::Mistral => {
            let choices = choices(&|at, text| {
                let message = json!({ "role": "assistant", "content": text, "tool_calls": null, "prefix": false });
                json!({ "index": at, "message": message, "finish_reason": reason(it.end) })
            });
            let mut value = base(it, "chat.completion");
            value["choices"] = choices.into();
            value["usage"] = usage(it);
            value
        }
        Door::Ollama => ollama(it, &texts[0], true),
        Door::Tabby => {
            let choices = choices(&|at, text| json!({ "index": at, "text": text }));
            json!({ "id": format!("cmpl-{}", it.id), "choices": choices })
        }
    }
}

/// An answer of `/v1/completions` with the fields that a server may have left out and strict clients insist on.
pub(super) fn completed(mut value: Value, id: &str, created: u64) -> Value {
    let said = Said { id: id.to_owned(), created, ..Said::default() };
    let mut whole = base(&said, "text_completion");
    whole["usage"] = usage(&said);
    if let (Some(it), Value::Object(whole)) = (value.as_object_mut(), whole) {
        for (field, otherwise) in whole {
            let known = it.entry(field).or_insert(Value::Null);
            if known.is_null() {
                *known = otherwise;
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

/// A piece of a stream.
pub(super) fn piece(ask: &Ask, it: &Said, text: &str) -> Bytes {
    match ask.door {
        Door::Infill | Door::Completion | Door::Tabby => {
            event(&json!({ "index": 0, "content": text, "tokens": [], "stop": false }))
        }
        Door::OpenAi | Door::DeepSeek => {
            let mut value = base(it, "text_completion");
            value["choices"] =
                json!([{ "index": 0, "text": text, "logprobs": null, "finish_reason": null }]);
            event(&value)
        }
        Door::Mistral => {
            let mut value = base(it, "chat.completion.chunk");
            let delta = json!({ "role": "assistant", "content": text });
            value["choices"] = json!([{ "index": 0, "delta": delta, "finish_reason": null }]);
            event(&value)
        }
        Door::Ollama => line(&ollama(it, text, false)),
    }
}

/// The end of a stream.
pub(super) fn last(ask: &Ask, it: &Said) -> Bytes {
    match ask.door {
        Door::Infill | Door::Completion | Door::Tabby => {
            let mut value = llama_one(it, 0, "");
            value["content"] = "".into();
            event(&value)
        }
        Door::OpenAi | Door::DeepSeek => {
            let mut value = base(it, "text_completion");
            value["choices"] = json!([{ "index": 0, "text": "", "logprobs": null, "finish_reason": reason(it.end) }]);
            value["usage"] = usage(it);
            done(&value)
        }
        Door::Mistral => {
            let mut value = base(it, "chat.completion.chunk");
            let delta = json!({ "content": "" });
            value["choices"] =
                json!([{ "index": 0, "delta": delta, "finish_reason": reason(it.end) }]);
            value["usage"] = usage(it);
            done(&value)
        }
        Door::Ollama => line(&ollama(it, "", true)),
    }
}

/// An error in the middle of a stream.
pub(super) fn broken(ask: &Ask, message: &str) -> Bytes {
    match ask.door {
        Door::Ollama => line(&json!({ "error": message })),
        _ => {
            event(&json!({ "error": { "code": 502, "message": message, "type": "server_error" } }))
        }
    }
}

/// The type of a stream.
pub(super) fn stream_type(door: Door) -> &'static str {
    if door == Door::Ollama { "application/x-ndjson" } else { "text/event-stream" }
}

fn event(value: &Value) -> Bytes {
    Bytes::from(format!("data: {value}\n\n"))
}

fn done(value: &Value) -> Bytes {
    Bytes::from(format!("data: {value}\n\ndata: [DONE]\n\n"))
}

fn line(value: &Value) -> Bytes {
    Bytes::from(format!("{value}\n"))
}

fn base(it: &Said, object: &str) -> Value {
    json!({
        "id": format!("cmpl-{}", it.id), "object": object, "created": it.created, "model": it.model,
    })
}

fn usage(it: &Said) -> Value {
    json!({
        "prompt_tokens": it.prompt_tokens, "completion_tokens": it.answer_tokens,
        "total_tokens": it.prompt_tokens + it.answer_tokens,
    })
}

fn reason(end: Option<End>) -> &'static str {
    if end == Some(End::Length) { "length" } else { "stop" }
}

fn ollama(it: &Said, text: &str, done: bool) -> Value {
    let mut value = json!({
        "model": it.model, "created_at": time(it.created), "response": text, "done": done,
    });
    if done {
        let nanos = (it.model_ms * 1e6) as u64;
        let end = json!({
            "done_reason": reason(it.end), "context": [], "total_duration": nanos, "load_duration": 0,
            "prompt_eval_count": it.prompt_tokens, "prompt_eval_duration": 0,
            "eval_count": it.answer_tokens, "eval_duration": nanos,
        });
        if let (Some(all), Value::Object(end)) = (value.as_object_mut(), end) {
            all.extend(end);
        }
    }
    value
}

fn llama(ask: &Ask, it: &Said, texts: &[String]) -> Value {
    let fields: Option<Vec<&str>> = ask
        .body
        .get("response_fields")
        .and_then(Value::as_array)
        .map(|all| all.iter().filter_map(Value::as_str).collect());
    let one = |(at, text): (usize, &String)| {
        let value = llama_one(it, at, text);
        match &fields {
            Some(fields) if !fields.is_empty() => chosen(&value, fields),
            _ => value,
        }
    };
    let mut all: Vec<Value> = texts.iter().enumerate().map(one).collect();
    let is_array = ask.wants.n > 1;
    if is_array { Value::Array(all) } else { all.swap_remove(0) }
}

fn llama_one(it: &Said, at: usize, text: &str) -> Value {
    let stop = if it.end == Some(End::Length) { "limit" } else { "eos" };
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

/// A time as RFC 3339 says it, in UTC.
pub(super) fn time(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // Howard Hinnant's civil_from_days, for days since 1970.
    let shifted = days + 719_468;
    let era = shifted / 146_097;
    let of_era = shifted % 146_097;
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_a_date_and_a_clock() {
        assert_eq!(time(0), "1970-01-01T00:00:00Z");
        assert_eq!(time(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(time(1_795_254_896), "2026-11-21T09:54:56Z");
    }

    #[test]
    fn fields_that_are_named_come_under_their_whole_names() {
        let value = json!({ "content": "x", "timings": { "prompt_n": 3 }, "other": 1 });
        let got = chosen(&value, &["content", "timings/prompt_n", "nothing"]);
        assert_eq!(got.to_string(), "{\"content\":\"x\",\"timings/prompt_n\":3}");
        assert_eq!(chosen(&value, &[""]).to_string(), "{}");
    }
}
