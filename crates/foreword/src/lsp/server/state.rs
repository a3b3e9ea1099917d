//! State of the server; the other files of this folder have its methods, by part of the protocol.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crossbeam_channel::{Receiver, Sender};
use serde_json::Value;

use super::client::Client;
use super::pending::PendingRequests;
use crate::lsp::documents::Documents;
use crate::lsp::interactions::Interactions;
use crate::lsp::pages::Pages;
use crate::lsp::position::Encoding;
use crate::lsp::settings::Settings;
use crate::lsp::suggestion::DisplayedSuggestion;
use crate::lsp::transport::Incoming;
use crate::lsp::worker::{Job, JobResult};
use crate::lsp::workspaces::Workspaces;

/// The server, owned by the main loop's thread.
pub(in crate::lsp) struct Server {
    pub(super) client: Client,
    pub(super) input: Receiver<Incoming>,
    pub(super) workspaces: Arc<Workspaces>,
    pub(super) documents: Documents,
    pub(super) encoding: Encoding,
    pub(super) configuration: Configuration,
    pub(super) jobs: Sender<Job>,
    /// Cancels the preparation of the document that was opened last.
    pub(super) preparing: Arc<AtomicBool>,
    pub(super) completed: Receiver<JobResult>,
    pub(super) pending: PendingRequests,
    pub(super) displayed: Option<DisplayedSuggestion>,
    pub(super) interactions: Interactions,
    pub(super) pages: Pages,
    pub(super) phase: Phase,
    /// Whether the user knows that the model does not answer.
    pub(super) has_told_failure: bool,
}

/// Phase of the session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    Running,
    /// `shutdown` was answered; only `exit` may follow.
    ShutDown,
}

/// Settings in force, with their sources.
pub(super) struct Configuration {
    /// `initializationOptions`.
    pub(super) options: Value,
    pub(super) settings: Settings,
}

impl Configuration {
    pub(super) fn new(options: Value) -> Self {
        Self { options, settings: Settings::default() }
    }
}
