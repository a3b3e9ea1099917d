//! Answers of a model that this program runs from a file (`--gguf`): every door is answered by it, in pieces where the
//! client streams. A client that goes away ends its answer.

use std::sync::Arc;
use std::time::Instant;

use axum::body::Body;
use axum::response::Response;
use foreword_engine::preset;
use foreword_model::clean::{InsertionPoint, stop_check};
use foreword_model::embedded::Extent;
use foreword_model::http::Delta;
use foreword_model::request::{self, CompletionRequest, Fill, RenderedPrompt};
use foreword_model::{ModelError, TokenCounter};
use tokio::sync::mpsc::unbounded_channel;

use crate::backend::Unavailable;
use crate::backend::{Endpoint, LoadedModel};
use crate::serve::app::App;
use crate::serve::backend::request_body;
use crate::serve::backend::transcode::{fit, stream_of};
use crate::serve::complete::{TOKENS, now, refuse, request as request_of, whole};
use crate::serve::context::admission::context;
use crate::serve::context::prepare::{Form, Prepared, bare, ms};
use crate::serve::http::stream::Pipe;
use crate::serve::observation::in_flight::Pending;
use crate::serve::observation::record::Context;
use crate::serve::protocols::request::{Ask, Door, Kind, Told};
use crate::serve::protocols::response::{self, Said};

/// Choices of an answer at the most.
const MOST: usize = 8;

/// Answers a request of any door.
pub(crate) async fn answer(
    app: &Arc<App>,
    local: &Arc<LoadedModel>,
    ask: Ask,
    told: &Told,
    mut pending: Pending,
) -> Response {
    pending.record().model.title = local.model.title();
    if ask.kind == Kind::Opaque {
        return opaque(local, &ask, pending);
    }
    let form = match form(app, local, &ask) {
        Ok(form) => form,
        Err(error) => {
            return refuse(pending, &Unavailable { status: 400, message: error.to_string() });
        }
    };
    let prepared = prepared(app, &ask, told, &form, &mut pending).await;
    let prompt = prepared.fill.prompt.as_ref().map(|it| it.text.clone()).unwrap_or_default();
    pending.sent(Some(prompt.clone()));
    let place = (ask.door == Door::Tabby).then(|| prepared.whole.clone());
    let request = asked(&ask, prepared, place.as_ref());
    let said = said(local, &pending, prompt);
    let telling = Telling { ask, pending, said, counter: form.counter };
    if !telling.ask.wants.stream {
        return telling.whole(local, &request, place).await;
    }
    let (pipe, flow) = Pipe::new();
    let mut res = stream_of(&telling.ask, Body::from_stream(flow));
    res.headers_mut().extend(telling.pending.headers());
    tokio::spawn(telling.stream(Arc::clone(app), Arc::clone(local), request, pipe));
    res
}

/// A request that has no text to be completed.
fn opaque(local: &LoadedModel, ask: &Ask, pending: Pending) -> Response {
    // A client of Ollama has its model loaded by asking it nothing.
    if ask.door == Door::Ollama && ask.text("prompt").is_empty() {
        let said = said(local, &pending, String::new());
        return whole(ask, pending, &said);
    }
    let message = "a model file completes text, and this request has none: it has tokens, a conversation or pictures";
    refuse(pending, &Unavailable { status: 501, message: message.to_owned() })
}

/// What the model is to see: with context where that is wanted and comes in time.
async fn prepared(
    app: &Arc<App>,
    ask: &Ask,
    told: &Told,
    form: &Form,
    pending: &mut Pending,
) -> Prepared {
    if ask.kind == Kind::WarmUp {
        return ahead(app, ask, form);
    }
    let prepared = context(app, ask, told, form, pending).await;
    prepared.filter(|it| it.context != Context::Untouched).unwrap_or_else(|| bare(ask, form))
}

/// How the model is sent what it sees, within what it can read.
fn form(app: &App, local: &Arc<LoadedModel>, ask: &Ask) -> anyhow::Result<Form> {
    let answer = ask.wants.max_tokens.unwrap_or(TOKENS);
    let endpoint = Endpoint::File(Arc::clone(local));
    let budget = endpoint.client_budget(app.options.budget, answer, ask.wants.window)?;
    Ok(Form {
        format: local.format,
        counter: local.counter.clone(),
        budget,
        preset: preset::context(),
        reads_files: false,
    })
}

