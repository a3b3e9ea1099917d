//! A model file that this process runs (`--gguf`). It answers every protocol, streaming on request, and stops when the
//! client disconnects.

use std::sync::Arc;
use std::time::Instant;

use axum::http::StatusCode;
use foreword_model::TokenCounter;
use foreword_model::clean::{InsertionPoint, stop_check};
use foreword_model::embedded::Extent;
use foreword_model::http::Delta;
use foreword_model::request::{CompletionRequest, CompletionResponse, Fill, RenderedPrompt};
use foreword_session::backend::{Endpoint as ModelEndpoint, LoadedModel, Unavailable};
use foreword_session::clock::unix_seconds;

use super::exchange::{
    Answer, Deltas, FileDeltas, Generation, Plan, last_part, model_request, prompt_settings,
};
use crate::serve::clock::elapsed_ms;
use crate::serve::context::prepare::{PreparedContext, Surroundings, without_context};
use crate::serve::context::prompt::PromptSettings;
use crate::serve::options::Options;
use crate::serve::protocols::completion::Completion;
use crate::serve::protocols::request::{ClientRequest, Endpoint, PromptKind};

/// Maximum number of choices.
const MAX_CHOICES: usize = 8;

/// The steps needed to answer a request.
pub(crate) fn plan(
    model: &Arc<LoadedModel>,
    options: &Options,
    request: &ClientRequest,
) -> Result<Plan<FileCall>, Unavailable> {
    if request.kind == PromptKind::Opaque {
        return opaque(model, request);
    }
    let endpoint = ModelEndpoint::File(Arc::clone(model));
    let settings = prompt_settings(&endpoint, model.format, options, request).map_err(|error| {
        Unavailable { status: StatusCode::BAD_REQUEST.as_u16(), message: error.to_string() }
    })?;
    let is_warm_up = request.kind == PromptKind::WarmUp && request.endpoint == Endpoint::Infill;
    Ok(if is_warm_up { Plan::WarmUp(settings) } else { Plan::Complete(settings) })
}

/// A request without text to complete.
fn opaque(model: &LoadedModel, request: &ClientRequest) -> Result<Plan<FileCall>, Unavailable> {
    // Ollama's clients load a model with an empty prompt.
    if request.endpoint == Endpoint::Ollama && request.text("prompt").is_empty() {
        return Ok(Plan::Answer(Box::new(empty_completion(model, String::new()))));
    }
    let message = "a model file completes text, and this request has none: it has tokens, a conversation, pictures or a prompt for a next-edit model";
    Err(Unavailable { status: StatusCode::NOT_IMPLEMENTED.as_u16(), message: message.to_owned() })
}

fn empty_completion(model: &LoadedModel, prompt: String) -> Completion {
    let (created, model) = (unix_seconds(), model.name.clone());
    Completion { created, model, prompt, ..Completion::default() }
}

/// A call of a model file.
pub(crate) struct FileCall {
    model: Arc<LoadedModel>,
    request: CompletionRequest,
    counter: TokenCounter,
    delivery: Delivery,
    surroundings: Option<Surroundings>,
}

/// How a completion is delivered.
enum Delivery {
    Whole,
    Stream,
}

impl FileCall {
    pub(crate) fn complete(
        model: &Arc<LoadedModel>,
        request: &ClientRequest,
        settings: &PromptSettings,
        context: Option<PreparedContext>,
    ) -> Self {
        let context = context.unwrap_or_else(|| without_context(request, settings));
        let is_tabby = request.endpoint == Endpoint::Tabby;
        let surroundings = is_tabby.then(|| context.surroundings.clone());
        let mut completion_request = model_request(request, context);
        completion_request.n = completion_request.n.clamp(1, MAX_CHOICES);
        // Stops where further text would not fit.
        completion_request.stop_check =
            surroundings.as_ref().map(|Surroundings { prefix, suffix }| {
                let extent = Extent::at(prefix, suffix);
                stop_check(&InsertionPoint { prefix, suffix, extent, ..InsertionPoint::default() })
            });
        Self {
            model: Arc::clone(model),
            request: completion_request,
            counter: settings.counter.clone(),
            delivery: if request.options.stream { Delivery::Stream } else { Delivery::Whole },
            surroundings,
        }
    }

    /// Makes the model read `head`, the start of the next prompt.
    pub(crate) fn warm_up(
        model: &Arc<LoadedModel>,
        request: &ClientRequest,
        settings: &PromptSettings,
        head: String,
    ) -> Self {
        let prompt = RenderedPrompt { format: settings.format.name, text: head, stop: Vec::new() };
        let fill = Fill { prompt: Some(prompt), ..Fill::default() };
        let context = PreparedContext { fill, ..PreparedContext::default() };
        Self::complete(model, request, settings, Some(context))
    }

    pub(crate) fn prompt(&self) -> &str {
        self.request.fill.prompt.as_ref().map_or("", |it| &it.text)
    }

    pub(crate) async fn send(self) -> Result<Answer, Unavailable> {
        let completion = empty_completion(&self.model, self.prompt().to_owned());
        match self.delivery {
            Delivery::Stream => Ok(Answer::Generating(Generation {
                completion,
                deltas: Deltas::File(FileDeltas::new(self.model, self.request)),
                surroundings: self.surroundings,
                status: 0,
            })),
            Delivery::Whole => self.whole(completion).await,
        }
    }

    async fn whole(self, mut completion: Completion) -> Result<Answer, Unavailable> {
        let start = Instant::now();
        let response = self.response().await?;
        let text = response.choices.first().map(|it| it.text.clone()).unwrap_or_default();
        let part = Delta { text, ..last_part(&response, &self.counter) };
        completion.model_ms = elapsed_ms(start);
        completion.finish_reason = part.finish_reason;
        completion.prompt_tokens = part.prompt_tokens.unwrap_or_default();
        completion.completion_tokens = part.answer_tokens.unwrap_or_default();
        completion.texts = response.choices.into_iter().map(|it| it.text).collect();
        Ok(Answer::Complete { completion, part, surroundings: self.surroundings })
    }

    async fn response(&self) -> Result<CompletionResponse, Unavailable> {
        let response = self.model.model.complete(&self.request, &mut |_| {}).await;
        response.map_err(|it| Unavailable::from(&it))
    }

    /// The whole text of one choice, whether or not it fits.
    pub(crate) async fn text(mut self) -> Result<String, Unavailable> {
        self.request.n = 1;
        self.request.stop_check = None;
        let response = self.response().await?;
        Ok(response.choices.into_iter().next().map(|it| it.text).unwrap_or_default())
    }
}
