//! An answer in the shape of each protocol, whole and in pieces.

mod llama_cpp;

use bytes::Bytes;
use foreword_model::request::FinishReason;
use serde_json::{Value, json};

use crate::serve::protocols::request::{Ask, Door};
use crate::serve::protocols::timestamp::time;

/// An answer that is not passed on as it came, but told anew.
#[derive(Clone, Debug, Default)]
pub(crate) struct Said {
    pub(crate) id: String,
    /// Seconds since 1970.
    pub(crate) created: u64,
    /// The name of the model.
    pub(crate) model: String,
    /// Best first.
    pub(crate) texts: Vec<String>,
    pub(crate) end: Option<FinishReason>,
    /// What the model was sent.
    pub(crate) prompt: String,
    pub(crate) prompt_tokens: u64,
    pub(crate) answer_tokens: u64,
    /// Milliseconds of the model.
    pub(crate) model_ms: f64,
}

/// The whole answer.
pub(crate) fn whole(ask: &Ask, it: &Said) -> Value {
    let empty = [String::new()];
    let texts = if it.texts.is_empty() { &empty[..] } else { &it.texts };
    let choices = |one: &dyn Fn(usize, &str) -> Value| -> Vec<Value> {
        texts.iter().enumerate().map(|(at, text)| one(at, text)).collect()
    };
    match ask.door {
        Door::Infill | Door::Completion => llama_cpp::whole(ask, it, texts),
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
pub(crate) fn completed(mut value: Value, said: &Said) -> Value {
    let mut whole = base(said, "text_completion");
    whole["usage"] = usage(said);
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
pub(crate) fn piece(ask: &Ask, it: &Said, text: &str) -> Bytes {
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
pub(crate) fn last(ask: &Ask, it: &Said) -> Bytes {
    match ask.door {
        Door::Infill | Door::Completion | Door::Tabby => {
            let mut value = llama_cpp::one(it, 0, "");
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

/// An error in the middle of a stream, perhaps in the middle of a line.
pub(crate) fn broken(door: Door, is_line_open: bool, message: &str) -> Bytes {
    let (gap, said) = match door {
        Door::Ollama => ("\n", line(&json!({ "error": message }))),
        _ => {
            let error = json!({ "code": 502, "message": message, "type": "server_error" });
            ("\n\n", event(&json!({ "error": error })))
        }
    };
    if is_line_open { [gap.as_bytes(), &said].concat().into() } else { said }
}

/// The type of a stream.
pub(crate) fn stream_type(door: Door) -> &'static str {
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

fn reason(end: Option<FinishReason>) -> &'static str {
    if end == Some(FinishReason::Length) { "length" } else { "stop" }
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
