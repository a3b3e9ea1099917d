//! Renders a completion in the client's protocol, if the server speaks another protocol or there is no server.

use std::time::Instant;

use axum::body::Body;
use axum::http::header;
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use foreword_model::clean::{InsertionPoint, clean};
use foreword_model::embedded::Extent;
use foreword_model::http::Delta;

use super::exchange::{Exchange, Generation};
use crate::serve::clock::elapsed_ms;
use crate::serve::context::prepare::Surroundings;
use crate::serve::http::error::json_response;
use crate::serve::http::stream::{BodySender, body_channel};
use crate::serve::protocols::completion::Completion;
use crate::serve::protocols::request::Endpoint;
use crate::serve::protocols::response;

/// Renders a completion that is being generated, as a stream on request.
pub(crate) async fn respond(mut exchange: Exchange, mut generation: Generation) -> Response {
    exchange.in_flight.record().model.status = generation.status;
    exchange.in_flight.id().clone_into(&mut generation.completion.id);
    if exchange.request.options.stream {
        let (sender, stream) = body_channel();
        let mut res = stream_response(exchange.request.endpoint, Body::from_stream(stream));
        res.headers_mut().extend(exchange.in_flight.headers());
        tokio::spawn(stream_deltas(exchange, generation, sender));
        return res;
    }
    let Generation { mut completion, mut deltas, surroundings, .. } = generation;
    let start = Instant::now();
    while let Some(part) = deltas.next().await {
        match part {
            Ok(part) => add(&mut exchange, &mut completion, &part),
            // Keeps the text received before the server broke off.
            Err(_) if completion.texts.first().is_some_and(|it| !it.is_empty()) => break,
            Err(error) => return exchange.refuse(&error),
        }
    }
    completion.model_ms = elapsed_ms(start);
    fit(&mut exchange, &mut completion, surroundings.as_ref());
    let echo = exchange.request.echo().to_owned();
    completion.texts.iter_mut().for_each(|it| it.insert_str(0, &echo));
    whole(exchange, &completion)
}

/// Renders a finished completion, whole or as a stream of one chunk. `part` is added to the record.
pub(crate) fn complete(
    mut exchange: Exchange,
    mut completion: Completion,
    part: &Delta,
    surroundings: Option<&Surroundings>,
) -> Response {
    exchange.in_flight.id().clone_into(&mut completion.id);
    exchange.in_flight.received(part);
    exchange.in_flight.is_sure(completion.confidence);
    exchange.in_flight.record().withheld = completion.confidence.filter(|_| completion.is_withheld);
    fit(&mut exchange, &mut completion, surroundings);
    if !exchange.request.options.stream {
        return whole(exchange, &completion);
    }
    let endpoint = exchange.request.endpoint;
    let text = completion.texts.first().map(String::as_str).unwrap_or_default();
    let chunk = match text {
        "" => Bytes::new(),
        text => response::chunk(endpoint, &completion, text),
    };
    let bytes = [chunk, response::last_chunk(endpoint, &completion)].concat();
    let mut res = stream_response(endpoint, Body::from(bytes));
    res.headers_mut().extend(exchange.in_flight.headers());
    exchange.in_flight.finish(200);
    res
}

/// Renders a completion without a model call, whole.
pub(crate) fn without_model(exchange: Exchange, mut completion: Completion) -> Response {
    exchange.in_flight.id().clone_into(&mut completion.id);
    whole(exchange, &completion)
}

fn whole(exchange: Exchange, completion: &Completion) -> Response {
    let headers = exchange.in_flight.headers();
    let value = response::whole(&exchange.request, completion);
    exchange.in_flight.finish(200);
    let mut res = json_response(&value);
    res.headers_mut().extend(headers);
    res
}

/// Makes the texts fit between the text before and after the cursor.
fn fit(exchange: &mut Exchange, completion: &mut Completion, surroundings: Option<&Surroundings>) {
    let Some(Surroundings { prefix, suffix }) = surroundings else { return };
    let extent = Extent::at(prefix, suffix);
    let point = InsertionPoint { prefix, suffix, extent, ..InsertionPoint::default() };
    for text in &mut completion.texts {
        *text = clean(text, &point).text;
    }
    exchange.in_flight.record().answer = completion.texts.concat();
}

fn stream_response(endpoint: Endpoint, body: Body) -> Response {
    let headers = [
        (header::CONTENT_TYPE, response::stream_type(endpoint)),
        (header::CACHE_CONTROL, "no-cache"),
    ];
    (headers, body).into_response()
}

/// Streams a completion as it is written. Returning cancels it.
async fn stream_deltas(mut exchange: Exchange, generation: Generation, sender: BodySender) {
    let Generation { mut completion, mut deltas, .. } = generation;
    let endpoint = exchange.request.endpoint;
    let mut closing = exchange.closing.clone();
    let start = Instant::now();
    let echo = exchange.request.echo();
    if !echo.is_empty() && !sender.send(response::chunk(endpoint, &completion, echo)).await {
        return;
    }
    loop {
        let part = tokio::select! {
            part = deltas.next() => part,
            () = sender.closed() => return,
            _ = closing.wait_for(|it| *it) => return,
        };
        match part {
            Some(Ok(part)) => {
                add(&mut exchange, &mut completion, &part);
                if part.text.is_empty() {
                    continue;
                }
                if !sender.send(response::chunk(endpoint, &completion, &part.text)).await {
                    return;
                }
            }
            Some(Err(error)) => {
                sender.send(response::stream_error(endpoint, &error.message)).await;
                return exchange.in_flight.fail(error.message);
            }
            None => break,
        }
    }
    completion.model_ms = elapsed_ms(start);
    sender.send(response::last_chunk(endpoint, &completion)).await;
    exchange.in_flight.finish(200);
}

/// Adds a part to the record and to the completion.
fn add(exchange: &mut Exchange, completion: &mut Completion, part: &Delta) {
    exchange.in_flight.received(part);
    if completion.texts.is_empty() {
        completion.texts.push(String::new());
    }
    completion.texts[0].push_str(&part.text);
    completion.finish_reason = part.finish_reason.or(completion.finish_reason);
    completion.prompt_tokens = part.prompt_tokens.unwrap_or(completion.prompt_tokens);
    completion.completion_tokens = part.answer_tokens.unwrap_or(completion.completion_tokens);
}
