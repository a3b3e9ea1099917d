//! Connects to a server: detects its protocol, its model, and whether that model can fill holes.

use std::time::Duration;

use foreword_engine::compose::Format;
use reqwest::Client;
use serde_json::{Value, json};

use super::ask::{failure, text};
use super::system::{Resolver, check_poller};
use super::{Api, Server, reason};
use crate::error::ModelError;

/// Default context window of Ollama, in tokens (its FAQ, "context window size").
const OLLAMA_WINDOW: u64 = 4096;

/// Maximum time for a request about the server itself.
const PATIENCE: Duration = Duration::from_secs(5);

impl Server {
    /// Connects to the server at `url`. Detects protocol and model unless given.
    pub async fn connect(
        url: &str,
        api: Option<Api>,
        model: Option<&str>,
        key: Option<String>,
    ) -> Result<Self, ModelError> {
        let base = url.trim_end_matches('/').to_owned();
        let client = client(&base)?;
        let is_own = model.is_none();
        let mut res = Self { base, api: Api::OpenAi, model: String::new(), is_own, key, client };
        res.api = match api {
            Some(api) => api,
            None => res.detect().await?,
        };
        res.model = match model {
            Some(name) => name.to_owned(),
            None => res.own_model().await,
        };
        Ok(res)
    }

    /// Prompt format of the model, by the user's or the server's name for it; verified if the server has a tokenizer.
    /// Never guessed.
    pub async fn format(&self, named: Option<&str>) -> Result<&'static Format, ModelError> {
        if !self.api.renders() {
            return Format::named("none").ok_or(ModelError::NoPrompt);
        }
        let name = named.unwrap_or(&self.model);
        let format = Format::named(name).or_else(|| Format::of_model(name));
        let Some(format) = format else {
            return Err(ModelError::UnknownFormat { model: name.to_owned() });
        };
        if self.api == Api::LlamaCpp {
            self.ensure_tokens(format).await?;
        }
        Ok(format)
    }

    /// Number of tokens of a text by llama.cpp's tokenizer, with special tokens parsed.
    pub async fn count(&self, text: &str) -> Result<usize, ModelError> {
        let body = json!({ "content": text, "add_special": false, "parse_special": true });
        let value = self.post_json("/tokenize", &body).await?;
        let tokens = value["tokens"].as_array();
        tokens.map(Vec::len).ok_or_else(|| ModelError::InvalidResponse {
            url: self.url("/tokenize"),
            text: value.to_string().chars().take(80).collect(),
        })
    }

    /// Context window in tokens, if reported: of a slot of llama.cpp, of Ollama's model as loaded or to be loaded, of
    /// vLLM's model.
    pub async fn window(&self) -> Option<u64> {
        match self.api {
            Api::LlamaCpp | Api::LlamaCppInfill => {
                let props = self.get_json("/props").await.ok()?;
                props["default_generation_settings"]["n_ctx"].as_u64()
            }
            Api::Ollama | Api::OllamaSuffix => self.ollama_window().await,
            _ => {
                let models = self.get_json("/v1/models").await.ok()?;
                let is_ours = |it: &&Value| it["id"].as_str() == Some(self.model.as_str());
                models["data"].as_array()?.iter().find(is_ours)?["max_model_len"].as_u64()
            }
        }
    }

    /// Ollama's window: it silently cuts the start of longer prompts.
    async fn ollama_window(&self) -> Option<u64> {
        let is_ours = |it: &&Value| {
            let name = it["name"].as_str().unwrap_or_default();
            name == self.model || name.strip_suffix(":latest") == Some(self.model.as_str())
        };
        let loaded = self.get_json("/api/ps").await.ok();
        let loaded = loaded.and_then(|it| {
            it["models"].as_array()?.iter().find(is_ours)?["context_length"].as_u64()
        });
        if loaded.is_some() {
            return loaded;
        }
        let shown = self.post_json("/api/show", &json!({ "model": self.model })).await.ok()?;
        let mut lines = shown["parameters"].as_str().unwrap_or_default().lines();
        let set = lines.find_map(|it| it.strip_prefix("num_ctx")?.trim().parse().ok());
        Some(set.unwrap_or(OLLAMA_WINDOW))
    }

    /// Fails unless each special token of the format is one token for the server.
    async fn ensure_tokens(&self, format: &'static Format) -> Result<(), ModelError> {
        for token in format.marks() {
            if self.count(token).await? != 1 {
                return Err(ModelError::NoSuchToken {
                    url: self.base.clone(),
                    format: format.name,
                    token,
                });
            }
        }
        Ok(())
    }

    /// Fails if Ollama's template for the model has no place for a suffix.
    pub async fn ensure_suffix(&self) -> Result<(), ModelError> {
        if self.api != Api::OllamaSuffix {
            return Ok(());
        }
        let shown = self.post_json("/api/show", &json!({ "model": self.model })).await?;
        let template = shown["template"].as_str().unwrap_or_default();
        if template.contains(".Suffix") {
            return Ok(());
        }
        Err(ModelError::NoSuffix { model: self.model.clone() })
    }

    async fn detect(&self) -> Result<Api, ModelError> {
        for (host, api) in [("mistral.ai", Api::Mistral), ("deepseek.com", Api::DeepSeek)] {
            if self.base.contains(host) {
                return Ok(api);
            }
        }
        match self.get_json("/props").await {
            Ok(props) if props["default_generation_settings"].is_object() => {
                return Ok(Api::LlamaCpp);
            }
            Err(error) if is_transient(&error) => return Err(error),
            _ => {}
        }
        let version = self.get_json("/api/version").await;
        let is_ollama = version.is_ok_and(|it| it["version"].is_string());
        Ok(if is_ollama { Api::Ollama } else { Api::OpenAi })
    }

    /// Whether the server now lists another model first than at connection. False if it lists none, or if the user
    /// named the model.
    pub async fn has_another_model(&self) -> bool {
        if !self.is_own {
            return false;
        }
        let model = self.own_model().await;
        !model.is_empty() && model != self.model
    }

    /// The first model that the server lists; empty if none.
    async fn own_model(&self) -> String {
        let Ok(models) = self.get_json("/v1/models").await else { return String::new() };
        let id = models["data"][0]["id"].as_str().unwrap_or_default();
        // llama.cpp uses a file path as the name; other names may also have slashes.
        match id.rsplit_once(['/', '\\']) {
            Some((_, file)) if id.starts_with(['/', '.']) || id.contains('\\') => file.to_owned(),
            _ => id.to_owned(),
        }
    }

    pub(super) async fn get_json(&self, path: &str) -> Result<Value, ModelError> {
        let request = self.client.get(self.url(path));
        self.json(request).await
    }

    async fn post_json(&self, path: &str, body: &Value) -> Result<Value, ModelError> {
        let request = self.client.post(self.url(path));
        self.json(request.header("content-type", "application/json").body(body.to_string())).await
    }

    async fn json(&self, request: reqwest::RequestBuilder) -> Result<Value, ModelError> {
        let request = match &self.key {
            Some(key) => request.bearer_auth(key),
            None => request,
        };
        let response = request.timeout(PATIENCE).send().await;
        let response = response.map_err(|error| self.unreachable(&error))?;
        if !response.status().is_success() {
            return Err(failure(self, response).await);
        }
        let url = response.url().to_string();
        let text = text(self, response).await?;
        let garbage = || ModelError::InvalidResponse { url, text: text.chars().take(80).collect() };
        serde_json::from_str(&text).map_err(|_| garbage())
    }
}

