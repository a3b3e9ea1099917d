//! The model's server behind foreword: found out when the first request comes, so that it may be started later, and
//! again when it has gone or has another model, since a prompt in another model's format would give garbage.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use foreword_engine::compose::Format;
use foreword_model::http::{Api, Server};
use foreword_model::{Counting, ModelError, TokenCounter};
use tokio::sync::Mutex;

use crate::serve::http::error::Refusal;
use crate::serve::options::Options;
use crate::serve::protocols::request::{Ask, Door, Kind};

/// How long it is believed that nobody answers.
const AWAY: Duration = Duration::from_secs(1);

/// How often it is asked whether it still has the same model, while requests come.
const LOOK: Duration = Duration::from_secs(5);

/// A model's server, and what is known of it.
pub(crate) struct Upstream {
    pub(crate) server: Server,
    /// The format of its model, or why it is not known.
    pub(crate) format: Result<&'static Format, String>,
    pub(crate) counter: TokenCounter,
    /// Tokens of a prompt and its answer, where the server says so.
    pub(crate) window: Option<usize>,
    /// Requests that it answers at a time.
    pub(crate) slots: u64,
}

/// The server, once it has been reached.
#[derive(Default)]
pub(crate) struct Connection {
    state: Mutex<State>,
    /// Whether what is known of it may be so no more.
    is_doubtful: Arc<AtomicBool>,
}

#[derive(Default)]
struct State {
    /// With the time of the last look.
    upstream: Option<(Arc<Upstream>, Instant)>,
    failed: Option<(Instant, String, u16)>,
}

/// Why there is no server.
#[derive(Clone, Debug)]
pub(crate) struct Away {
    pub(crate) status: u16,
    pub(crate) message: String,
}

impl Away {
    /// The same for a client.
    pub(crate) fn refusal(&self) -> Refusal {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::BAD_GATEWAY);
        Refusal::new(status, self.message.clone())
    }
}

impl From<&ModelError> for Away {
    fn from(error: &ModelError) -> Self {
        Self { status: foreword_model::http::status_of(error), message: error.to_string() }
    }
}

impl Connection {
    /// The server; none where none is configured.
    pub(crate) async fn get(&self, options: &Options) -> Result<Option<Arc<Upstream>>, Away> {
        let Some(url) = &options.model_url else { return Ok(None) };
        let mut state = self.state.lock().await;
        if self.is_doubtful.swap(false, Ordering::Relaxed) {
            state.upstream = None;
        }
        if let Some((known, looked)) = &mut state.upstream {
            if looked.elapsed() > LOOK {
                *looked = Instant::now();
                self.look(known);
            }
            return Ok(Some(Arc::clone(known)));
        }
        if let Some((at, message, status)) = &state.failed
            && at.elapsed() < AWAY
        {
            return Err(Away { status: *status, message: message.clone() });
        }
        match connect(url, options).await {
            Ok(upstream) => {
                let upstream = Arc::new(upstream);
                state.upstream = Some((Arc::clone(&upstream), Instant::now()));
                Ok(Some(upstream))
            }
            Err(error) => {
                let away = Away::from(&error);
                state.failed = Some((Instant::now(), away.message.clone(), away.status));
                Err(away)
            }
        }
    }

    /// Why there was no answer. Whoever answers next may be another.
    pub(crate) fn lost(&self, error: &ModelError) -> Away {
        if matches!(error, ModelError::Unreachable { .. }) {
            self.is_doubtful.store(true, Ordering::Relaxed);
        }
        Away::from(error)
    }

    /// Asks for the model's name while the request goes on. A server that has several is told which by each request.
    fn look(&self, known: &Arc<Upstream>) {
        if !is_llama(known.server.api()) {
            return;
        }
        let (known, is_doubtful) = (Arc::clone(known), Arc::clone(&self.is_doubtful));
        tokio::spawn(async move {
            if known.server.has_another_model().await {
                is_doubtful.store(true, Ordering::Relaxed);
            }
        });
    }
}

fn is_llama(api: Api) -> bool {
    matches!(api, Api::LlamaCpp | Api::LlamaCppInfill)
}

