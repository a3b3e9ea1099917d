//! Sends a request and reads the answer as it comes.

use reqwest::{Response, StatusCode};
use serde_json::Value;
use tokio::time::{Instant, timeout_at};

use super::read::{Line, Lines, Part, error, part};
use super::{Api, Server, body};
use crate::ModelError;
use crate::request::{Answer, Ask, Choice, End, Request, Sink};

/// What has come so far.
#[derive(Debug, Default)]
struct Come {
    text: String,
    end: Option<End>,
    prompt_tokens: Option<u64>,
}

pub(super) async fn answer(
    server: &Server,
    request: &Request,
    sink: Sink<'_>,
) -> Result<Answer, ModelError> {
    let body = body::body(server.api, &server.model, request)?;
    let mut come = Come::default();
    let reading = read(server, request, &body, &mut come, sink);
    let res = match request.deadline {
        None => reading.await,
        Some(deadline) => match timeout_at(Instant::from_std(deadline), reading).await {
            Ok(res) => res,
            Err(_) if come.text.is_empty() => Err(ModelError::Late { url: server.base.clone() }),
            Err(_) => {
                come.end = Some(End::Deadline);
                Ok(())
            }
        },
    };
    res?;
    ensure_suffix_was_read(server, request, &come)?;
    let end = come.end.unwrap_or(End::Unknown);
    let choice = Choice { text: come.text, confidence: None, end };
    Ok(Answer { choices: vec![choice], prompt_tokens: come.prompt_tokens, cached_tokens: None })
}

async fn read(
    server: &Server,
    request: &Request,
    body: &Value,
    come: &mut Come,
    sink: Sink<'_>,
) -> Result<(), ModelError> {
    let mut response = post(server, body).await?;
    let mut lines = Lines::default();
    loop {
        match response.chunk().await {
            Ok(Some(bytes)) => {
                for line in lines.push(&bytes) {
                    if take(server, line, come, sink)? {
                        return Ok(());
                    }
                    // To hang up is to tell the server that it may stop.
                    if request.is_enough(&come.text) {
                        come.end = Some(End::Stop);
                        return Ok(());
                    }
                }
            }
            Ok(None) => break,
            // A server that dies in the middle: what came is worth having, and its end is unknown.
            Err(_) if !come.text.is_empty() => return Ok(()),
            Err(error) => return Err(server.unreachable(&error)),
        }
    }
    if let Some(line) = lines.finish() {
        take(server, line, come, sink)?;
    }
    Ok(())
}

/// Takes a line; whether it was the last.
fn take(server: &Server, line: Line, come: &mut Come, sink: Sink<'_>) -> Result<bool, ModelError> {
    let value = match line {
        Line::Done => return Ok(true),
        Line::Garbage(text) => {
            return Err(ModelError::Garbage { url: server.url(server.api.path()), text });
        }
        Line::Object(value) => value,
    };
    let Part { text, end, prompt_tokens, error, .. } = part(&value);
    if let Some(message) = error {
        return Err(refused(server, StatusCode::OK, message));
    }
    if !text.is_empty() {
        come.text.push_str(&text);
        sink(&text);
    }
    come.end = end.or(come.end);
    come.prompt_tokens = prompt_tokens.or(come.prompt_tokens);
    Ok(false)
}

/// A field of vLLM's that some other servers refuse.
pub(super) const SKIP: &str = "skip_special_tokens";

/// Posts a request. A server that does not know `skip_special_tokens` is asked again without it.
async fn post(server: &Server, body: &Value) -> Result<Response, ModelError> {
    let response = send(server, body).await?;
    if response.status().is_success() {
        return Ok(response);
    }
    let failed = failure(server, response).await;
    let knows_not = matches!(&failed, ModelError::Refused { status, message, .. }
        if matches!(status, 400 | 422) && message.contains(SKIP));
    if !knows_not {
        return Err(failed);
    }
    let mut body = body.clone();
    if let Some(fields) = body.as_object_mut() {
        fields.remove(SKIP);
    }
    let response = send(server, &body).await?;
    if response.status().is_success() { Ok(response) } else { Err(failure(server, response).await) }
}

async fn send(server: &Server, body: &Value) -> Result<Response, ModelError> {
    let request = server.client.post(server.url(server.api.path()));
    let request = request.header("content-type", "application/json").body(body.to_string());
    let request = match &server.key {
        Some(key) => request.bearer_auth(key),
        None => request,
    };
    request.send().await.map_err(|error| server.unreachable(&error))
}

/// What a status other than success says.
pub(super) async fn failure(server: &Server, response: Response) -> ModelError {
    let status = response.status();
    if status == StatusCode::TOO_MANY_REQUESTS {
        let header = response.headers().get("retry-after");
        let after = header.and_then(|it| it.to_str().ok()).unwrap_or("a while").to_owned();
        return ModelError::Busy { url: server.base.clone(), after };
    }
    let text = response.text().await.unwrap_or_default();
    let message = serde_json::from_str::<Value>(&text).ok().and_then(|it| error(&it));
    refused(server, status, message.unwrap_or_else(|| text.chars().take(200).collect()))
}

fn refused(server: &Server, status: StatusCode, message: String) -> ModelError {
    let url = server.url(server.api.path());
    ModelError::Refused { url, status: status.as_u16(), message }
}

/// Characters of code that no tokenizer makes one token of, on average.
const CHARACTERS_PER_TOKEN: u64 = 12;

/// Some servers take a suffix and ignore it: the prompt that they count is then too short for both texts.
fn ensure_suffix_was_read(
    server: &Server,
    request: &Request,
    come: &Come,
) -> Result<(), ModelError> {
    let (Ask::Fill(fill), Some(tokens)) = (&request.ask, come.prompt_tokens) else { return Ok(()) };
    let is_sent = matches!(server.api, Api::OpenAiSuffix | Api::OllamaSuffix);
    if is_sent && fill.suffix.len() as u64 / CHARACTERS_PER_TOKEN > tokens {
        return Err(ModelError::SuffixIgnored { url: server.url(server.api.path()) });
    }
    Ok(())
}