/// Whether a retry may succeed soon: llama.cpp answers 503 while it loads its model.
fn is_transient(error: &ModelError) -> bool {
    matches!(
        error,
        ModelError::Unreachable { .. }
            | ModelError::Busy { .. }
            | ModelError::Refused { status: 502..=504, .. }
    )
}

/// Validates the address of a server without connecting.
pub fn check_address(url: &str) -> Result<(), String> {
    let expected = "an address is like http://127.0.0.1:8012";
    match reqwest::Url::parse(url) {
        Ok(it) if !matches!(it.scheme(), "http" | "https") => {
            Err(format!("{url}: {expected}, with http:// or https://"))
        }
        Ok(it) if it.host_str().is_none_or(str::is_empty) => {
            Err(format!("{url}: it names no host; {expected}"))
        }
        Ok(_) => Ok(()),
        Err(error) => Err(format!("{url}: {error}; {expected}")),
    }
}

/// A client for one address of the user's: no proxies from the environment, no redirects, TLS by rustls.
pub fn client(base: &str) -> Result<Client, ModelError> {
    let wrong = |reason: String| ModelError::Unreachable { url: base.to_owned(), reason };
    check_address(base)
        .map_err(|_| wrong("an address begins with http:// or https://".to_owned()))?;
    check_poller(base)?;
    // Fails on the second call because a provider is already installed, which is fine.
    let _ = rustls::crypto::ring::default_provider().install_default();
    // Neither proxies from the environment nor redirects: code goes only to the user's address.
    let builder = Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none());
    let builder = builder.dns_resolver(std::sync::Arc::new(Resolver));
    builder.build().map_err(|error| wrong(reason(&error)))
}
