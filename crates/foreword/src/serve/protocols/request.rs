//! The one question into which every door translates.

use axum::http::HeaderMap;
use foreword_engine::compose::Format;
use foreword_model::request::ContextPiece;
use serde_json::{Map, Value};

use crate::serve::options::Options;

/// A shape of requests and answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Door {
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

impl Door {
    /// Whose protocol it is.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Infill | Self::Completion => "llama.cpp",
            Self::OpenAi => "openai",
            Self::Mistral => "mistral",
            Self::DeepSeek => "deepseek",
            Self::Ollama => "ollama",
            Self::Tabby => "tabby",
        }
    }

    /// Where it is.
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

/// What a request says of its prompt.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kind {
    /// The text before and after the cursor.
    Fill,
    /// A prompt that the client rendered in this format, parsed back.
    Rendered(&'static Format),
    /// Text to go on with: code, perhaps.
    Plain,
    /// Nothing is to be written: the server is to read what comes next.
    WarmUp,
    /// Nothing that foreword could add to: tokens instead of text, a conversation, a model to be loaded.
    Opaque,
}

/// A request.
#[derive(Clone, Debug)]
pub(crate) struct Ask {
    pub(crate) door: Door,
    /// As it came.
    pub(crate) body: Map<String, Value>,
    pub(crate) kind: Kind,
    /// The text before the cursor.
    pub(crate) prefix: String,
    /// The text after it.
    pub(crate) suffix: String,
    /// The file, as the client names it.
    pub(crate) file: Option<String>,
    /// The address of the repository.
    pub(crate) repository: Option<String>,
    /// The language, as the client names it.
    pub(crate) language: Option<String>,
    /// What the client has gathered itself, the most valuable last.
    pub(crate) shown: Vec<ContextPiece>,
    /// The repository, by its number, that some of that is of.
    pub(crate) beside: Option<usize>,
    pub(crate) wants: Wants,
}

/// How much is wanted, and how.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wants {
    pub(crate) max_tokens: Option<usize>,
    pub(crate) temperature: Option<f64>,
    pub(crate) top_p: Option<f64>,
    pub(crate) seed: Option<u64>,
    pub(crate) stop: Vec<String>,
    pub(crate) n: usize,
    pub(crate) stream: bool,
    /// Tokens of the prompt and the answer, where the client says how many the model is to read.
    pub(crate) window: Option<usize>,
}

impl Ask {
    /// A request that says nothing yet.
    pub(crate) fn new(door: Door, body: Map<String, Value>) -> Self {
        Self {
            door,
            body,
            kind: Kind::Fill,
            prefix: String::new(),
            suffix: String::new(),
            file: None,
            repository: None,
            language: None,
            shown: Vec::new(),
            beside: None,
            wants: Wants { n: 1, ..Wants::default() },
        }
    }

    /// The text of a field; empty where there is none.
    pub(crate) fn text(&self, field: &str) -> String {
        self.body.get(field).and_then(Value::as_str).unwrap_or_default().to_owned()
    }

    /// The model that the client names.
    pub(crate) fn model(&self) -> Option<&str> {
        self.body.get("model").and_then(Value::as_str).filter(|it| !it.is_empty())
    }

    /// Without its body, for those who keep that elsewhere.
    pub(crate) fn without_body(&self) -> Self {
        Self {
            door: self.door,
            body: Map::new(),
            kind: self.kind,
            prefix: self.prefix.clone(),
            suffix: self.suffix.clone(),
            file: self.file.clone(),
            repository: self.repository.clone(),
            language: self.language.clone(),
            shown: self.shown.clone(),
            beside: self.beside,
            wants: self.wants.clone(),
        }
    }

    /// About how many bytes it holds without its body.
    pub(crate) fn bytes(&self) -> usize {
        let shown = self.shown.iter().map(|it| it.path.len() + it.text.len());
        self.prefix.len() + self.suffix.len() + shown.sum::<usize>()
    }

    /// Whether context may be added.
    pub(crate) fn is_open(&self) -> bool {
        !matches!(self.kind, Kind::WarmUp | Kind::Opaque)
    }
}

impl Wants {
    /// Reads what is wanted from an object in which `max` is the name of the limit.
    pub(crate) fn of(body: &Map<String, Value>, max: &str) -> Self {
        let whole = |name: &str| body.get(name).and_then(Value::as_u64);
        let stop = match body.get("stop") {
            Some(Value::String(one)) => vec![one.clone()],
            Some(Value::Array(many)) => {
                many.iter().filter_map(Value::as_str).map(str::to_owned).collect()
            }
            _ => Vec::new(),
        };
        Self {
            max_tokens: whole(max).map(|it| it as usize),
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

/// What a request's headers say to foreword.
#[derive(Clone, Debug, Default)]
pub(crate) struct Told {
    /// `x-foreword-bypass`: whether the request goes on as it came.
    pub(crate) bypass: Option<bool>,
    /// What the client calls itself.
    pub(crate) client: Option<String>,
    /// The key that it shows.
    pub(crate) key: Option<String>,
}

impl Told {
    /// Where this server has a token, that is what the client shows, and it is no other server's business.
    pub(crate) fn without_token(mut self, options: &Options) -> Self {
        self.key = self.key.filter(|_| options.token.is_none());
        self
    }

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
            client: text("user-agent").map(|it| it.chars().take(120).collect()),
            key: bearer,
        }
    }
}
