//! Conversations: the exact body for each protocol, and its responses, streamed and whole.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::super::stub::{Ending, Reply, Stub};
use super::super::{Api, Server};
use crate::chat::{
    AnswerSchema, ChatRequest, ChatResponse, Delivery, Message, Tool, ToolCall, Usage,
};
use crate::request::FinishReason;
use crate::{ModelError, wait};

/// A conversation with every feature.
fn request(delivery: Delivery) -> ChatRequest {
    let call = ToolCall {
        id: "call_7".to_owned(),
        name: "search".to_owned(),
        arguments: "{\"query\":\"cart\"}".to_owned(),
    };
    ChatRequest {
        messages: vec![
            Message::System("Be brief.".to_owned()),
            Message::User("Where is the cart?".to_owned()),
            Message::Assistant { text: String::new(), tool_calls: vec![call] },
            Message::Tool {
                call_id: "call_7".to_owned(),
                name: "search".to_owned(),
                text: "shop/cart.py:3".to_owned(),
            },
        ],
        tools: vec![Tool {
            name: "search".to_owned(),
            description: "Finds code.".to_owned(),
            parameters: json!({ "type": "object", "properties": { "query": { "type": "string" } } }),
        }],
        schema: Some(AnswerSchema { name: "place".to_owned(), schema: schema() }),
        max_tokens: Some(64),
        max_bytes: None,
        stop: vec!["END".to_owned()],
        temperature: Some(0.0),
        deadline: Some(Instant::now() + Duration::from_secs(10)),
        delivery,
        ..ChatRequest::default()
    }
}

fn schema() -> Value {
    json!({ "type": "object", "required": ["path"], "properties": { "path": { "type": "string" } } })
}

fn chat(
    reply: Reply,
    api: Api,
    request: &ChatRequest,
) -> (Result<ChatResponse, ModelError>, String, Stub) {
    let stub = Stub::new(move |_, _| reply.clone());
    let (response, shown) = wait(async {
        let server = Server::connect(&stub.url, Some(api), Some("m"), None).await.unwrap();
        let mut shown = String::new();
        let response = server.chat(request, &mut |text| shown.push_str(text)).await;
        (response, shown)
    });
    (response, shown, stub)
}

#[test]
fn the_openai_protocol_is_sent_roles_tools_schema_and_limits() {
    let reply = Reply::of(&[
        "data: {\"choices\":[{\"delta\":{\"content\":\"x\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n",
    ]);
    // llama.cpp uses the same protocol.
    for api in [Api::OpenAi, Api::LlamaCpp] {
        let (_, _, stub) = chat(reply.clone(), api, &request(Delivery::Streamed));
        let parameters =
            json!({ "type": "object", "properties": { "query": { "type": "string" } } });
        let expected = json!({
            "model": "m", "stream": true, "stream_options": { "include_usage": true },
            "max_tokens": 64, "temperature": 0.0, "stop": ["END"],
            "messages": [
                { "role": "system", "content": "Be brief." },
                { "role": "user", "content": "Where is the cart?" },
                { "role": "assistant", "content": "", "tool_calls": [{
                    "id": "call_7", "type": "function",
                    "function": { "name": "search", "arguments": "{\"query\":\"cart\"}" },
                }] },
                { "role": "tool", "content": "shop/cart.py:3", "tool_call_id": "call_7" },
            ],
            "tools": [{ "type": "function", "function": {
                "name": "search", "description": "Finds code.", "parameters": parameters,
            } }],
            "response_format": { "type": "json_schema", "json_schema": {
                "name": "place", "schema": schema(), "strict": true,
            } },
        });
        assert_eq!(stub.seen("/v1/chat/completions"), [expected]);
    }
}

