//! Hands a server's answer back: as it comes where the client speaks the server's own protocol, told anew where not.

use std::sync::Arc;

use axum::body::Body;
use axum::http::header;
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use foreword_model::ModelError;
use foreword_model::clean::{Place, clean};
use foreword_model::embedded::Extent;
use foreword_model::http::{Line, Lines, Part, Relayed, part};
use serde_json::Value;

use super::answer::{as_it_came, now, refuse, whole};
use super::app::App;
use super::ask::{Ask, Door};
use super::pending::Pending;
use super::prepare::ms;
use super::reader::{Reader, quiet};
use super::shape::{self, Said};
use super::stream::Pipe;

/// Bytes of an answer that is not a stream.
const MOST: usize = 32 << 20;

type Asked = Result<Relayed, ModelError>;

/// Passes an answer on as it comes; what it says is noted on the way.
pub(super) async fn same(app: &Arc<App>, ask: Ask, pending: Pending, relayed: Asked) -> Response {
    let mut relayed = match relayed {
        Ok(it) => it,
        Err(error) => return refuse(pending, &app.connection.lost(&error)),
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
        Err(error) => return refuse(pending, &app.connection.lost(&error)),
    };
    let bytes = noted(&ask, &mut pending, bytes);
    let mut res = as_it_came(relayed.status, &relayed, Body::from(bytes));
    res.headers_mut().extend(pending.headers());
    pending.finish(relayed.status);
    res
}

fn is_stream(relayed: &Relayed) -> bool {
    let kind = relayed.content_type.as_deref().unwrap_or_default();
    kind.starts_with("text/event-stream") || kind.starts_with("application/x-ndjson")
}

/// Passes on an answer that is none of foreword's business: a conversation, what a server says of itself.
pub(super) async fn other(app: &Arc<App>, relayed: Asked) -> Response {
    let mut relayed = match relayed {
        Ok(it) => it,
        Err(error) => return app.connection.lost(&error).refusal().into_response(),
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
        Err(error) => app.connection.lost(&error).refusal().into_response(),
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
    pending.said(&part(&flat(first)));
    if ask.door == Door::OpenAi && value["choices"].is_array() {
        let said = Said {
            id: pending.id().to_owned(),
            created: now(),
            model: ask.model().unwrap_or_default().to_owned(),
            ..Said::default()
        };
        let whole = shape::completed(value, &said);
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
async fn failed(mut pending: Pending, mut relayed: Relayed) -> Response {
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
    relayed: &mut Relayed,
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
    mut relayed: Relayed,
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
            let away = app.connection.lost(&error);
            pipe.send(shape::broken(door, is_line_open, &away.message)).await;
            pending.broke(away.message);
        }
    }
}

fn note(pending: &mut Pending, line: &Line) {
    if let Line::Object(value) = line {
        pending.said(&part(value));
    }
}

/// Tells an answer in another protocol than the server's. `place` is where the text is made to fit, for clients that do
/// not do it.
pub(super) async fn anew(
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
        Err(error) => return refuse(pending, &app.connection.lost(&error)),
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
            Err(error) => return refuse(pending, &app.connection.lost(&error)),
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
fn fit(said: &mut Said, prefix: &str, suffix: &str) {
    let place = Place { prefix, suffix, extent: Extent::at(prefix, suffix), ..Place::default() };
    for text in &mut said.texts {
        *text = clean(text, &place).text;
    }
}

/// An answer that is all there, whole or as a stream of one piece.
pub(super) fn told(ask: &Ask, mut pending: Pending, said: &Said) -> Response {
    let text = said.texts.first().cloned().unwrap_or_default();
    let part = Part {
        text: text.clone(),
        prompt_tokens: Some(said.prompt_tokens),
        answer_tokens: Some(said.answer_tokens),
        ..Part::default()
    };
    pending.said(&part);
    if !ask.wants.stream || ask.door == Door::Tabby {
        return whole(ask, pending, said);
    }
    let piece = if text.is_empty() { Bytes::new() } else { shape::piece(ask, said, &text) };
    let bytes = [piece, shape::last(ask, said)].concat();
    let mut res = stream_of(ask, Body::from(bytes));
    res.headers_mut().extend(pending.headers());
    pending.finish(200);
    res
}

fn stream_of(ask: &Ask, body: Body) -> Response {
    let headers =
        [(header::CONTENT_TYPE, shape::stream_type(ask.door)), (header::CACHE_CONTROL, "no-cache")];
    (headers, body).into_response()
}

async fn translate(
    app: Arc<App>,
    ask: Ask,
    mut pending: Pending,
    relayed: Relayed,
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
                shape::piece(&ask, &said, &part.text)
            }
            Some(Err(error)) => {
                let away = app.connection.lost(&error);
                pipe.send(shape::broken(ask.door, false, &away.message)).await;
                return pending.broke(away.message);
            }
            None => break,
        };
        if !pipe.send(bytes).await {
            return;
        }
    }
    said.model_ms = ms(start);
    pipe.send(shape::last(&ask, &said)).await;
    pending.finish(200);
}

fn take(pending: &mut Pending, said: &mut Said, part: &Part) {
    pending.said(part);
    if said.texts.is_empty() {
        said.texts.push(String::new());
    }
    said.texts[0].push_str(&part.text);
    said.end = part.end.or(said.end);
    said.prompt_tokens = part.prompt_tokens.unwrap_or(said.prompt_tokens);
    said.answer_tokens = part.answer_tokens.unwrap_or(said.answer_tokens);
}
