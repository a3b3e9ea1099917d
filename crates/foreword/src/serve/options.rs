//! What a server is told when it starts.

use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

use foreword_model::http::Api;

use crate::local::ModelFile;
use crate::usage::usage;

/// The settings of a server.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where it listens.
    pub host: IpAddr,
    /// 0 for any that is free.
    pub port: u16,
    /// What clients must show; needed where others than this machine can reach the port.
    pub token: Option<String>,
    /// Names under which the server is reached, beside those of the loopback.
    pub allowed_hosts: Vec<String>,
    /// Directories of the repositories.
    pub workspaces: Vec<PathBuf>,
    /// The server of the model; `None` for a file's or the embedded one.
    pub model_url: Option<String>,
    /// The file of a model that is run in this process; none beside a server.
    pub gguf: Option<ModelFile>,
    /// How it is asked; found out if it is not said.
    pub model_api: Option<String>,
    /// The model or format to name; the server's own if it is not said.
    pub model: Option<String>,
    /// The key of that server.
    pub model_key: Option<String>,
    /// The model's tokenizer.json.
    pub tokenizer: Option<PathBuf>,
    /// Tokens of a prompt.
    pub budget: usize,
    /// How long a request waits for its context before it goes on without.
    pub patience: Duration,
    /// Whether requests go on as they came, unless one asks for context itself.
    pub bypass: bool,
    /// Whether logs may show code.
    pub log_code: bool,
    /// No logs at all.
    pub quiet: bool,
}

impl Options {
    /// Refuses what would be unsafe.
    pub(crate) fn check(&self) -> anyhow::Result<()> {
        if !self.host.is_loopback() && self.token.is_none() {
            return Err(usage(format!(
                "--host {} lets other machines in, and anyone there could read your code: set a --token (or $FOREWORD_TOKEN) that they must show",
                self.host
            )));
        }
        if self.token.as_deref().is_some_and(|it| it.trim().is_empty()) {
            return Err(usage("--token is empty; name one, or leave it out"));
        }
        if let Some(api) = self.model_api.as_deref().filter(|it| Api::named(it).is_none()) {
            let all: Vec<&str> = Api::ALL.iter().map(|it| it.name()).collect();
            let all = all.join(", ");
            return Err(usage(format!("--model-api {api}: no such way to ask; there are {all}")));
        }
        match (&self.model, &self.model_url, &self.gguf) {
            (_, Some(_), Some(_)) => {
                Err(usage("--gguf and --model-url name two models, and one answers"))
            }
            (Some(model), None, None) => Err(usage(format!(
                "--model {model}: no server has it; name one with --model-url, or a model file with --gguf, or leave --model out for the embedded model"
            ))),
            _ => Ok(()),
        }
    }
}
