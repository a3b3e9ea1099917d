//! The completion request into which every protocol is parsed, the headers that foreword reads, and reading fields of a
//! JSON body.

use axum::http::{HeaderMap, StatusCode};
use foreword_engine::compose::Format;
use foreword_load::Masking;
use foreword_model::request::ContextPiece;
use foreword_session::host::large_text;
use serde_json::{Map, Value};

use crate::limits::json_size::{MAX_VALUES, has_too_many_values};
use crate::serve::http::error::ApiError;

/// The endpoint that a request was sent to. It decides the shape of the request and of the response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Endpoint {
    /// llama.cpp's `/infill`.
    Infill,
    /// llama.cpp's `/completion`.
    Completion,
    /// `/v1/completions`.
    OpenAi,
    /// `/v1/fim/completions`.
    Mistral,
    /// `/beta/completions`.
    DeepSeek,
    /// `/api/generate`.
    Ollama,
    /// `/v1/completions` with segments.
    Tabby,
}

impl Endpoint {
    /// All of them.
    #[cfg(test)]
    pub(crate) const ALL: [Self; 7] = [
        Self::Infill,
        Self::Completion,
        Self::OpenAi,
        Self::Mistral,
        Self::DeepSeek,
        Self::Ollama,
        Self::Tabby,
    ];

    /// The name of its protocol.
    pub(crate) fn protocol(self) -> &'static str {
        match self {
            Self::Infill | Self::Completion => "llama.cpp",
            Self::OpenAi => "openai",
            Self::Mistral => "mistral",
            Self::DeepSeek => "deepseek",
            Self::Ollama => "ollama",
            Self::Tabby => "tabby",
        }
    }

    pub(crate) fn path(self) -> &'static str {
        match self {
            Self::Infill => "/infill",
            Self::Completion => "/completion",
            Self::OpenAi | Self::Tabby => "/v1/completions",
            Self::Mistral => "/v1/fim/completions",
            Self::DeepSeek => "/beta/completions",
            Self::Ollama => "/api/generate",
        }
    }
}

/// The kind of a request's prompt.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum PromptKind {
    /// The text before and after the cursor.
    FillInMiddle,
    /// A prompt that the client rendered in this format, parsed back.
    Rendered(&'static Format),
    /// Text to continue, which may or may not be code.
    Plain,
    /// Generates nothing: the server reads the beginning of the next prompt into its cache.
    WarmUp,
    /// Context cannot be added: token ids, a conversation, a prompt for a next-edit model, a request to load a model.
    Opaque,
}

/// A client's request for a completion.
#[derive(Clone, Debug)]
pub(crate) struct ClientRequest {
    pub(crate) endpoint: Endpoint,
    /// The body, unchanged.
    pub(crate) body: Map<String, Value>,
    pub(crate) kind: PromptKind,
    /// The text before the cursor.
    pub(crate) prefix: String,
    /// The text after the cursor.
    pub(crate) suffix: String,
    /// The file, as the client names it.
    pub(crate) file: Option<String>,
    /// The URL of the repository.
    pub(crate) repository_url: Option<String>,
    /// The language, as the client names it.
    pub(crate) language: Option<String>,
    /// The snippets that the client gathered itself, the most valuable last.
    pub(crate) snippets: Vec<ContextPiece>,
    /// The index of the repository that one of the snippets is from.
    pub(crate) snippet_repository: Option<usize>,
    pub(crate) options: GenerationOptions,
    /// Whether secrets in the file are masked.
    pub(crate) masking: Masking,
    /// The body with its secrets masked, if it has any.
    pub(super) masked_body: Option<Map<String, Value>>,
}

/// How the completion should be generated.
#[derive(Clone, Debug, Default)]
pub(crate) struct GenerationOptions {
    pub(crate) max_tokens: Option<usize>,
    pub(crate) temperature: Option<f64>,
    pub(crate) top_p: Option<f64>,
    pub(crate) seed: Option<u64>,
    pub(crate) stop: Vec<String>,
    /// Number of choices.
    pub(crate) n: usize,
    pub(crate) stream: bool,
    /// Tokens of the prompt and the completion together, where the client limits them.
    pub(crate) window: Option<usize>,
}

impl ClientRequest {
    /// A request with only a body.
    pub(crate) fn new(endpoint: Endpoint, body: Map<String, Value>) -> Self {
        Self {
            endpoint,
            body,
            kind: PromptKind::FillInMiddle,
            prefix: String::new(),
            suffix: String::new(),
            file: None,
            repository_url: None,
            language: None,
            snippets: Vec::new(),
            snippet_repository: None,
            options: GenerationOptions { n: 1, ..GenerationOptions::default() },
            masking: Masking::On,
            masked_body: None,
        }
    }

    /// The text of a field of the body; empty if there is none.
    pub(crate) fn text(&self, field: &str) -> String {
        self.body.get(field).and_then(Value::as_str).unwrap_or_default().to_owned()
    }

    /// Whether a field of the body has text.
    pub(super) fn has_text(&self, field: &str) -> bool {
        self.body.get(field).and_then(Value::as_str).is_some_and(|it| !it.is_empty())
    }

