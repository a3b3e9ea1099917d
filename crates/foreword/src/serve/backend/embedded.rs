//! The embedded model: no server, no prompt, a completion in milliseconds.

use std::time::{Duration, Instant};

use axum::http::StatusCode;
use foreword_engine::compose::Format;
use foreword_model::TokenCounter;
use foreword_model::clean::{InsertionPoint, clean};
use foreword_model::embedded::Extent;
use foreword_model::http::Delta;
use foreword_model::request::{CompletionRequest, FinishReason};
use foreword_session::answer::complete::least_shown;
use foreword_session::backend::{EMBEDDED, Endpoint as ModelEndpoint, Input, Unavailable};
use foreword_session::clock::unix_seconds;
use tokio::runtime::Handle;

use super::exchange::{Answer, model_request};
use crate::serve::clock::elapsed_ms;
use crate::serve::context::prepare::{PreparedContext, without_context};
use crate::serve::context::prompt::PromptSettings;
use crate::serve::options::Options;
use crate::serve::protocols::completion::Completion;
use crate::serve::protocols::request::ClientRequest;

/// Maximum time for a completion; a later one is useless while typing.
const DEADLINE: Duration = Duration::from_millis(500);

/// Maximum number of choices.
const MAX_CHOICES: usize = 8;

/// The prompt settings, used only to count the context: the model reads no prompt.
pub(crate) fn settings(options: &Options) -> Result<PromptSettings, Unavailable> {
    let format = Format::named("none").ok_or_else(|| Unavailable {
        status: StatusCode::INTERNAL_SERVER_ERROR.as_u16(),
        message: "the format `none` is in the table".to_owned(),
    })?;
    let endpoint = ModelEndpoint::Embedded;
    let counter = endpoint.counter(format).map_err(|it| Unavailable::from(&it))?;
    let (budget, preset) = (options.budget, options.preset.clone());
    let input = endpoint.input();
    let least_confidence = options.least_confidence;
    Ok(PromptSettings { format, counter, budget, preset, input, least_confidence })
}

/// A call of the embedded model.
pub(crate) struct EmbeddedCall {
    /// `None` if there is nothing to complete.
    request: Option<CompletionRequest>,
    counter: TokenCounter,
    /// The prompt that another model would get, for the record.
    prompt: Option<String>,
    prompt_tokens: u64,
    /// Text to put before each choice (`echo`); usually empty.
    echo: String,
    /// Texts below this confidence are withheld.
    least_confidence: f64,
}

/// A completion that fits, with the probability that its first line is right.
struct FittingText {
    text: String,
    confidence: Option<f64>,
}

impl EmbeddedCall {
    pub(crate) fn complete(
        request: &ClientRequest,
        settings: &PromptSettings,
        context: Option<PreparedContext>,
    ) -> Self {
        let mut context = context.unwrap_or_else(|| without_context(request, settings));
        let prompt = context.fill.prompt.take().map(|it| it.text);
        let text = prompt.as_ref().unwrap_or(&context.fill.prefix);
        let prompt_tokens = (settings.counter.count(text) + settings.counter.added()) as u64;
        // The model reads the whole file.
        context.fill.prefix = std::mem::take(&mut context.surroundings.prefix);
        context.fill.suffix = std::mem::take(&mut context.surroundings.suffix);
        let mut completion_request = model_request(request, context);
        completion_request.extent =
            Extent::at(&completion_request.fill.prefix, &completion_request.fill.suffix);
        completion_request.n = completion_request.n.clamp(1, MAX_CHOICES);
        let fill = &completion_request.fill;
        let least_shown = || least_shown(Input::Files, &fill.prefix);
        let least_confidence = settings.least_confidence.unwrap_or_else(least_shown);
        let echo = request.echo().to_owned();
        let request = request.accepts_context().then_some(completion_request);
        let counter = settings.counter.clone();
        Self { request, counter, prompt, prompt_tokens, echo, least_confidence }
    }

    pub(crate) fn prompt(&self) -> Option<&str> {
        self.prompt.as_deref()
    }

    pub(crate) async fn send(self) -> Answer {
        let start = Instant::now();
        let (counter, prompt_tokens) = (self.counter.clone(), self.prompt_tokens);
        let (echo, wants_none) = (self.echo.clone(), self.wants_no_text());
        let least = self.least_confidence;
        let texts = if wants_none { Vec::new() } else { self.texts().await };
        let confidence = texts.first().and_then(|it| it.confidence);
        let likely = texts.into_iter().filter(|it| it.confidence.is_none_or(|it| it >= least));
        let texts: Vec<String> = likely.map(|it| it.text).collect();
        let is_withheld = texts.is_empty() && confidence.is_some();
        let completion_tokens = texts.iter().map(|it| counter.count(it) as u64).sum();
        let part = Delta {
            text: texts.first().cloned().unwrap_or_default(),
            prompt_tokens: Some(prompt_tokens),
            answer_tokens: Some(completion_tokens),
            ..Delta::default()
        };
        let texts = match texts.is_empty() {
            true => vec![echo],
            false => texts.iter().map(|it| format!("{echo}{it}")).collect(),
        };
        let finish_reason = if wants_none { FinishReason::Length } else { FinishReason::Stop };
        let completion = Completion {
            created: unix_seconds(),
            model: EMBEDDED.to_owned(),
            texts,
            finish_reason: Some(finish_reason),
            confidence,
            is_withheld,
            prompt_tokens,
            completion_tokens,
            model_ms: elapsed_ms(start),
            ..Completion::default()
        };
        Answer::Complete { completion, part, surroundings: None }
    }

    /// `max_tokens: 0`, with which clients count or echo a prompt.
    fn wants_no_text(&self) -> bool {
        self.request.as_ref().is_some_and(|it| it.max_tokens == 0)
    }

    pub(crate) async fn text(self) -> Option<String> {
        self.texts().await.into_iter().next().map(|it| it.text)
    }

    /// Completions that fit, best first; none if nothing is likely.
    async fn texts(self) -> Vec<FittingText> {
        let Some(mut request) = self.request else { return Vec::new() };
        let compute = move || {
            request.deadline = Some(Instant::now() + DEADLINE);
            let mut ignore = |_: &str| {};
            let completing = ModelEndpoint::Embedded.complete(&request, &mut ignore);
            let response = Handle::current().block_on(completing);
            let fill = &request.fill;
            let point = InsertionPoint {
                prefix: &fill.prefix,
                suffix: &fill.suffix,
                stop: &request.stop,
                extent: request.extent,
                ..InsertionPoint::default()
            };
            let choices = response.map(|it| it.choices).unwrap_or_default();
            let texts = choices.iter().map(|it| FittingText {
                text: clean(&it.text, &point).text,
                confidence: it.confidence,
            });
            texts.filter(|it| !it.text.trim().is_empty()).collect()
        };
        tokio::task::spawn_blocking(compute).await.unwrap_or_default()
    }
}
