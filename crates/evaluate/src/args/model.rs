//! Arguments of the model that completes with each context.

use std::path::PathBuf;
use std::time::Duration;

use crate::runs::model_client::{ModelClient, ModelSettings};
use anyhow::{Context as _, Result};
use foreword_load::Environment;

/// A model server that completes with each context.
#[derive(clap::Args)]
pub struct ModelArgs {
    /// Address of a server (llama.cpp, Ollama, or OpenAI-compatible) that completes with each context: adds chrF,
    /// exact match and edit similarity. Code is sent to this server and nowhere else.
    #[arg(long = "model", value_name = "URL")]
    url: Option<String>,
    /// Name of the model or its format [default: the server's].
    #[arg(long, value_name = "NAME", requires = "url")]
    model_name: Option<String>,
    /// API of the server, as `foreword complete --model-api` [default: detected].
    #[arg(long, value_name = "API", requires = "url")]
    model_api: Option<String>,
    /// Maximum tokens of an answer.
    #[arg(long, value_name = "N", default_value_t = 256)]
    max_tokens: usize,
    /// Timeout of a request in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 120)]
    model_timeout: u64,
    /// Directory that caches answers, so that each request is made once [default: foreword-evaluate in the user's cache].
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
}

impl ModelArgs {
    /// Whether a model is named.
    pub fn is_named(&self) -> bool {
        self.url.is_some()
    }

    /// The model, if one is named.
    pub fn connect(self) -> Result<Option<ModelClient>> {
        let Some(url) = self.url else { return Ok(None) };
        let own = || Some(Environment::current().cache_dir?.join("foreword-evaluate"));
        let cache = self.cache.or_else(own).context("there is no cache directory; name --cache")?;
        let model = ModelClient::connect(&ModelSettings {
            url,
            api: self.model_api,
            name: self.model_name,
            key: std::env::var("FOREWORD_MODEL_KEY").ok().filter(|it| !it.is_empty()),
            max_tokens: self.max_tokens,
            patience: Duration::from_secs(self.model_timeout),
            cache,
        })?;
        Ok(Some(model))
    }
}
