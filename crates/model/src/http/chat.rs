//! Conversations with a server: OpenAI's `/v1/chat/completions`, also in llama.cpp and many others, and Ollama's
//! `/api/chat`; streamed or not.

use serde_json::{Map, Value, json};
use tokio::time::{Instant, timeout_at};

use super::ask::{Control, stream, whole};
use super::{Api, Server};
use crate::chat::{ChatRequest, ChatResponse, Delivery, Message, Tool, ToolCall, Usage};
use crate::error::ModelError;
use crate::request::{FinishReason, Sink};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Protocol {
    OpenAi,
    Ollama,
}

impl Protocol {
    fn of(api: Api) -> Self {
        if api.is_ollama() { Self::Ollama } else { Self::OpenAi }
    }

    fn path(self) -> &'static str {
        match self {
            Self::OpenAi => "/v1/chat/completions",
            Self::Ollama => "/api/chat",
        }
    }
}

impl Server {
    /// Continues a conversation. `sink` receives the answer's text as it arrives.
    pub async fn chat(
        &self,
        request: &ChatRequest,
        sink: Sink<'_>,
    ) -> Result<ChatResponse, ModelError> {
        let mut response = ChatResponse::default();
        let reading = self.read_chat(request, &mut response, sink);
        let Some(deadline) = request.deadline else {
            reading.await?;
            return Ok(response);
        };
        match timeout_at(Instant::from_std(deadline), reading).await {
            Ok(res) => res?,
            Err(_) if response.text.is_empty() => {
                return Err(ModelError::Timeout { url: self.base.clone() });
            }
            Err(_) => {
                response.finish_reason = FinishReason::Deadline;
                // The arguments may be incomplete.
                response.tool_calls.clear();
            }
        }
        Ok(response)
    }

    async fn read_chat(
        &self,
        request: &ChatRequest,
        response: &mut ChatResponse,
        sink: Sink<'_>,
    ) -> Result<(), ModelError> {
        let protocol = Protocol::of(self.api);
        let body = body(protocol, &self.model, request);
        let path = request.path.unwrap_or(protocol.path());
        match request.delivery {
            Delivery::Streamed => {
                let take = |value: &Value| {
                    take(response, value, &mut *sink);
                    Ok(cut_off(response, request.max_bytes))
                };
                stream(self, path, &body, take).await
            }
            Delivery::Whole => {
                take(response, &whole(self, path, &body).await?, sink);
                cut_off(response, request.max_bytes);
                Ok(())
            }
        }
    }
}

/// Maximum bytes of all calls of one answer, to bound memory.
const MAX_CALL_BYTES: usize = 4 << 20;

/// Ends an answer that is too long, and drops its calls.
fn cut_off(response: &mut ChatResponse, most: Option<usize>) -> Control {
    let calls = response.tool_calls.iter().map(|it| it.name.len() + it.arguments.len() + 64);
    let calls: usize = calls.sum();
    if calls <= MAX_CALL_BYTES && most.is_none_or(|it| response.text.len() + calls <= it) {
        return Control::Continue;
    }
    response.finish_reason = FinishReason::Length;
    response.tool_calls.clear();
    Control::Finish
}

/// Body of a request; unset options are left out.
fn body(protocol: Protocol, model: &str, request: &ChatRequest) -> Value {
    let messages: Vec<Value> = request.messages.iter().map(|it| message(protocol, it)).collect();
    let mut res = json!({
        "model": model, "messages": messages, "stream": request.delivery == Delivery::Streamed,
    });
    if !request.tools.is_empty() {
        let tool = |it: &Tool| {
            json!({ "type": "function", "function": {
                "name": it.name, "description": it.description, "parameters": it.parameters,
            } })
        };
        res["tools"] = request.tools.iter().map(tool).collect();
    }
    if let Some(n) = request.alternatives {
        (res["logprobs"], res["top_logprobs"]) = (true.into(), n.into());
    }
    match protocol {
        Protocol::OpenAi => add_openai_options(&mut res, request),
        Protocol::Ollama => add_ollama_options(&mut res, request),
    }
    res
}

fn add_openai_options(body: &mut Value, request: &ChatRequest) {
    for (name, value) in sampling(request, "max_tokens") {
        body[name] = value;
    }
    if let Some(it) = &request.schema {
        let schema = json!({ "name": it.name, "schema": it.schema, "strict": true });
        body["response_format"] = json!({ "type": "json_schema", "json_schema": schema });
    }
    if request.delivery == Delivery::Streamed {
        body["stream_options"] = json!({ "include_usage": true });
    }
}

fn add_ollama_options(body: &mut Value, request: &ChatRequest) {
    let options = sampling(request, "num_predict");
    if !options.is_empty() {
        body["options"] = options.into();
    }
    if let Some(it) = &request.schema {
        body["format"] = it.schema.clone();
    }
}