#[test]
fn ollama_is_sent_the_schema_as_format_and_arguments_as_an_object() {
    let reply =
        Reply::of(&["{\"message\":{\"content\":\"x\"},\"done\":true,\"done_reason\":\"stop\"}\n"]);
    let (_, _, stub) = chat(reply, Api::Ollama, &request(Delivery::Whole));
    let body = &stub.seen("/api/chat")[0];
    assert_eq!((&body["format"], &body["stream"]), (&schema(), &json!(false)));
    let options = json!({ "num_predict": 64, "temperature": 0.0, "stop": ["END"] });
    assert_eq!(body["options"], options);
    let calls = json!([{ "function": { "name": "search", "arguments": { "query": "cart" } } }]);
    assert_eq!(body["messages"][2]["tool_calls"], calls);
    let result = json!({ "role": "tool", "content": "shop/cart.py:3", "tool_name": "search" });
    assert_eq!(body["messages"][3], result);
    assert_eq!(body["tools"][0]["function"]["name"], "search");
}

#[test]
fn what_is_not_set_is_not_sent() {
    let reply = Reply::of(&["{\"choices\":[{\"message\":{\"content\":\"x\"}}]}"]);
    let request = ChatRequest {
        messages: vec![Message::User("Hello".to_owned())],
        delivery: Delivery::Whole,
        ..ChatRequest::default()
    };
    let (_, _, stub) = chat(reply, Api::OpenAi, &request);
    let messages = json!([{ "role": "user", "content": "Hello" }]);
    let expected = json!({ "model": "m", "stream": false, "messages": messages });
    assert_eq!(stub.seen("/v1/chat/completions"), [expected]);
}

fn call(id: &str, name: &str, arguments: &str) -> ToolCall {
    let [id, name, arguments] = [id, name, arguments].map(str::to_owned);
    ToolCall { id, name, arguments }
}

#[test]
fn streamed_calls_are_put_together_and_usage_comes_last() {
    let event = |value: Value| format!("data: {value}\n\n");
    let delta = |calls: Value| event(json!({ "choices": [{ "delta": { "tool_calls": calls } }] }));
    let chunks = [
        event(json!({ "choices": [{ "delta": { "role": "assistant", "content": "Let me " } }] })),
        event(json!({ "choices": [{ "delta": { "content": "look." } }] })),
        delta(
            json!([{ "index": 0, "id": "a", "function": { "name": "search", "arguments": "" } }]),
        ),
        delta(json!([{ "index": 0, "function": { "arguments": "{\"query\":" } }])),
        delta(json!([{ "index": 0, "function": { "arguments": "\"cart\"}" } }])),
        delta(json!([{ "index": 1, "id": "b", "function": { "name": "map", "arguments": "" } }])),
        event(json!({ "choices": [{ "delta": {}, "finish_reason": "tool_calls" }] })),
        event(json!({ "choices": [], "usage": {
            "prompt_tokens": 50, "completion_tokens": 9,
            "prompt_tokens_details": { "cached_tokens": 40 },
        } })),
        "data: [DONE]\n\n".to_owned(),
    ];
    let chunks: Vec<&str> = chunks.iter().map(String::as_str).collect();
    let (response, shown, _stub) =
        chat(Reply::of(&chunks), Api::OpenAi, &request(Delivery::Streamed));
    let response = response.unwrap();
    assert_eq!((response.text.as_str(), shown.as_str()), ("Let me look.", "Let me look."));
    let calls = [call("a", "search", "{\"query\":\"cart\"}"), call("b", "map", "")];
    assert_eq!(response.tool_calls, calls);
    assert_eq!(response.tool_calls[0].parsed_arguments().unwrap()["query"], "cart");
    assert_eq!(response.tool_calls[1].parsed_arguments().unwrap(), json!({}));
    assert_eq!(response.finish_reason, FinishReason::ToolCalls);
    let tokens = (Some(50), Some(9), Some(40));
    let Usage { prompt_tokens, answer_tokens, cached_tokens } = response.usage;
    assert_eq!((prompt_tokens, answer_tokens, cached_tokens), tokens);
}

