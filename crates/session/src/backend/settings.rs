//! Settings of the models, from the command line, the environment and the user's file.

use std::path::PathBuf;
use std::time::Duration;

use foreword_engine::compose::edit::EditFormat;
use foreword_model::ask::HelpSettings;
use foreword_model::http::Api;

use super::file::ModelFile;
use crate::usage::usage;

/// Settings of the completion model; without a server and a file it is the embedded one.
#[derive(Clone, Debug, Default)]
pub struct BackendSettings {
    /// The server of the model.
    pub url: Option<String>,
    /// Name of the server's protocol; detected by default.
    pub api: Option<String>,
    /// Name of the model or format; that of the server or the file by default.
    pub model: Option<String>,
    /// The server's key.
    pub key: Option<String>,
    /// The model file to run in this process; excludes a server.
    pub gguf: Option<ModelFile>,
    /// The model's tokenizer.json, or Mistral's tekken.json.
    pub tokenizer: Option<PathBuf>,
    /// The limits of requests.
    pub limits: Limits,
}

/// Limits of the requests to a model; `None` for no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Maximum duration of an answer.
    pub timeout: Option<Duration>,
    /// Maximum tokens of an answer.
    pub max_tokens: Option<usize>,
    /// Maximum tokens of a prompt and its answer.
    pub context: Option<usize>,
    /// Maximum number of concurrent requests.
    pub parallel: Option<usize>,
}

/// The settings of a chat model.
#[derive(Clone, Debug)]
pub struct ChatSettings {
    /// The server.
    pub url: String,
    /// Name of its protocol; detected by default.
    pub api: Option<String>,
    /// Name of the model; the server's own by default.
    pub model: Option<String>,
    /// The server's key.
    pub key: Option<String>,
    /// The limits of an answer.
    pub limits: Limits,
    /// Its help before answers.
    pub help: HelpSettings,
    /// A model that orders passages.
    pub reranker: Option<Box<ChatSettings>>,
    /// Its prices.
    pub prices: Prices,
    /// Budget of planning per hour, as written: `500kt,1usd`.
    pub hourly: Option<String>,
}

/// The settings of a next-edit model.
#[derive(Clone, Debug)]
pub struct EditSettings {
    /// The server.
    pub url: String,
    /// Its protocol; detected by default.
    pub api: Option<Api>,
    /// Name of the model; the server's own by default.
    pub model: Option<String>,
    /// The server's key.
    pub key: Option<String>,
    /// The format of its prompts; that of the model's name by default.
    pub format: Option<&'static EditFormat>,
    /// The limits of an answer.
    pub limits: Limits,
}

/// US dollars per million tokens; 0 for a free model.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Prices {
    /// Of prompts.
    pub prompt: f64,
    /// Of answers.
    pub answer: f64,
}

impl ChatSettings {
    /// The name of the model; the server's address without one.
    pub fn title(&self) -> &str {
        self.model.as_deref().unwrap_or(&self.url)
    }
}

impl BackendSettings {
    /// Refuses an unknown protocol, two models, and an unknown name.
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

    /// The named protocol.
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
