//! Answers a completion request of any protocol: prepares the context, asks the model, which is a server, a
//! model file or the embedded model, and renders the response.

use std::sync::Arc;

use axum::response::Response;
use foreword_model::http::Delta;
use foreword_session::backend::{Backend, Endpoint as ModelEndpoint, LoadedModel, Unavailable};
use foreword_session::clock::unix_seconds;

use super::app::App;
use super::backend::embedded::{self, EmbeddedCall};
use super::backend::exchange::{Answer, Exchange, Plan};
use super::backend::file::{self, FileCall};
use super::backend::server::{ServerCall, UpstreamRoute};
use super::backend::{relay, transcode};
use super::context::outcome::ContextOutcome;
use super::context::prepare::{ContextInTime, PreparedContext, fits, prompt_head, without_context};
use super::context::prompt::PromptSettings;
use super::observation::in_flight::InFlight;
use super::options::Options;
use super::protocols::completion::Completion;
use super::protocols::request::{ClientRequest, PromptKind, RequestHeaders};

/// Answers a request.
pub(super) async fn complete(
    app: Arc<App>,
    mut request: ClientRequest,
    headers: RequestHeaders,
) -> Response {
    app.context.workspaces.relativize_snippets(&mut request);
    let removed = match app.context.workspaces.admit(app.host.setup(), &mut request) {
        Ok(removed) => removed,
        Err(error) => return refuse(&app, request, &headers, &error),
    };
    let limit = app.host.setup().max_text_bytes();
    let is_cut = request.cut_text(limit);
    request.mask_secrets();
    let mut in_flight = InFlight::begin(&app.observation, &request, &headers);
    if is_cut {
        let note =
            format!("the text has more than {limit} bytes: the lines around the cursor are used");
        in_flight.record().notes.push(note);
    }
    in_flight.record().notes.extend(removed);
    let mut exchange = Exchange { request, in_flight, closing: app.closing.clone() };
    match answer(&app, &headers, &mut exchange).await {
        Ok(answer) => render(exchange, answer).await,
        Err(error) => exchange.refuse(&error),
    }
}

/// Answers a request in a file that is a secret by its name: with no completion, and with the reason in the journal and in
/// the log, where its user looks; an error would open a window of the editor at every keystroke.
fn refuse(
    app: &App,
    mut request: ClientRequest,
    headers: &RequestHeaders,
    error: &anyhow::Error,
) -> Response {
    request.remove_texts();
    let mut in_flight = InFlight::begin(&app.observation, &request, headers);
    in_flight.context_missing(ContextOutcome::Refused, error.to_string());
    let model = request.model().unwrap_or_default().to_owned();
    let completion = Completion { created: unix_seconds(), model, ..Completion::default() };
    let exchange = Exchange { request, in_flight, closing: app.closing.clone() };
    transcode::complete(exchange, completion, &Delta::default(), None)
}

/// Prepares the context and asks the model.
async fn answer(
    app: &Arc<App>,
    headers: &RequestHeaders,
    exchange: &mut Exchange,
) -> Result<Answer, Unavailable> {
    let key = app.upstream_key(headers);
    let target = Target::of(&app.backend, &exchange.request, key).await?;
    exchange.in_flight.record().model.title = target.title();
    match target.plan(&app.options, &exchange.request)? {
        Plan::Answer(completion) => Ok(Answer::WithoutModel(completion)),
        Plan::Call { call, reason } => {
            if let Some(reason) = reason {
                exchange.in_flight.context_missing(ContextOutcome::Failed, reason);
            }
            send(exchange, *call).await
        }
        Plan::WarmUp(settings) => {
            let call = warm_up(app, &target, &exchange.request, settings).await;
            send(exchange, call).await
        }
        Plan::Complete(settings) => {
            let is_bypassed = headers.bypass.unwrap_or(app.options.bypass);
            let input = match is_bypassed || !exchange.request.accepts_context() {
                true => ModelInput::Passthrough,
                false => context(app, exchange, &settings).await,
            };
            let context = prompt_context(&target, &exchange.request, &settings, input).await;
            let call = target.complete(&exchange.request, &settings, context)?;
            send(exchange, call).await
        }
    }
}

