//! What all requests of a server share.

use std::sync::Arc;
use std::time::Instant;

use tokio::sync::watch;

use super::journal::Journal;
use super::options::Options;
use crate::host::{Host, Repository, Setup};

/// A running server.
pub(crate) struct App {
    /// The repositories that are kept warm, for whoever asks by path.
    pub(crate) host: Host,
    /// The repositories that were named, in that order; the first is where a request belongs that says nothing.
    pub(crate) repositories: Vec<Arc<Repository>>,
    /// What was asked lately.
    pub(crate) journal: Journal,
    /// What it was told.
    pub(crate) options: Options,
    /// When it was started.
    pub(crate) started: Instant,
    /// True when the server is about to stop: endless answers end then.
    pub(crate) closing: watch::Receiver<bool>,
}

impl App {
    /// Opens the repositories, which are looked through in the background.
    pub(super) fn new(
        setup: Setup,
        options: Options,
        closing: watch::Receiver<bool>,
    ) -> anyhow::Result<Self> {
        let host = Host::new(setup);
        let mut repositories: Vec<Arc<Repository>> = Vec::new();
        for path in &options.workspaces {
            let it = host.repository(path)?;
            if repositories.iter().all(|known| known.workspace().root != it.workspace().root) {
                repositories.push(it);
            }
        }
        let journal = Journal::new();
        Ok(Self { host, repositories, journal, options, started: Instant::now(), closing })
    }
}
