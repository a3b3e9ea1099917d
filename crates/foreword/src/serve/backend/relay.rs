//! Relays a server's response unchanged to a client that speaks the server's own protocol.

use std::sync::Arc;

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use foreword_model::ModelError;
use foreword_model::http::{Line, Lines, RawResponse, delta};
use foreword_session::backend::Backend;
use foreword_session::clock::unix_seconds;
use serde_json::Value;
use tokio::sync::watch;

use super::exchange::{Exchange, with_timeout};
use crate::serve::http::error::ApiError;
use crate::serve::http::stream::{BodySender, body_channel};
use crate::serve::observation::in_flight::InFlight;
use crate::serve::protocols::completion::Completion;
use crate::serve::protocols::request::{ClientRequest, Endpoint};
use crate::serve::protocols::{openai, response};

/// Maximum bytes of a response that is not a stream.
const MAX_RESPONSE_BYTES: usize = 32 << 20;

/// Maximum characters recorded of a server's error.
const MAX_ERROR_CHARS: usize = 500;

/// Relays the response to a completion request and records it.
pub(crate) async fn respond(
    mut exchange: Exchange,
    backend: Arc<Backend>,
    relayed: RawResponse,
) -> Response {
    exchange.in_flight.record().model.status = relayed.status;
    match relayed.is_success() {
        false => relay_error(exchange.in_flight, relayed).await,
        true if is_stream(&relayed) => {
            let (sender, stream) = body_channel();
            let mut res = with_status_of(&relayed, Body::from_stream(stream));
            res.headers_mut().extend(exchange.in_flight.headers());
            tokio::spawn(relay_stream(exchange, backend, relayed, sender));
            res
        }
        true => relay_whole(exchange, &backend, relayed).await,
    }
}

/// Relays a response that is not a stream.
async fn relay_whole(exchange: Exchange, backend: &Backend, mut relayed: RawResponse) -> Response {
    match with_timeout(relayed.rest(MAX_RESPONSE_BYTES)).await {
        Ok(bytes) => {
            let Exchange { request, mut in_flight, .. } = exchange;
            let bytes = record_whole(&request, &mut in_flight, bytes);
            let mut res = with_status_of(&relayed, Body::from(bytes));
            res.headers_mut().extend(in_flight.headers());
            in_flight.finish(relayed.status);
            res
        }
        Err(error) => exchange.refuse(&backend.failed(&error)),
    }
}

/// Relays the response to a request that foreword does not handle: a conversation, or a query about the server.
pub(crate) async fn forward(
    backend: &Backend,
    response: Result<RawResponse, ModelError>,
    closing: watch::Receiver<bool>,
) -> Response {
    let mut relayed = match response {
        Ok(it) => it,
        Err(error) => return ApiError::from(&backend.failed(&error)).into_response(),
    };
    if is_stream(&relayed) {
        let (sender, stream) = body_channel();
        let res = with_status_of(&relayed, Body::from_stream(stream));
        tokio::spawn(async move { copy_stream(&mut relayed, &sender, closing, |_| {}).await });
        return res;
    }
    match with_timeout(relayed.rest(MAX_RESPONSE_BYTES)).await {
        Ok(bytes) => with_status_of(&relayed, Body::from(bytes)),
        Err(error) => ApiError::from(&backend.failed(&error)).into_response(),
    }
}

/// A server's error, word for word.
async fn relay_error(mut in_flight: InFlight, mut relayed: RawResponse) -> Response {
    let bytes = with_timeout(relayed.rest(MAX_RESPONSE_BYTES)).await.unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    in_flight.record().notes.push(text.chars().take(MAX_ERROR_CHARS).collect());
    let mut res = with_status_of(&relayed, Body::from(bytes));
    res.headers_mut().extend(in_flight.headers());
    in_flight.finish(relayed.status);
    res
}

/// A response with the server's status and its end-to-end headers.
fn with_status_of(relayed: &RawResponse, body: Body) -> Response {
    let mut res = Response::new(body);
    *res.status_mut() = StatusCode::from_u16(relayed.status).unwrap_or(StatusCode::BAD_GATEWAY);
    let mut add = |name, value: &Option<String>| {
        if let Some(value) = value.as_deref().and_then(|it| HeaderValue::from_str(it).ok()) {
            res.headers_mut().insert(name, value);
        }
    };
    add(header::CONTENT_TYPE, &relayed.content_type);
    add(header::RETRY_AFTER, &relayed.retry_after);
    res
}

