//! Streams a completion from a server.

use serde_json::Value;
use tokio::time::{Instant, timeout_at};

use super::ask::{Control, stream};
use super::body::completion_body;
use super::read::{Delta, delta};
use super::{Api, Server};
use crate::error::ModelError;
use crate::request::{Choice, CompletionRequest, CompletionResponse, FinishReason, Sink};

/// The response so far.
#[derive(Debug, Default)]
struct PartialCompletion {
    text: String,
    finish_reason: Option<FinishReason>,
    prompt_tokens: Option<u64>,
}

pub(super) async fn complete(
    server: &Server,
    request: &CompletionRequest,
    sink: Sink<'_>,
) -> Result<CompletionResponse, ModelError> {
    let body = completion_body(server.api, &server.model, request)?;
    let mut partial = PartialCompletion::default();
    let reading = read(server, request, &body, &mut partial, sink);
    let res = match request.deadline {
        None => reading.await,
        Some(deadline) => match timeout_at(Instant::from_std(deadline), reading).await {
            Ok(res) => res,
            Err(_) if partial.text.is_empty() => {
                Err(ModelError::Timeout { url: server.base.clone() })
            }
            Err(_) => {
                partial.finish_reason = Some(FinishReason::Deadline);
                Ok(())
            }
        },
    };
    match res {
        // If the server dies midway, the text so far is still useful; the reason for its end is unknown.
        Err(ModelError::Unreachable { .. }) if !partial.text.is_empty() => {}
        res => res?,
    }
    ensure_suffix_was_read(server, request, &partial)?;
    let finish_reason = partial.finish_reason.unwrap_or(FinishReason::Unknown);
    let choice = Choice { text: partial.text, confidence: None, finish_reason };
    let prompt_tokens = partial.prompt_tokens;
    Ok(CompletionResponse { choices: vec![choice], prompt_tokens, cached_tokens: None })
}

async fn read(
    server: &Server,
    request: &CompletionRequest,
    body: &Value,
    partial: &mut PartialCompletion,
    sink: Sink<'_>,
) -> Result<(), ModelError> {
    let take = |value: &Value| {
        let Delta { text, finish_reason, prompt_tokens, .. } = delta(value);
        if !text.is_empty() {
            partial.text.push_str(&text);
            sink(&text);
        }
        partial.finish_reason = finish_reason.or(partial.finish_reason);
        partial.prompt_tokens = prompt_tokens.or(partial.prompt_tokens);
        if request.should_stop(&partial.text) {
            partial.finish_reason = Some(FinishReason::Stop);
            return Ok(Control::Finish);
        }
        Ok(Control::Continue)
    };
    stream(server, server.api.path(), body, take).await
}

/// Mean characters per token of code that no tokenizer exceeds.
const CHARACTERS_PER_TOKEN: u64 = 12;

/// Detects servers that accept a suffix and ignore it: they count too few prompt tokens for both texts.
fn ensure_suffix_was_read(
    server: &Server,
    request: &CompletionRequest,
    partial: &PartialCompletion,
) -> Result<(), ModelError> {
    let Some(tokens) = partial.prompt_tokens else { return Ok(()) };
    let is_sent = matches!(server.api, Api::OpenAiSuffix | Api::OllamaSuffix);
    if is_sent && request.fill.suffix.len() as u64 / CHARACTERS_PER_TOKEN > tokens {
        return Err(ModelError::SuffixIgnored { url: server.url(server.api.path()) });
    }
    Ok(())
}
