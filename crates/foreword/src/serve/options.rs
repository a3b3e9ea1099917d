//! What a server is told when it starts.

use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

use crate::backend::BackendSettings;
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
    /// The model that answers.
    pub backend: BackendSettings,
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
        self.backend.check()
    }
}