/// Sends the call of a request, and records that.
async fn send(exchange: &mut Exchange, call: Call) -> Result<Answer, Unavailable> {
    exchange.in_flight.sent(call.prompt());
    call.send().await
}

/// The context of a request when its model is called.
enum ModelInput {
    /// The context is ready.
    Context(Box<PreparedContext>),
    /// The context is missing although it was expected.
    Missing,
    /// The request is forwarded without context.
    Passthrough,
}

/// The context, if it is ready in time and the request accepts one.
async fn context(app: &Arc<App>, exchange: &mut Exchange, settings: &PromptSettings) -> ModelInput {
    match app.context.prepare_in_time(&exchange.request, settings).await {
        Ok(ContextInTime { context, explanation }) => {
            exchange.in_flight.context_prepared(&context);
            exchange.in_flight.explained_by(explanation);
            match context.outcome {
                ContextOutcome::Untouched => ModelInput::Passthrough,
                _ => ModelInput::Context(Box::new(context)),
            }
        }
        Err(missing) => {
            exchange.in_flight.context_missing(missing.outcome, missing.reason);
            ModelInput::Missing
        }
    }
}

/// The context from which the prompt is made. Without a context: the same prompt without the repository's pieces, cut to
/// the window. `None` if the request is forwarded unchanged, because its server renders such prompts itself, or because
/// the text has no hole and fits.
async fn prompt_context(
    target: &Target,
    request: &ClientRequest,
    settings: &PromptSettings,
    input: ModelInput,
) -> Option<PreparedContext> {
    let is_text = request.kind == PromptKind::Plain && !matches!(input, ModelInput::Missing);
    let is_forwarded = target.can_relay() && (target.fills_holes() || is_text);
    match input {
        ModelInput::Context(context) => Some(*context),
        _ if is_forwarded || !request.accepts_context() => None,
        _ => {
            let may_forward = target.can_relay() && request.kind != PromptKind::FillInMiddle;
            let (request, settings) = (request.clone(), settings.clone());
            // Counting tokens takes too long for a thread that serves sockets.
            let cut = move || match may_forward && fits(&request, &settings) {
                true => None,
                false => Some(without_context(&request, &settings)),
            };
            tokio::task::spawn_blocking(cut).await.ok().flatten()
        }
    }
}

/// The call that makes the model read the start of the next prompt.
async fn warm_up(
    app: &Arc<App>,
    target: &Target,
    request: &ClientRequest,
    settings: PromptSettings,
) -> Call {
    let (service, parsed, of_head) = (Arc::clone(&app.context), request.clone(), settings.clone());
    // Counting tokens takes too long for a thread that serves sockets.
    let head = move || prompt_head(&service.workspaces, &parsed, &of_head);
    let head = tokio::task::spawn_blocking(head).await.ok();
    target.warm_up(request, &settings, head)
}

/// The response in the client's protocol.
async fn render(exchange: Exchange, answer: Answer) -> Response {
    match answer {
        Answer::Relayed(backend, response) => relay::respond(exchange, backend, response).await,
        Answer::Generating(generation) => transcode::respond(exchange, generation).await,
        Answer::Complete { completion, part, surroundings } => {
            transcode::complete(exchange, completion, &part, surroundings.as_ref())
        }
        Answer::WithoutModel(completion) => transcode::without_model(exchange, *completion),
    }
}

/// The model that answers one request, and the route to it.
pub(crate) enum Target {
    Server(UpstreamRoute),
    File(Arc<LoadedModel>),
    Embedded,
}

