//! Tells an answer in the client's protocol, where the server speaks another, or where there is no server.

use std::sync::Arc;

use axum::body::Body;
use axum::http::header;
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use foreword_model::clean::{InsertionPoint, clean};
use foreword_model::embedded::Extent;
use foreword_model::http::{Delta, RawResponse};

use crate::serve::app::App;
use crate::serve::backend::reader::Reader;
use crate::serve::backend::relay::{Asked, failed};
use crate::serve::complete::{refuse, whole};
use crate::serve::context::prepare::ms;
use crate::serve::http::stream::Pipe;
use crate::serve::observation::in_flight::Pending;
use crate::serve::protocols::request::{Ask, Door};
use crate::serve::protocols::response::{self, Said};

/// Tells an answer in another protocol than the server's. `place` is where the text is made to fit, for clients that do
/// not do it.
pub(crate) async fn anew(
    app: &Arc<App>,
    ask: Ask,
    mut pending: Pending,
    relayed: Asked,
    said: Said,
    place: Option<(String, String)>,
) -> Response {
    let relayed = match relayed {
        Ok(it) if it.is_success() => it,
        Ok(it) => return failed(pending, it).await,
        Err(error) => return refuse(pending, &app.backend.failed(&error)),
    };
    pending.record().model.status = relayed.status;
    if ask.wants.stream {
        let (pipe, flow) = Pipe::new();
        let mut res = stream_of(&ask, Body::from_stream(flow));
        res.headers_mut().extend(pending.headers());
        tokio::spawn(translate(Arc::clone(app), ask, pending, relayed, said, pipe));
        return res;
    }
    let mut said = said;
    let start = std::time::Instant::now();
    let mut reader = Reader::new(relayed);
    while let Some(part) = reader.next().await {
        match part {
            Ok(part) => take(&mut pending, &mut said, &part),
            // What came before the server died is worth having.
            Err(_) if said.texts.first().is_some_and(|it| !it.is_empty()) => break,
            Err(error) => return refuse(pending, &app.backend.failed(&error)),
        }
    }
    said.model_ms = ms(start);
    if let Some((prefix, suffix)) = place {
        fit(&mut said, &prefix, &suffix);
        pending.record().answer = said.texts.concat();
    }
    whole(&ask, pending, &said)
}

/// Makes texts fit the place of the cursor.
pub(crate) fn fit(said: &mut Said, prefix: &str, suffix: &str) {
    let extent = Extent::at(prefix, suffix);
    let point = InsertionPoint { prefix, suffix, extent, ..InsertionPoint::default() };
    for text in &mut said.texts {
        *text = clean(text, &point).text;
    }
}

/// An answer that is all there, whole or as a stream of one piece.
pub(crate) fn told(ask: &Ask, mut pending: Pending, said: &Said) -> Response {
    let text = said.texts.first().cloned().unwrap_or_default();
    let part = Delta {
        text: text.clone(),
        prompt_tokens: Some(said.prompt_tokens),
        answer_tokens: Some(said.answer_tokens),
        ..Delta::default()
    };
    pending.said(&part);
    if !ask.wants.stream || ask.door == Door::Tabby {
        return whole(ask, pending, said);
    }
    let piece = if text.is_empty() { Bytes::new() } else { response::piece(ask, said, &text) };
    let bytes = [piece, response::last(ask, said)].concat();
    let mut res = stream_of(ask, Body::from(bytes));
    res.headers_mut().extend(pending.headers());
    pending.finish(200);
    res
}

pub(crate) fn stream_of(ask: &Ask, body: Body) -> Response {
    let headers = [
        (header::CONTENT_TYPE, response::stream_type(ask.door)),
        (header::CACHE_CONTROL, "no-cache"),
    ];
    (headers, body).into_response()
}

async fn translate(
    app: Arc<App>,
    ask: Ask,
    mut pending: Pending,
    relayed: RawResponse,
    mut said: Said,
    pipe: Pipe,
) {
    let mut closing = app.closing.clone();
    let mut reader = Reader::new(relayed);
    let start = std::time::Instant::now();
    loop {
        let part = tokio::select! {
            part = reader.next() => part,
            () = pipe.closed() => return,
            _ = closing.wait_for(|it| *it) => return,
        };
        let bytes = match part {
            Some(Ok(part)) => {
                take(&mut pending, &mut said, &part);
                if part.text.is_empty() {
                    continue;
                }
                response::piece(&ask, &said, &part.text)
            }
            Some(Err(error)) => {
                let away = app.backend.failed(&error);
                pipe.send(response::broken(ask.door, false, &away.message)).await;
                return pending.broke(away.message);
            }
            None => break,
        };
        if !pipe.send(bytes).await {
            return;
        }
    }
    said.model_ms = ms(start);
    pipe.send(response::last(&ask, &said)).await;
    pending.finish(200);
}

fn take(pending: &mut Pending, said: &mut Said, part: &Delta) {
    pending.said(part);
    if said.texts.is_empty() {
        said.texts.push(String::new());
    }
    said.texts[0].push_str(&part.text);
    said.end = part.finish_reason.or(said.end);
    said.prompt_tokens = part.prompt_tokens.unwrap_or(said.prompt_tokens);
    said.answer_tokens = part.answer_tokens.unwrap_or(said.answer_tokens);
}