#[test]
fn ollama_sends_whole_calls_one_after_another() {
    let line = |value: Value| format!("{value}\n");
    let message = |name: &str| {
        let call = json!({ "function": { "name": name, "arguments": { "query": "cart" } } });
        line(
            json!({ "message": { "role": "assistant", "content": "", "tool_calls": [call] }, "done": false }),
        )
    };
    let end = line(json!({
        "message": { "role": "assistant", "content": "" }, "done": true, "done_reason": "stop",
        "prompt_eval_count": 12, "eval_count": 5,
    }));
    let chunks = [message("search"), message("map"), end];
    let chunks: Vec<&str> = chunks.iter().map(String::as_str).collect();
    let (response, _, _stub) = chat(Reply::of(&chunks), Api::Ollama, &request(Delivery::Streamed));
    let response = response.unwrap();
    let arguments = "{\"query\":\"cart\"}";
    let calls = [call("call_0", "search", arguments), call("call_1", "map", arguments)];
    assert_eq!(response.tool_calls, calls);
    assert_eq!(response.finish_reason, FinishReason::ToolCalls);
    assert_eq!((response.usage.prompt_tokens, response.usage.answer_tokens), (Some(12), Some(5)));
}

#[test]
fn a_whole_answer_may_be_spread_over_lines() {
    let body = json!({
        "choices": [{ "message": { "content": "{\"path\":\"a.py\"}" }, "finish_reason": "length" }],
        "usage": { "prompt_tokens": 3, "completion_tokens": 4 },
    });
    let pretty = serde_json::to_string_pretty(&body).unwrap();
    let (response, shown, _stub) =
        chat(Reply::of(&[&pretty]), Api::OpenAi, &request(Delivery::Whole));
    let response = response.unwrap();
    assert_eq!(
        (response.text.as_str(), shown.as_str()),
        ("{\"path\":\"a.py\"}", "{\"path\":\"a.py\"}")
    );
    assert_eq!(response.finish_reason, FinishReason::Length);
}

#[test]
fn refusals_and_deadlines_are_errors_or_what_there_is() {
    let refusal =
        Reply::of(&["{\"error\":{\"message\":\"no tools here\"}}"]).with(400, "x-stub: 1");
    let (response, _, _stub) = chat(refusal, Api::OpenAi, &request(Delivery::Streamed));
    let error = response.unwrap_err().to_string();
    assert!(error.contains("/v1/chat/completions") && error.contains("no tools here"), "{error}");
    let late = |chunks: &[&str]| {
        let deadline = Some(Instant::now() + Duration::from_millis(150));
        let request = ChatRequest { deadline, ..request(Delivery::Streamed) };
        chat(Reply::of(chunks).ending(Ending::Hangs), Api::OpenAi, &request).0
    };
    assert!(matches!(late(&[]), Err(ModelError::Timeout { .. })));
    let chunk = "data: {\"choices\":[{\"delta\":{\"content\":\"par\"}}]}\n\n";
    let response = late(&[chunk]).unwrap();
    assert_eq!((response.text.as_str(), response.finish_reason), ("par", FinishReason::Deadline));
}

#[test]
fn an_answer_that_does_not_end_is_cut_off_by_its_bytes() {
    let text = format!(
        "data: {{\"choices\":[{{\"delta\":{{\"content\":\"{}\"}}}}]}}\n\n",
        "x".repeat(1000)
    );
    let call = format!(
        "data: {{\"choices\":[{{\"delta\":{{\"tool_calls\":[{{\"index\":0,\"id\":\"a\",\"function\":{{\"name\":\"read\",\"arguments\":\"{}\"}}}}]}}}}]}}\n\n",
        "x".repeat(1000)
    );
    for chunk in [text, call] {
        let request = ChatRequest { max_bytes: Some(10_000), ..request(Delivery::Streamed) };
        let chunks = vec![chunk.as_str(); 2000];
        let (response, _, _stub) = chat(Reply::of(&chunks), Api::OpenAi, &request);
        let response = response.unwrap();
        assert_eq!(response.finish_reason, FinishReason::Length);
        assert!(response.text.len() <= 11_000 && response.tool_calls.is_empty());
    }
}