impl Target {
    /// The target of a request. `key` is used if no key is configured for the server.
    pub(crate) async fn of(
        backend: &Arc<Backend>,
        request: &ClientRequest,
        key: Option<String>,
    ) -> Result<Self, Unavailable> {
        Ok(match backend.endpoint().await? {
            ModelEndpoint::Server(upstream) => {
                Self::Server(UpstreamRoute::new(Arc::clone(backend), upstream, request, key))
            }
            ModelEndpoint::File(model) => Self::File(model),
            ModelEndpoint::Embedded => Self::Embedded,
        })
    }

    /// The model, for people.
    pub(crate) fn title(&self) -> String {
        match self {
            Self::Server(it) => it.endpoint().title(),
            Self::File(model) => ModelEndpoint::File(Arc::clone(model)).title(),
            Self::Embedded => ModelEndpoint::Embedded.title(),
        }
    }

    /// The steps needed to answer a request.
    pub(crate) fn plan(
        &self,
        options: &Options,
        request: &ClientRequest,
    ) -> Result<Plan<Call>, Unavailable> {
        match self {
            Self::Server(it) => Ok(it.plan(options, request)?.map(Call::Server)),
            Self::File(model) => Ok(file::plan(model, options, request)?.map(Call::File)),
            Self::Embedded => Ok(Plan::Complete(embedded::settings(options)?)),
        }
    }

    /// Whether a request can be forwarded unchanged.
    pub(crate) fn can_relay(&self) -> bool {
        matches!(self, Self::Server(it) if it.can_relay())
    }

    /// Whether the server renders fill-in-the-middle prompts itself and cuts the text to its window.
    pub(crate) fn fills_holes(&self) -> bool {
        matches!(self, Self::Server(it) if it.fills_holes())
    }

    /// The call that makes the model read the start of the next prompt; `None` without a start.
    pub(crate) fn warm_up(
        &self,
        request: &ClientRequest,
        settings: &PromptSettings,
        head: Option<String>,
    ) -> Call {
        match self {
            Self::Server(it) => Call::Server(it.warm_up(request, head)),
            Self::File(model) => {
                Call::File(FileCall::warm_up(model, request, settings, head.unwrap_or_default()))
            }
            Self::Embedded => Call::Embedded(EmbeddedCall::complete(request, settings, None)),
        }
    }

    /// The call that completes a request, with its context if there is one.
    pub(crate) fn complete(
        &self,
        request: &ClientRequest,
        settings: &PromptSettings,
        context: Option<PreparedContext>,
    ) -> Result<Call, Unavailable> {
        match self {
            Self::Server(it) => Ok(Call::Server(it.complete(request, settings, context)?)),
            Self::File(model) => {
                Ok(Call::File(FileCall::complete(model, request, settings, context)))
            }
            Self::Embedded => {
                Ok(Call::Embedded(EmbeddedCall::complete(request, settings, context)))
            }
        }
    }
}

/// A call of a model.
pub(crate) enum Call {
    Server(ServerCall),
    File(FileCall),
    Embedded(EmbeddedCall),
}

impl Call {
    /// The prompt sent to the model, for the record.
    pub(crate) fn prompt(&self) -> Option<String> {
        match self {
            Self::Server(it) => it.prompt.clone(),
            Self::File(it) => Some(it.prompt().to_owned()),
            Self::Embedded(it) => it.prompt().map(str::to_owned),
        }
    }

    /// Sends the call.
    pub(crate) async fn send(self) -> Result<Answer, Unavailable> {
        match self {
            Self::Server(it) => it.send().await,
            Self::File(it) => it.send().await,
            Self::Embedded(it) => Ok(it.send().await),
        }
    }

    /// Sends the call and returns the unchanged text of one choice; `None` if the model writes nothing.
    pub(crate) async fn text(self) -> Result<Option<String>, Unavailable> {
        match self {
            Self::Server(it) => it.text().await.map(Some),
            Self::File(it) => it.text().await.map(Some),
            Self::Embedded(it) => Ok(it.text().await),
        }
    }
}