fn sampling(request: &ChatRequest, max_tokens: &str) -> Map<String, Value> {
    let mut res = Map::new();
    if let Some(it) = request.max_tokens {
        res.insert(max_tokens.to_owned(), it.into());
    }
    if let Some(it) = request.temperature {
        res.insert("temperature".to_owned(), it.into());
    }
    if !request.stop.is_empty() {
        res.insert("stop".to_owned(), request.stop.clone().into());
    }
    res
}

fn message(protocol: Protocol, it: &Message) -> Value {
    let mut res = json!({ "role": it.role(), "content": it.text() });
    match it {
        Message::System(_) | Message::User(_) => {}
        Message::Assistant { tool_calls, .. } if tool_calls.is_empty() => {}
        Message::Assistant { tool_calls, .. } => {
            let calls = tool_calls.iter().map(|it| tool_call(protocol, it));
            res["tool_calls"] = calls.collect();
        }
        Message::Tool { call_id, name, .. } => match protocol {
            Protocol::OpenAi => res["tool_call_id"] = call_id.as_str().into(),
            Protocol::Ollama => res["tool_name"] = name.as_str().into(),
        },
    }
    res
}

/// OpenAI has arguments as text, Ollama as an object.
fn tool_call(protocol: Protocol, it: &ToolCall) -> Value {
    match protocol {
        Protocol::OpenAi => json!({ "id": it.id, "type": "function", "function": {
            "name": it.name, "arguments": it.arguments,
        } }),
        Protocol::Ollama => {
            let arguments = it.parsed_arguments().unwrap_or_else(|_| json!({}));
            json!({ "function": { "name": it.name, "arguments": arguments } })
        }
    }
}

/// Adds one object of a stream, or a whole response.
fn take(response: &mut ChatResponse, value: &Value, sink: Sink<'_>) {
    let choice = &value["choices"][0];
    let places = [&choice["delta"], &choice["message"], &value["message"]];
    let message = places.into_iter().find(|it| it.is_object()).unwrap_or(&Value::Null);
    if let Some(text) = message["content"].as_str().filter(|it| !it.is_empty()) {
        response.text.push_str(text);
        sink(text);
    }
    for (position, call) in message["tool_calls"].as_array().into_iter().flatten().enumerate() {
        take_call(&mut response.tool_calls, position, call);
    }
    let reasons = [&choice["finish_reason"], &value["done_reason"]];
    if let Some(reason) = reasons.into_iter().find_map(Value::as_str) {
        response.finish_reason = match reason {
            "length" => FinishReason::Length,
            _ if !response.tool_calls.is_empty() => FinishReason::ToolCalls,
            _ => FinishReason::Stop,
        };
    }
    if response.first_token.is_empty() {
        response.first_token = alternatives([&choice["logprobs"]["content"], &value["logprobs"]]);
    }
    take_usage(&mut response.usage, value);
}

/// Alternatives for the first token. OpenAI has the list below the choice, Ollama beside the message.
fn alternatives(places: [&Value; 2]) -> Vec<(String, f32)> {
    let first = places.into_iter().find_map(|it| it.get(0)).unwrap_or(&Value::Null);
    let all = first["top_logprobs"].as_array().into_iter().flatten();
    let read =
        |it: &Value| Some((it["token"].as_str()?.to_owned(), it["logprob"].as_f64()? as f32));
    all.filter_map(read).collect()
}

/// Adds a streamed call, which arrives in pieces with its index: first the name, then parts of the arguments. Ollama
/// sends whole calls without an index.
fn take_call(calls: &mut Vec<ToolCall>, position: usize, value: &Value) {
    let function = &value["function"];
    let index = match value["index"].as_u64() {
        Some(index) => index as usize,
        None if function["name"].is_string() => calls.len(),
        None => position,
    };
    // Bounds the index, so that a server cannot make this process allocate memory for it.
    let index = index.min(calls.len());
    if index == calls.len() {
        let id = format!("call_{index}");
        calls.push(ToolCall { id, name: String::new(), arguments: String::new() });
    }
    let call = &mut calls[index];
    if let Some(id) = value["id"].as_str().filter(|it| !it.is_empty()) {
        id.clone_into(&mut call.id);
    }
    if let Some(name) = function["name"].as_str() {
        call.name.push_str(name);
    }
    match &function["arguments"] {
        Value::String(text) => call.arguments.push_str(text),
        Value::Null => {}
        object => call.arguments = object.to_string(),
    }
}

fn take_usage(usage: &mut Usage, value: &Value) {
    let reported = &value["usage"];
    let first = |places: [&Value; 2]| places.into_iter().find_map(Value::as_u64);
    let prompt = first([&reported["prompt_tokens"], &value["prompt_eval_count"]]);
    let answer = first([&reported["completion_tokens"], &value["eval_count"]]);
    let cached = reported["prompt_tokens_details"]["cached_tokens"].as_u64();
    usage.prompt_tokens = prompt.or(usage.prompt_tokens);
    usage.answer_tokens = answer.or(usage.answer_tokens);
    usage.cached_tokens = cached.or(usage.cached_tokens);
}
