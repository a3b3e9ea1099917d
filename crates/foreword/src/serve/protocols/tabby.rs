//! Tabby's `/v1/completions`: requests as segments, with their debug options.

use foreword_model::request::ContextPiece;
use foreword_session::uri;
use serde_json::{Map, Value, json};

use super::completion::Completion;
use super::request::{ClientRequest, Endpoint, GenerationOptions, PromptKind, snippet};
use crate::serve::http::error::ApiError;

/// The token limit of a completion; clients name none.
const MAX_TOKENS: usize = 64;

/// Whether a request to `/v1/completions` is Tabby's.
pub(crate) fn is_tabby(body: &Map<String, Value>) -> bool {
    let debug = body.get("debug_options").and_then(|it| it.get("raw_prompt"));
    body.contains_key("segments") || debug.is_some_and(Value::is_string)
}

/// `debug_options` of a request.
pub(crate) struct DebugOptions {
    pub(crate) returns_snippets: bool,
    pub(crate) returns_prompt: bool,
    pub(crate) disables_retrieval: bool,
}

impl DebugOptions {
    pub(crate) fn of(request: &ClientRequest) -> Self {
        let options = request.body.get("debug_options");
        let is_set = |name: &str| options.and_then(|it| it[name].as_bool()) == Some(true);
        Self {
            returns_snippets: is_set("return_snippets"),
            returns_prompt: is_set("return_prompt"),
            disables_retrieval: is_set("disable_retrieval_augmented_code_completion"),
        }
    }
}

/// Parses a request with segments, or with a raw prompt.
pub(crate) fn parse(body: Map<String, Value>) -> Result<ClientRequest, ApiError> {
    let mut request = ClientRequest::new(Endpoint::Tabby, body);
    let options = GenerationOptions::of(&request.body, "max_tokens");
    request.options = GenerationOptions { max_tokens: Some(MAX_TOKENS), stream: false, ..options };
    request.language = Some(request.text("language"));
    let raw = request.body.get("debug_options").and_then(|it| it["raw_prompt"].as_str());
    if let Some(raw) = raw {
        request.prefix = raw.into();
        request.kind = PromptKind::Plain;
        return Ok(request);
    }
    let Some(segments) = request.body.get("segments").and_then(Value::as_object).cloned() else {
        return Err(ApiError::bad_request("segments: an object is expected"));
    };
    let text = |name: &str| segments.get(name).and_then(Value::as_str).map(str::to_owned);
    let Some(prefix) = text("prefix") else {
        return Err(ApiError::bad_request("segments.prefix is missing"));
    };
    (request.prefix, request.suffix) = (prefix, text("suffix").unwrap_or_default());
    (request.file, request.repository_url) = (text("filepath"), text("git_url"));
    request.snippets = snippets(&segments);
    Ok(request)
}

/// The client's snippets, the least valuable first: Tabby ranks declarations above changed files, and those above recently
/// opened ones.
fn snippets(segments: &Map<String, Value>) -> Vec<ContextPiece> {
    let lists = [
        "relevant_snippets_from_recently_opened_files",
        "relevant_snippets_from_changed_files",
        "declarations",
    ];
    let all =
        lists.iter().filter_map(|it| segments.get(*it)?.as_array()).flat_map(|it| it.iter().rev());
    let snippet = |it: &Value| {
        let path = it["filepath"].as_str().unwrap_or_default();
        // Declarations of dependencies are named by URI.
        let path =
            uri::path_of(path).map_or_else(|| path.to_owned(), |it| it.display().to_string());
        snippet(&path, it["body"].as_str().unwrap_or_default())
    };
    all.filter_map(snippet).collect()
}

/// The whole response.
pub(super) fn whole(it: &Completion, texts: &[String]) -> Value {
    let choice = |(at, text)| json!({ "index": at, "text": text });
    let choices: Vec<Value> = texts.iter().enumerate().map(choice).collect();
    json!({ "id": format!("cmpl-{}", it.id), "choices": choices })
}
