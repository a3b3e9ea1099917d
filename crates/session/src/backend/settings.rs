//! Which model answers, and within which limits: what the command line, the environment and the user's file say of it.

use std::path::PathBuf;
use std::time::Duration;

use foreword_model::ask::HelpSettings;
use foreword_model::http::Api;

use super::file::ModelFile;
use crate::usage::usage;

/// A model, as the settings name it. Without a server and a file it is the embedded one.
#[derive(Clone, Debug, Default)]
pub struct BackendSettings {
    /// The server of the model.
    pub url: Option<String>,
    /// The server's protocol, by name; detected without it.
    pub api: Option<String>,
    /// The model or format to name; the server's or the file's own without it.
    pub model: Option<String>,
    /// The server's key.
    pub key: Option<String>,
    /// The file of a model that is run in this process; none beside a server.
    pub gguf: Option<ModelFile>,
    /// The model's tokenizer.json, or Mistral's tekken.json.
    pub tokenizer: Option<PathBuf>,
    /// The limits of requests.
    pub limits: Limits,
}

/// Limits of the requests to a model; what is not set is not limited by the settings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// How long an answer may take.
    pub timeout: Option<Duration>,
    /// Tokens of an answer at the most.
    pub max_tokens: Option<usize>,
    /// Tokens of a prompt and its answer at the most.
    pub context: Option<usize>,
    /// Requests at a time.
    pub parallel: Option<usize>,
}

/// The settings of a chat model.
#[derive(Clone, Debug)]
pub struct ChatSettings {
    /// The server.
    pub url: String,
    /// Its protocol, by name; detected without it.
    pub api: Option<String>,
    /// The name of the model; the server's own without it.
    pub model: Option<String>,
    /// The server's key.
    pub key: Option<String>,
    /// The limits of an answer.
    pub limits: Limits,
    /// Which help it gives before it answers.
    pub help: HelpSettings,
    /// Another model that puts passages in order.
    pub reranker: Option<Box<ChatSettings>>,
    /// What it costs.
    pub prices: Prices,
    /// What may be spent in an hour on planning, as it is written: `500kt,1usd`.
    pub hourly: Option<String>,
}

/// US dollars for a million tokens; 0 for a model that costs nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Prices {
    /// Of prompts.
    pub prompt: f64,
    /// Of answers.
    pub answer: f64,
}

impl ChatSettings {
    /// The name of the model as the settings have it; the server's address where they name none.
    pub fn title(&self) -> &str {
        self.model.as_deref().unwrap_or(&self.url)
    }
}

impl BackendSettings {
    /// Refuses an unknown protocol, two models, and a name that no model has.
    pub fn check(&self) -> anyhow::Result<()> {
        self.protocol()?;
        if let Some(url) = &self.url {
            foreword_model::http::check_address(url)
                .map_err(|it| usage(format!("--model-url {it}")))?;
        }
        match (&self.model, &self.url, &self.gguf) {
            (_, Some(_), Some(_)) => {
                Err(usage("--gguf and --model-url cannot be used together; remove one"))
            }
            (Some(model), None, None) => Err(usage(format!(
                "--model {model}: no server has it; name one with --model-url, or a model file with --gguf, or leave --model out for the embedded model"
            ))),
            _ => Ok(()),
        }
    }

    /// The protocol that is named.
    pub fn protocol(&self) -> anyhow::Result<Option<Api>> {
        let Some(name) = self.api.as_deref() else { return Ok(None) };
        let unknown = || {
            let all: Vec<&str> = Api::ALL.iter().map(|it| it.name()).collect();
            let all = all.join(", ");
            usage(format!("--model-api {name}: no such way to ask; there are {all}"))
        };
        Api::named(name).ok_or_else(unknown).map(Some)
    }
}
