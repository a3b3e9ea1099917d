//! Model settings of a role: endpoint, key and limits.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::layers::Layers;
use super::role::Role;
use crate::backend::{BUILD, CAN_RUN, Limits};
use crate::usage::{PAGES, usage};

/// Model settings of a role.
#[derive(Clone, Debug)]
pub struct RoleSettings {
    /// The role.
    pub role: Role,
    /// Address of the server.
    pub url: Option<String>,
    /// Model file to run in this process; embeddings only, since those of completions have general keys.
    pub gguf: Option<PathBuf>,
    /// Name of the protocol.
    pub api: Option<String>,
    /// Name of the model.
    pub model: Option<String>,
    /// Environment variable with the API key.
    pub key_env: Option<String>,
    /// Limits of requests.
    pub limits: Limits,
    /// The user's file.
    file: Option<PathBuf>,
}

/// Default variable with the API key for completions.
const DEFAULT_KEY_VARIABLE: &str = "FOREWORD_MODEL_KEY";

impl RoleSettings {
    pub(super) fn new(role: Role, layers: &Layers, file: Option<&Path>) -> Self {
        let text = |name: &str| layers.text(&role.key(name)).value;
        let number = |name: &str| layers.optional_number(&role.key(name)).value;
        // The general key `model` names a prompt format; only the role's key names a model of its server.
        let is_named = layers.file_key(&role.key("model")) == Some(role.key("model").as_str());
        Self {
            role,
            url: text("url"),
            gguf: (role == Role::Embed).then(|| layers.path(&role.key("gguf")).value).flatten(),
            api: text("api"),
            model: text("model").filter(|_| is_named),
            key_env: text("key_env"),
            limits: Limits {
                timeout: number("timeout_ms").map(|it| Duration::from_millis(it as u64)),
                max_tokens: number("max_tokens"),
                context: number("context"),
                parallel: number("parallel"),
            },
            file: file.map(Path::to_path_buf),
        }
    }

    /// The API key; fails if its variable is configured but not set.
    pub fn key(&self) -> anyhow::Result<Option<String>> {
        let variable = |name: &str| std::env::var(name).ok().filter(|it| !it.is_empty());
        let Some(name) = &self.key_env else {
            return Ok(variable(DEFAULT_KEY_VARIABLE).filter(|_| self.role == Role::Complete));
        };
        let key = variable(name).ok_or_else(|| {
            let message = format!("${name} is not set; export it, or take the key out");
            self.wrong("key_env", &message)
        })?;
        Ok(Some(key))
    }

    /// Validates the settings without sending a request.
    pub fn check(&self) -> anyhow::Result<()> {
        let is_address = |it: &str| it.starts_with("http://") || it.starts_with("https://");
        match &self.url {
            Some(url) if !is_address(url) => {
                let message = format!("{url}: an address begins with http:// or https://");
                return Err(self.wrong("url", &message));
            }
            None if self.role != Role::Complete && self.gguf.is_none() && self.is_named() => {
                return Err(self.wrong("url", "is missing; name the server"));
            }
            _ => {}
        }
        self.check_file()?;
        let protocols = self.role.protocols();
        if let Some(name) = &self.api
            && !protocols.iter().any(|it| it.name() == name)
        {
            let all: Vec<&str> = protocols.iter().map(|it| it.name()).collect();
            let message = format!("{name}: no such protocol; there are {}", all.join(", "));
            return Err(self.wrong("api", &message));
        }
        self.key().map(drop)
    }

    /// Fails for a model file that cannot be run, or one beside a server.
    fn check_file(&self) -> anyhow::Result<()> {
        let Some(path) = &self.gguf else { return Ok(()) };
        if self.url.is_some() {
            let other = self.role.key("url");
            let message = format!("it cannot be used together with {other}; remove one");
            return Err(self.wrong("gguf", &message));
        }
        if !CAN_RUN {
            let message = format!(
                "{}: this foreword was built without what runs model files; build one that has it with `{BUILD}` ({PAGES}/complete.md), or name a server with {}",
                path.display(),
                self.role.key("url")
            );
            return Err(self.wrong("gguf", &message));
        }
        Ok(())
    }

    /// Whether anything but a limit is set.
    pub fn is_named(&self) -> bool {
        let texts = [&self.url, &self.api, &self.model, &self.key_env];
        self.gguf.is_some() || texts.into_iter().any(Option::is_some)
    }

    fn wrong(&self, name: &str, message: &str) -> anyhow::Error {
        let file = self.file.as_ref().map_or_else(String::new, |it| format!("{}: ", it.display()));
        usage(format!("{file}{}: {message}", self.role.key(name)))
    }
}
