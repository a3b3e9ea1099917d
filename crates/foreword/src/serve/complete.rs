//! From the common question to an answer: context, prompt, model, and back.

use std::sync::Arc;
use std::time::Instant;

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use foreword_engine::compose::Format;
use foreword_engine::preset;
use foreword_model::TokenCounter;
use foreword_model::embedded::Extent;
use foreword_model::http::{Api, RawResponse, completion_body};
use foreword_model::request::{self, CompletionRequest};
use serde_json::Value;

use crate::backend::{EMBEDDED as MODEL, Endpoint, Unavailable, Upstream};
use crate::serve::app::App;
use crate::serve::backend::route::{Route, format_for, route};
use crate::serve::backend::{embedded as embedded_model, file, relay, request_body, transcode};
use crate::serve::context::admission::{context, form};
use crate::serve::context::locate::settle;
use crate::serve::context::prepare::{Form, Prepared, bare};
use crate::serve::http::error::json_of;
use crate::serve::observation::in_flight::Pending;
use crate::serve::observation::record::Context;
use crate::serve::protocols::request::{Ask, Door, Kind, Told};
use crate::serve::protocols::response::{self, Said};

/// Tokens of an answer where the client names no limit.
pub(crate) const TOKENS: usize = 256;

/// Answers a request of any door.
pub(crate) async fn answer(app: Arc<App>, mut ask: Ask, told: Told) -> Response {
    let told = told.without_token(&app.options);
    settle(&app, &mut ask);
    let mut pending = Pending::new(&app, &ask, &told);
    let upstream = match app.backend.server().await {
        Ok(Some(it)) => it,
        Ok(None) => {
            return match app.backend.file() {
                Some(local) => file::answer(&app, local, ask, &told, pending).await,
                None => embedded(&app, ask, &told, pending).await,
            };
        }
        Err(away) => return refuse(pending, &away),
    };
    pending.record().model.title = request::Model::title(&upstream.server);
    let (way, format) = way(&upstream, &ask);
    let Some(format) = format else {
        return unrendered(&upstream, ask, &told, pending, way).await;
    };
    let form = match form(&app, &upstream, &ask, format) {
        Ok(form) => form,
        Err(error) => {
            return refuse(pending, &Unavailable { status: 500, message: error.to_string() });
        }
    };
    if ask.kind == Kind::WarmUp && way.same {
        return warm_up(&upstream, ask, &told, pending, way, form).await;
    }
    let prepared = context(&app, &ask, &told, &form, &mut pending).await;
    let prepared = prepared.filter(|it| it.context != Context::Untouched);
    if prepared.is_none() && way.same {
        return untouched(&upstream, ask, &told, pending).await;
    }
    if !ask.is_open() {
        let message = format!("{} cannot be asked this way", upstream.server.base());
        return refuse(pending, &Unavailable { status: 501, message });
    }
    let prepared = prepared.unwrap_or_else(|| bare(&ask, &form));
    send(&app, &upstream, ask, &told, pending, way, prepared).await
}

/// The way to the server, and the format of the prompt, if it is known.
pub(crate) fn way(upstream: &Upstream, ask: &Ask) -> (Route, Option<&'static Format>) {
    let way = route(ask.door, upstream.server.api());
    let format = format_for(upstream, ask, way.api);
    // llama.cpp knows its model's tokens where we do not.
    if format.is_none() && ask.door == Door::Infill && way.api == Api::LlamaCpp {
        let way = Route { api: Api::LlamaCppInfill, ..way };
        return (way, Format::named("comment"));
    }
    (way, format)
}

/// Sends a request as it came.
async fn untouched(upstream: &Upstream, ask: Ask, told: &Told, mut pending: Pending) -> Response {
    let body = request_body::untouched(&ask, upstream);
    pending.sent(None);
    let relayed = upstream.server.relay_json(ask.door.path(), &body, told.key.as_deref()).await;
    relay::same(&pending.app(), ask, pending, relayed).await
}

/// Sends a request with its context, and hands back the answer.
async fn send(
    app: &Arc<App>,
    upstream: &Upstream,
    ask: Ask,
    told: &Told,
    mut pending: Pending,
    way: Route,
    prepared: Prepared,
) -> Response {
    let place = (ask.door == Door::Tabby).then(|| prepared.whole.clone());
    let request = request(&ask, prepared);
    let base = match completion_body(way.api, upstream.server.model(), &request) {
        Ok(base) => base,
        Err(error) => return refuse(pending, &Unavailable::from(&error)),
    };
    let prompt = request_body::prompt(&base);
    let sent = request_body::body(&ask, base, way, upstream);
    pending.sent(Some(prompt.clone()));
    let relayed = upstream.server.relay_json(way.api.path(), &sent, told.key.as_deref()).await;
    if way.same {
        return relay::same(app, ask, pending, relayed).await;
    }
    let said = Said {
        id: pending.id().to_owned(),
        created: now(),
        model: ask.model().unwrap_or(upstream.server.model()).to_owned(),
        prompt,
        ..Said::default()
    };
    transcode::anew(app, ask, pending, relayed, said, place).await
}

