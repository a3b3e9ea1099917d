//! The request to a model for a client's request, and the prompt that fits its window.

use foreword_engine::compose::Format;
use foreword_model::embedded::Extent;
use foreword_model::request::CompletionRequest;
use foreword_session::backend::Endpoint as ModelEndpoint;

use crate::serve::context::prepare::PreparedContext;
use crate::serve::context::settings::PromptSettings;
use crate::serve::options::Options;
use crate::serve::protocols::request::ClientRequest;

/// Default maximum tokens of a completion.
const DEFAULT_MAX_TOKENS: usize = 256;

/// The prompt of a request, within the windows of the model and of the client.
pub(super) fn prompt_settings(
    endpoint: &ModelEndpoint,
    format: &'static Format,
    options: &Options,
    request: &ClientRequest,
) -> anyhow::Result<PromptSettings> {
    let max_tokens = request.options.max_tokens.unwrap_or(DEFAULT_MAX_TOKENS);
    Ok(PromptSettings {
        format,
        counter: endpoint.counter(format)?,
        budget: endpoint.client_budget(options.budget, max_tokens, request.options.window)?,
        preset: options.preset.clone(),
        input: endpoint.input(),
        least_confidence: 0.0,
    })
}

/// The request to a model that takes a prompt.
pub(super) fn model_request(
    request: &ClientRequest,
    context: PreparedContext,
) -> CompletionRequest {
    let options = &request.options;
    CompletionRequest {
        fill: context.fill,
        extent: Extent::Block(usize::MAX),
        max_tokens: options.max_tokens.unwrap_or(DEFAULT_MAX_TOKENS),
        stop: options.stop.clone(),
        temperature: options.temperature.unwrap_or(0.0) as f32,
        n: options.n,
        deadline: None,
        stop_check: None,
    }
}