async fn connect(url: &str, options: &Options) -> Result<Upstream, ModelError> {
    let api = options.model_api.as_deref().and_then(Api::named);
    let model = options.model.as_deref();
    let server = Server::connect(url, api, model, options.model_key.clone()).await?;
    server.ensure_suffix().await?;
    let format = match server.format(model).await {
        Ok(format) => Ok(format),
        Err(error @ (ModelError::UnknownFormat { .. } | ModelError::NoSuchToken { .. })) => {
            Err(error.to_string())
        }
        Err(error) => return Err(error),
    };
    let by = format.as_ref().ok().copied().or_else(|| Format::named("comment"));
    let by = by.ok_or(ModelError::NoPrompt)?;
    let counter = TokenCounter::for_format(by, options.tokenizer.as_deref())?;
    let is_llama = is_llama(server.api());
    let counter = match (is_llama, counter.kind()) {
        (true, Counting::Estimate { .. }) => {
            asking(counter, server.clone(), options.patience / TOKENS)
        }
        _ => counter,
    };
    let window = if is_llama { server.window().await } else { None };
    let slots = if is_llama { server.slots().await } else { None };
    Ok(Upstream {
        server,
        format,
        counter,
        window: window.map(|it| it as usize),
        slots: slots.unwrap_or(1),
    })
}

/// Of the time that a request waits for its context, what a question to the tokenizer may take.
const TOKENS: u32 = 8;

/// After one that took longer, none is asked for so many milliseconds: the estimate is above the truth, and safe.
const PAUSE: u64 = 2000;

/// Counts by the server's own tokenizer. To be used on threads that may wait.
fn asking(counter: TokenCounter, server: Server, most: Duration) -> TokenCounter {
    let handle = tokio::runtime::Handle::current();
    let (start, until) = (Instant::now(), AtomicU64::new(0));
    let title = format!("the tokenizer of {}", server.base());
    let ask = move |text: &str| {
        let now = start.elapsed().as_millis() as u64;
        if now < until.load(Ordering::Relaxed) {
            return None;
        }
        let counted = async { tokio::time::timeout(most, server.count(text)).await };
        let counted = handle.block_on(counted);
        if counted.is_err() {
            until.store(now + PAUSE, Ordering::Relaxed);
        }
        counted.ok()?.ok()
    };
    counter.asking(&title, Arc::new(ask))
}

/// How a request goes to the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Route {
    /// The way in which the server is asked.
    pub(crate) api: Api,
    /// Whether that is the client's own way: then all that it says is passed on, and so is the answer.
    pub(crate) same: bool,
}

/// The route of a request to a server that is asked by `api`.
pub(crate) fn route(door: Door, api: Api) -> Route {
    let same = |api| Route { api, same: true };
    match (door, api) {
        (Door::Infill, Api::LlamaCppInfill) => same(api),
        (Door::Infill | Door::Completion, Api::LlamaCpp | Api::LlamaCppInfill) => {
            same(Api::LlamaCpp)
        }
        (Door::OpenAi, Api::LlamaCpp | Api::OpenAi) => same(Api::OpenAi),
        (Door::OpenAi, Api::OpenAiSuffix)
        | (Door::Mistral, Api::Mistral)
        | (Door::DeepSeek, Api::DeepSeek)
        | (Door::Ollama, Api::Ollama | Api::OllamaSuffix) => same(api),
        _ => Route { api, same: false },
    }
}

impl Upstream {
    /// The format in which a request's prompt is rendered; none where it is not known, and then nothing is.
    pub(crate) fn format_for(&self, ask: &Ask, api: Api) -> Option<&'static Format> {
        if !api.renders() {
            return Format::named("comment");
        }
        if let Kind::Rendered(format) = ask.kind {
            return Some(format);
        }
        // A server with several models is told which; llama.cpp has one, and its tokens have been seen.
        let named = ask.model().filter(|_| self.server.api() != Api::LlamaCpp);
        named.and_then(Format::of_model).or_else(|| self.format.as_ref().ok().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_is_asked_in_the_clients_own_way_where_it_knows_it() {
        let check = |door, api, to, same| assert_eq!(route(door, api), Route { api: to, same });
        check(Door::Infill, Api::LlamaCpp, Api::LlamaCpp, true);
        check(Door::OpenAi, Api::LlamaCpp, Api::OpenAi, true);
        check(Door::Mistral, Api::LlamaCpp, Api::LlamaCpp, false);
        check(Door::Ollama, Api::OllamaSuffix, Api::OllamaSuffix, true);
        check(Door::OpenAi, Api::Ollama, Api::Ollama, false);
        check(Door::Tabby, Api::OpenAi, Api::OpenAi, false);
    }
}