/// What a model is asked.
pub(crate) fn request(ask: &Ask, prepared: Prepared) -> CompletionRequest {
    let wants = &ask.wants;
    CompletionRequest {
        fill: prepared.fill,
        extent: Extent::Block(usize::MAX),
        max_tokens: wants.max_tokens.unwrap_or(TOKENS),
        stop: wants.stop.clone(),
        temperature: wants.temperature.unwrap_or(0.0) as f32,
        n: wants.n,
        deadline: None,
        stop_check: None,
    }
}

/// A model whose format is not known: the request goes on as it came where that is possible.
async fn unrendered(
    upstream: &Upstream,
    ask: Ask,
    told: &Told,
    mut pending: Pending,
    way: Route,
) -> Response {
    let why = upstream.format.as_ref().err().cloned().unwrap_or_default();
    if !way.same {
        return refuse(pending, &Unavailable { status: 501, message: why });
    }
    pending.record().notes.push(why);
    pending.record().context = Context::Failed;
    untouched(upstream, ask, told, pending).await
}

/// Has the server read what the next prompt begins with: the client's own snippets, as that prompt will have them.
async fn warm_up(
    upstream: &Upstream,
    ask: Ask,
    told: &Told,
    mut pending: Pending,
    way: Route,
    form: Form,
) -> Response {
    let (path, body) = match way.api {
        Api::LlamaCpp if ask.door == Door::Infill => {
            let (app, asked) = (pending.app(), ask.clone());
            let work = move || request_body::warm_up(&app, &asked, &form);
            match tokio::task::spawn_blocking(work).await {
                Ok(body) => (way.api.path(), body),
                Err(_) => (ask.door.path(), request_body::untouched(&ask, upstream)),
            }
        }
        _ => (ask.door.path(), request_body::untouched(&ask, upstream)),
    };
    pending.sent(Some(request_body::prompt(&body)));
    let relayed = upstream.server.relay_json(path, &body, told.key.as_deref()).await;
    relay::same(&pending.app(), ask, pending, relayed).await
}

/// The embedded model's answer.
async fn embedded(app: &Arc<App>, ask: Ask, told: &Told, mut pending: Pending) -> Response {
    pending.record().model.title = Endpoint::Embedded.title();
    let nothing = matches!(ask.kind, Kind::WarmUp | Kind::Opaque);
    let Some(format) = Format::named("none") else {
        let message = "the format `none` is in the table".to_owned();
        return refuse(pending, &Unavailable { status: 500, message });
    };
    let form = TokenCounter::for_format(format, None).map(|counter| Form {
        format,
        counter,
        budget: app.options.budget,
        preset: preset::context(),
        reads_files: true,
    });
    let form = match form {
        Ok(form) => form,
        Err(error) => return refuse(pending, &Unavailable::from(&error)),
    };
    let prepared = context(app, &ask, told, &form, &mut pending).await;
    let prepared = prepared.filter(|it| it.context != Context::Untouched);
    let prepared = prepared.unwrap_or_else(|| bare(&ask, &form));
    pending.sent(prepared.fill.prompt.as_ref().map(|it| it.text.clone()));
    let start = Instant::now();
    let prompt_tokens = form.counter.count(&prepared.fill.prefix) as u64;
    let texts = match nothing {
        true => Vec::new(),
        false => embedded_model::complete(&ask, prepared).await,
    };
    let said = Said {
        id: pending.id().to_owned(),
        created: now(),
        model: MODEL.to_owned(),
        answer_tokens: texts.iter().map(|it| form.counter.count(it) as u64).sum(),
        texts,
        end: Some(request::FinishReason::Stop),
        prompt_tokens,
        model_ms: crate::serve::context::prepare::ms(start),
        ..Said::default()
    };
    transcode::told(&ask, pending, &said)
}

/// An error, in the words of whoever made it.
pub(crate) fn refuse(mut pending: Pending, away: &Unavailable) -> Response {
    pending.record().notes.push(away.message.clone());
    let headers = pending.headers();
    pending.finish(away.status);
    let mut res = away.refusal().into_response();
    res.headers_mut().extend(headers);
    res
}

/// Seconds since 1970.
pub(crate) fn now() -> u64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(0, |it| it.as_secs())
}

/// A server's answer as it came.
pub(crate) fn as_it_came(status: u16, relayed: &RawResponse, body: Body) -> Response {
    let mut res = Response::new(body);
    *res.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::BAD_GATEWAY);
    let mut add = |name, value: &Option<String>| {
        if let Some(value) = value.as_deref().and_then(|it| HeaderValue::from_str(it).ok()) {
            res.headers_mut().insert(name, value);
        }
    };
    add(header::CONTENT_TYPE, &relayed.content_type);
    add(header::RETRY_AFTER, &relayed.retry_after);
    res
}

/// A value as the whole answer, with the headers of its request.
pub(crate) fn value(pending: Pending, value: &Value) -> Response {
    let headers = pending.headers();
    pending.finish(200);
    let mut res = json_of(value);
    res.headers_mut().extend(headers);
    res
}

/// An answer that is told all at once.
pub(crate) fn whole(ask: &Ask, pending: Pending, said: &Said) -> Response {
    value(pending, &response::whole(ask, said))
}
