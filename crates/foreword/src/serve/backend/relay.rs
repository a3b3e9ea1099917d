//! Hands a server's answer back as it comes, where the client speaks the server's own protocol.

use std::sync::Arc;

use axum::body::Body;
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use foreword_model::ModelError;
use foreword_model::http::{Line, Lines, RawResponse, delta};
use serde_json::Value;

use crate::serve::app::App;
use crate::serve::backend::reader::quiet;
use crate::serve::complete::{as_it_came, now, refuse};
use crate::serve::http::stream::Pipe;
use crate::serve::observation::in_flight::Pending;
use crate::serve::protocols::request::{Ask, Door};
use crate::serve::protocols::response::{self, Said};

/// Bytes of an answer that is not a stream.
const MOST: usize = 32 << 20;

/// What came of asking.
pub(crate) type Asked = Result<RawResponse, ModelError>;

/// Passes an answer on as it comes; what it says is noted on the way.
pub(crate) async fn same(app: &Arc<App>, ask: Ask, pending: Pending, relayed: Asked) -> Response {
    let mut relayed = match relayed {
        Ok(it) => it,
        Err(error) => return refuse(pending, &app.backend.failed(&error)),
    };
    if !relayed.is_success() {
        return failed(pending, relayed).await;
    }
    let mut pending = pending;
    pending.record().model.status = relayed.status;
    if is_stream(&relayed) {
        let (pipe, flow) = Pipe::new();
        let mut res = as_it_came(relayed.status, &relayed, Body::from_stream(flow));
        res.headers_mut().extend(pending.headers());
        tokio::spawn(pass_on(Arc::clone(app), ask.door, pending, relayed, pipe));
        return res;
    }
    let bytes = match quiet(relayed.rest(MOST)).await {
        Ok(bytes) => bytes,
        Err(error) => return refuse(pending, &app.backend.failed(&error)),
    };
    let bytes = noted(&ask, &mut pending, bytes);
    let mut res = as_it_came(relayed.status, &relayed, Body::from(bytes));
    res.headers_mut().extend(pending.headers());
    pending.finish(relayed.status);
    res
}

fn is_stream(relayed: &RawResponse) -> bool {
    let kind = relayed.content_type.as_deref().unwrap_or_default();
    kind.starts_with("text/event-stream") || kind.starts_with("application/x-ndjson")
}

/// Passes on an answer that is none of foreword's business: a conversation, what a server says of itself.
pub(crate) async fn other(app: &Arc<App>, relayed: Asked) -> Response {
    let mut relayed = match relayed {
        Ok(it) => it,
        Err(error) => return app.backend.failed(&error).refusal().into_response(),
    };
    if is_stream(&relayed) {
        let (pipe, flow) = Pipe::new();
        let res = as_it_came(relayed.status, &relayed, Body::from_stream(flow));
        let app = Arc::clone(app);
        tokio::spawn(async move { flow_on(&app, &mut relayed, &pipe, |_| {}).await });
        return res;
    }
    match quiet(relayed.rest(MOST)).await {
        Ok(bytes) => as_it_came(relayed.status, &relayed, Body::from(bytes)),
        Err(error) => app.backend.failed(&error).refusal().into_response(),
    }
}

/// Notes what a whole answer says. A client that asked for several of llama.cpp's is given a list, even if the server
/// had room for one only.
fn noted(ask: &Ask, pending: &mut Pending, bytes: Vec<u8>) -> Vec<u8> {
    let Ok(value) = serde_json::from_slice::<Value>(&bytes) else {
        pending.record().notes.push("the server's answer is no JSON".to_owned());
        return bytes;
    };
    let first = value.as_array().and_then(|it| it.first()).unwrap_or(&value);
    pending.said(&delta(&flat(first)));
    if ask.door == Door::OpenAi && value["choices"].is_array() {
        let said = Said {
            id: pending.id().to_owned(),
            created: now(),
            model: ask.model().unwrap_or_default().to_owned(),
            ..Said::default()
        };
        let whole = response::completed(value, &said);
        return serde_json::to_vec(&whole).unwrap_or(bytes);
    }
    if ask.door == Door::Infill && ask.wants.n > 1 && value.is_object() {
        return serde_json::to_vec(&[value]).unwrap_or(bytes);
    }
    bytes
}

/// `timings/prompt_n` is the field of a field, for clients that name the fields they want.
fn flat(value: &Value) -> Value {
    let mut res = value.clone();
    for (name, it) in value.as_object().into_iter().flatten() {
        if let Some((outer, inner)) = name.split_once('/') {
            res[outer][inner] = it.clone();
        }
    }
    res
}

/// A server's refusal, word for word.
pub(crate) async fn failed(mut pending: Pending, mut relayed: RawResponse) -> Response {
    let bytes = quiet(relayed.rest(MOST)).await.unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    pending.record().model.status = relayed.status;
    pending.record().notes.push(text.chars().take(500).collect());
    let mut res = as_it_came(relayed.status, &relayed, Body::from(bytes));
    res.headers_mut().extend(pending.headers());
    pending.finish(relayed.status);
    res
}

/// How a stream that was passed on ended.
enum Flowed {
    /// As it should.
    Out,
    /// Nobody reads it any more, or the server is to stop.
    Left,
    /// The server behind broke off.
    Broke(ModelError),
}

/// Writes a stream as it comes, until its end or until nobody reads it any more; then the server is hung up on.
async fn flow_on(
    app: &App,
    relayed: &mut RawResponse,
    pipe: &Pipe,
    mut seen: impl FnMut(&[u8]),
) -> Flowed {
    let mut closing = app.closing.clone();
    loop {
        let chunk = tokio::select! {
            chunk = quiet(relayed.chunk()) => chunk,
            () = pipe.closed() => return Flowed::Left,
            _ = closing.wait_for(|it| *it) => return Flowed::Left,
        };
        match chunk {
            Ok(Some(bytes)) => {
                seen(&bytes);
                if !pipe.send(Bytes::from(bytes)).await {
                    return Flowed::Left;
                }
            }
            Ok(None) => return Flowed::Out,
            Err(error) => return Flowed::Broke(error),
        }
    }
}

/// Passes a completion on, and notes what it says. A client is told when it breaks off.
async fn pass_on(
    app: Arc<App>,
    door: Door,
    mut pending: Pending,
    mut relayed: RawResponse,
    pipe: Pipe,
) {
    let mut lines = Lines::default();
    let mut is_line_open = false;
    let noted = |bytes: &[u8]| {
        lines.push(bytes).iter().for_each(|it| note(&mut pending, it));
        is_line_open = !bytes.ends_with(b"\n");
    };
    match flow_on(&app, &mut relayed, &pipe, noted).await {
        Flowed::Left => {}
        Flowed::Out => {
            lines.finish().iter().for_each(|it| note(&mut pending, it));
            pending.finish(relayed.status);
        }
        Flowed::Broke(error) => {
            let away = app.backend.failed(&error);
            pipe.send(response::broken(door, is_line_open, &away.message)).await;
            pending.broke(away.message);
        }
    }
}

fn note(pending: &mut Pending, line: &Line) {
    if let Line::Object(value) = line {
        pending.said(&delta(value));
    }
}