/// What the next prompt begins with, to be read before it is asked for.
fn ahead(app: &App, ask: &Ask, form: &Form) -> Prepared {
    if ask.door != Door::Infill {
        return bare(ask, form);
    }
    let text = request_body::ahead(app, ask, form);
    let prompt = RenderedPrompt { format: form.format.name, text, stop: Vec::new() };
    Prepared { fill: Fill { prompt: Some(prompt), ..Fill::default() }, ..Prepared::default() }
}

/// What the model is asked; an answer that is made to fit its place ends where nothing more of it would fit.
pub(crate) fn asked(
    ask: &Ask,
    prepared: Prepared,
    place: Option<&(String, String)>,
) -> CompletionRequest {
    let mut res = request_of(ask, prepared);
    res.n = res.n.clamp(1, MOST);
    res.stop_check = place.map(|(prefix, suffix)| {
        let extent = Extent::at(prefix, suffix);
        stop_check(&InsertionPoint { prefix, suffix, extent, ..InsertionPoint::default() })
    });
    res
}

fn said(local: &LoadedModel, pending: &Pending, prompt: String) -> Said {
    let (id, created) = (pending.id().to_owned(), now());
    Said { id, created, model: local.name.clone(), prompt, ..Said::default() }
}

/// An answer on its way to a client.
struct Telling {
    ask: Ask,
    pending: Pending,
    said: Said,
    counter: TokenCounter,
}

impl Telling {
    /// All at once.
    async fn whole(
        mut self,
        local: &LoadedModel,
        request: &CompletionRequest,
        place: Option<(String, String)>,
    ) -> Response {
        let start = Instant::now();
        let answer = match local.model.complete(request, &mut |_| {}).await {
            Ok(answer) => answer,
            Err(error) => return refuse(self.pending, &Unavailable::from(&error)),
        };
        let text = answer.choices.first().map(|it| it.text.clone()).unwrap_or_default();
        self.pending.said(&Delta { text, ..Delta::default() });
        self.over(answer, start);
        if let Some((prefix, suffix)) = place {
            fit(&mut self.said, &prefix, &suffix);
            self.pending.record().answer = self.said.texts.concat();
        }
        whole(&self.ask, self.pending, &self.said)
    }

    /// As it is written. To return is to end the answer.
    async fn stream(
        mut self,
        app: Arc<App>,
        local: Arc<LoadedModel>,
        request: CompletionRequest,
        pipe: Pipe,
    ) {
        let start = Instant::now();
        let mut closing = app.closing.clone();
        let (sender, mut texts) = unbounded_channel();
        let mut sink = |text: &str| drop(sender.send(text.to_owned()));
        let mut answering = local.model.complete(&request, &mut sink);
        let res = loop {
            let next = tokio::select! {
                biased;
                Some(text) = texts.recv() => Ok(text),
                res = &mut answering => Err(res),
                () = pipe.closed() => return,
                _ = closing.wait_for(|it| *it) => return,
            };
            let text = match next {
                Ok(text) => text,
                Err(res) => break res,
            };
            if !self.piece(text, &pipe).await {
                return;
            }
        };
        while let Ok(text) = texts.try_recv() {
            if !self.piece(text, &pipe).await {
                return;
            }
        }
        match res {
            Ok(answer) => self.over(answer, start),
            Err(error) => return self.broken(&error, &pipe).await,
        }
        pipe.send(response::last(&self.ask, &self.said)).await;
        self.pending.finish(200);
    }

    /// Sends a piece; false when nobody reads any more.
    async fn piece(&mut self, text: String, pipe: &Pipe) -> bool {
        let bytes = response::piece(&self.ask, &self.said, &text);
        self.pending.said(&Delta { text, ..Delta::default() });
        pipe.send(bytes).await
    }

    async fn broken(self, error: &ModelError, pipe: &Pipe) {
        pipe.send(response::broken(self.ask.door, false, &error.to_string())).await;
        self.pending.broke(error.to_string());
    }

    /// Notes what the answer is, but for the text of the first choice, which was noted as it came.
    fn over(&mut self, answer: request::CompletionResponse, start: Instant) {
        let said = &mut self.said;
        said.model_ms = ms(start);
        said.end = answer.choices.first().map(|it| it.finish_reason);
        said.texts = answer.choices.into_iter().map(|it| it.text).collect();
        said.prompt_tokens = answer.prompt_tokens.unwrap_or_default();
        said.answer_tokens = said.texts.iter().map(|it| self.counter.count(it) as u64).sum();
        self.pending.said(&Delta {
            prompt_tokens: answer.prompt_tokens,
            cached_tokens: answer.cached_tokens,
            answer_tokens: Some(said.answer_tokens),
            ..Delta::default()
        });
    }
}
