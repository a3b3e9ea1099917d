//! The settings of a server.

use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

use foreword_engine::preset::Preset;
use foreword_session::backend::{BackendSettings, ChatSettings, EditSettings};
use foreword_session::usage::usage;

use crate::mcp::AnswerContent;

/// How the start, with what is served, and requests are logged on stderr.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    /// Not at all.
    Off,
    /// For people.
    Text,
    /// For programs.
    Json,
}

/// The settings of a server.
#[derive(Clone, Debug)]
pub struct Options {
    /// The address that it listens on.
    pub host: IpAddr,
    /// 0 for any free port.
    pub port: u16,
    /// The token that clients must send; required if other machines can reach the port.
    pub token: Option<String>,
    /// Host names of the server, beside those of the loopback interface.
    pub allowed_hosts: Vec<String>,
    /// Directories of the repositories.
    pub workspaces: Vec<PathBuf>,
    /// The model that answers.
    pub backend: BackendSettings,
    /// The model that answers questions; none for answers by the evidence alone.
    pub chat: Option<ChatSettings>,
    /// The next-edit model.
    pub edit: Option<EditSettings>,
    /// Tokens of a prompt.
    pub budget: usize,
    /// How prompts are made.
    pub preset: Preset,
    /// Completions of the embedded model below this confidence are withheld; `None` for the default.
    pub least_confidence: Option<f64>,
    /// How long a request waits for its context before it is answered without.
    pub patience: Duration,
    /// Whether requests are forwarded without context, unless one asks for it.
    pub bypass: bool,
    /// Whether logs may show code.
    pub log_code: bool,
    /// How requests are logged.
    pub log: LogFormat,
    /// The content of answers to agents.
    pub mcp_content: AnswerContent,
}

impl Options {
    /// Rejects settings that are unsafe or contradict each other.
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
        self.backend.check()
    }
}