fn is_stream(relayed: &RawResponse) -> bool {
    let kind = relayed.content_type.as_deref().unwrap_or_default();
    kind.starts_with("text/event-stream") || kind.starts_with("application/x-ndjson")
}

/// Records a whole response, and returns it as the client needs it.
fn record_whole(request: &ClientRequest, in_flight: &mut InFlight, bytes: Vec<u8>) -> Vec<u8> {
    match serde_json::from_slice::<Value>(&bytes) {
        Ok(value) => {
            let first = value.as_array().and_then(|it| it.first()).unwrap_or(&value);
            in_flight.received(&delta(&nested(first)));
            adapted(request, in_flight.id(), value).unwrap_or(bytes)
        }
        Err(_) => {
            in_flight.record().notes.push("the server's answer is no JSON".to_owned());
            bytes
        }
    }
}

/// The response that the client needs if the server's is not enough. Clients of OpenAI get the fields that they require;
/// clients of llama.cpp that asked for several choices get a list, even if the server had room for one only.
fn adapted(request: &ClientRequest, id: &str, value: Value) -> Option<Vec<u8>> {
    match request.endpoint {
        Endpoint::OpenAi if value["choices"].is_array() => {
            let defaults = Completion {
                id: id.to_owned(),
                created: unix_seconds(),
                model: request.model().unwrap_or_default().to_owned(),
                ..Completion::default()
            };
            serde_json::to_vec(&openai::with_required_fields(value, &defaults)).ok()
        }
        Endpoint::Infill if request.options.n > 1 && value.is_object() => {
            serde_json::to_vec(&[value]).ok()
        }
        _ => None,
    }
}

/// Adds the nested field `timings.prompt_n` for the flat field `timings/prompt_n`, which clients get that select fields.
fn nested(value: &Value) -> Value {
    let mut res = value.clone();
    for (name, it) in value.as_object().into_iter().flatten() {
        if let Some((outer, inner)) = name.split_once('/') {
            res[outer][inner] = it.clone();
        }
    }
    res
}

/// How the copy of a stream ended.
enum StreamEnd {
    Complete,
    /// The client went away, or this server is closing.
    Cancelled,
    /// The upstream server broke off.
    Broken(ModelError),
}

/// Copies a stream until its end or until the client disconnects. Returning closes the connection to the server.
async fn copy_stream(
    relayed: &mut RawResponse,
    sender: &BodySender,
    mut closing: watch::Receiver<bool>,
    mut observe: impl FnMut(&[u8]),
) -> StreamEnd {
    loop {
        let chunk = tokio::select! {
            chunk = with_timeout(relayed.chunk()) => chunk,
            () = sender.closed() => return StreamEnd::Cancelled,
            _ = closing.wait_for(|it| *it) => return StreamEnd::Cancelled,
        };
        match chunk {
            Ok(Some(bytes)) => {
                observe(&bytes);
                if !sender.send(Bytes::from(bytes)).await {
                    return StreamEnd::Cancelled;
                }
            }
            Ok(None) => return StreamEnd::Complete,
            Err(error) => return StreamEnd::Broken(error),
        }
    }
}

/// Relays and records a stream. If it breaks off, the client gets an error as the last event.
async fn relay_stream(
    exchange: Exchange,
    backend: Arc<Backend>,
    mut relayed: RawResponse,
    sender: BodySender,
) {
    let Exchange { request, mut in_flight, closing } = exchange;
    let mut lines = Lines::default();
    let mut is_line_open = false;
    let observe = |bytes: &[u8]| {
        lines.push(bytes).iter().for_each(|it| record_line(&mut in_flight, it));
        is_line_open = !bytes.ends_with(b"\n");
    };
    match copy_stream(&mut relayed, &sender, closing, observe).await {
        StreamEnd::Cancelled => {}
        StreamEnd::Complete => {
            lines.finish().iter().for_each(|it| record_line(&mut in_flight, it));
            in_flight.finish(relayed.status);
        }
        StreamEnd::Broken(error) => {
            let error = backend.failed(&error);
            let line_break =
                if is_line_open { response::line_break(request.endpoint) } else { Bytes::new() };
            let last = response::stream_error(request.endpoint, &error.message);
            sender.send([line_break, last].concat().into()).await;
            in_flight.fail(error.message);
        }
    }
}

fn record_line(in_flight: &mut InFlight, line: &Line) {
    if let Line::Object(value) = line {
        in_flight.received(&delta(value));
    }
}