    /// The prompt, if the client wants it before the answer (`echo`); else empty.
    pub(crate) fn echo(&self) -> &str {
        let prompt = self.body.get("prompt").and_then(Value::as_str);
        let is_wanted = self.body.get("echo").is_some_and(|it| *it == true);
        prompt.filter(|_| is_wanted).unwrap_or_default()
    }

    /// The model that the client names.
    pub(crate) fn model(&self) -> Option<&str> {
        self.body.get("model").and_then(Value::as_str).filter(|it| !it.is_empty())
    }

    /// A copy without the body, for records, which keep that as text.
    pub(crate) fn without_body(&self) -> Self {
        Self {
            endpoint: self.endpoint,
            body: Map::new(),
            kind: self.kind,
            prefix: self.prefix.clone(),
            suffix: self.suffix.clone(),
            file: self.file.clone(),
            repository_url: self.repository_url.clone(),
            language: self.language.clone(),
            snippets: self.snippets.clone(),
            snippet_repository: self.snippet_repository,
            options: self.options.clone(),
            masking: self.masking,
            masked_body: None,
        }
    }

    /// Cuts a text of more than `limit` bytes to the lines around the cursor; false if it was short enough. Plain text is
    /// not cut, since it may not be code.
    pub(crate) fn cut_text(&mut self, limit: usize) -> bool {
        let is_code = matches!(self.kind, PromptKind::FillInMiddle | PromptKind::Rendered(_));
        let is_cut = is_code && self.prefix.len() + self.suffix.len() > limit;
        if is_cut {
            self.prefix = large_text::tail(&self.prefix).to_owned();
            self.suffix = large_text::head(&self.suffix).to_owned();
        }
        is_cut
    }

    /// Approximate size in bytes without the body.
    pub(crate) fn bytes(&self) -> usize {
        let snippets = self.snippets.iter().map(|it| it.path.len() + it.text.len());
        self.prefix.len() + self.suffix.len() + snippets.sum::<usize>()
    }

    /// Whether context may be added.
    pub(crate) fn accepts_context(&self) -> bool {
        !matches!(self.kind, PromptKind::WarmUp | PromptKind::Opaque)
    }
}

impl GenerationOptions {
    /// Reads the options of an object that calls the token limit `max_tokens_field`.
    pub(crate) fn of(body: &Map<String, Value>, max_tokens_field: &str) -> Self {
        let whole = |name: &str| body.get(name).and_then(Value::as_u64);
        let stop = match body.get("stop") {
            Some(Value::String(one)) => vec![one.clone()],
            Some(Value::Array(many)) => {
                many.iter().filter_map(Value::as_str).map(str::to_owned).collect()
            }
            _ => Vec::new(),
        };
        Self {
            max_tokens: whole(max_tokens_field).map(|it| it as usize),
            temperature: body.get("temperature").and_then(Value::as_f64),
            top_p: body.get("top_p").and_then(Value::as_f64),
            seed: whole("seed"),
            stop,
            n: 1,
            window: None,
            stream: body.get("stream").and_then(Value::as_bool).unwrap_or(false),
        }
    }
}

/// A snippet, unless its text is blank.
pub(super) fn snippet(path: &str, text: &str) -> Option<ContextPiece> {
    (!text.trim().is_empty()).then(|| ContextPiece { path: path.to_owned(), text: text.to_owned() })
}

/// Maximum characters kept of a client's name.
const MAX_CLIENT_CHARS: usize = 120;

/// The values of the request headers.
#[derive(Clone, Debug, Default)]
pub(crate) struct RequestHeaders {
    /// `x-foreword-bypass`: whether the request is forwarded unchanged.
    pub(crate) bypass: Option<bool>,
    /// The client's user agent.
    pub(crate) client: Option<String>,
    /// The bearer token.
    pub(crate) key: Option<String>,
}

impl RequestHeaders {
    pub(crate) fn of(headers: &HeaderMap) -> Self {
        let text = |name: &str| {
            let value = headers.get(name).and_then(|it| it.to_str().ok());
            value.map(str::trim).filter(|it| !it.is_empty()).map(str::to_owned)
        };
        let bypass = text("x-foreword-bypass");
        let key = text("authorization");
        let bearer = key.as_deref().and_then(|it| it.split_once(' ')).map(|it| it.1.to_owned());
        Self {
            bypass: bypass.map(|it| !matches!(it.as_str(), "0" | "false" | "no" | "off")),
            client: text("user-agent").map(|it| it.chars().take(MAX_CLIENT_CHARS).collect()),
            key: bearer,
        }
    }
}

/// The object of a request body. The content type is ignored: some clients send none.
pub(crate) fn object(bytes: &[u8]) -> Result<Map<String, Value>, ApiError> {
    if has_too_many_values(bytes) {
        let message = format!("the body has more than {MAX_VALUES} values");
        return Err(ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, message));
    }
    match serde_json::from_slice(bytes) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => Err(ApiError::bad_request("the body is JSON but not an object")),
        Err(error) => Err(ApiError::bad_request(format!("the body is not JSON: {error}"))),
    }
}

/// A text field that must be present.
pub(crate) fn required_text(body: &Map<String, Value>, field: &str) -> Result<String, ApiError> {
    match body.get(field) {
        Some(Value::String(text)) => Ok(text.clone()),
        Some(_) => Err(ApiError::bad_request(format!("{field}: a string is expected"))),
        None => Err(ApiError::bad_request(format!("{field} is missing"))),
    }
}
