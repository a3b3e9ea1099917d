//! `initialize`, `initialized`, `shutdown`, and the editor's workspace folders.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::bail;
use crossbeam_channel::Receiver;
use foreword_session::answer::complete::Completer;
use foreword_session::answer::next::EditModel;
use foreword_session::host::Host;
use lsp_server::{ErrorCode, Message, RequestId, Response};
use serde_json::{Value, json};

use super::capabilities::{EditorCapabilities, position_encodings};
use super::client::Client;
use super::pending::PendingRequests;
use super::state::{Configuration, Phase, Server};
use crate::lsp::documents::Documents;
use crate::lsp::interactions::Interactions;
use crate::lsp::pages::Pages;
use crate::lsp::position::Encoding;
use crate::lsp::transport::{Incoming, Outbox};
use crate::lsp::worker;
use crate::lsp::workspaces::Workspaces;

impl Server {
    /// Waits for `initialize` and answers it.
    pub(in crate::lsp) fn open(
        host: Host,
        (completer, edit_model): (Arc<Completer>, Option<EditModel>),
        input: Receiver<Incoming>,
        outbox: Outbox,
    ) -> anyhow::Result<Self> {
        let (id, params) = initialize(&input, &outbox)?;
        let capabilities = EditorCapabilities::read(&params);
        let encoding = Encoding::choose(&position_encodings(&params));
        let folders = folders(&params);
        log_initialize(&params, &folders);
        let workspaces = Arc::new(Workspaces::new(host, (completer, edit_model), folders));
        let (jobs, completed) = worker::start(&workspaces)?;
        let options = params.get("initializationOptions").cloned().unwrap_or_default();
        let mut res = Self {
            client: Client::new(outbox, capabilities),
            input,
            workspaces,
            documents: Documents::default(),
            encoding,
            configuration: Configuration::new(options),
            jobs,
            preparing: Arc::default(),
            completed,
            pending: PendingRequests::default(),
            displayed: None,
            interactions: Interactions::default(),
            pages: Pages::default(),
            phase: Phase::Running,
            has_told_failure: false,
        };
        res.configure(Value::Null);
        res.client.respond(id, &capabilities.initialize_result(encoding));
        Ok(res)
    }

    /// Sends the requests that are allowed only after `initialized`.
    pub(super) fn initialized(&mut self) {
        if self.client.capabilities.dynamic_registration {
            self.register_inline_completion();
        }
        if self.client.capabilities.configuration {
            self.request_configuration();
        }
        for folder in self.workspaces.folders() {
            self.index_folder(folder);
        }
    }

    fn register_inline_completion(&self) {
        // Only files, saved or not: otherwise VS Code would also ask in its chat inputs.
        let selector = json!([{ "scheme": "file" }, { "scheme": "untitled" }]);
        let registration = json!({
            "id": "ghost",
            "method": "textDocument/inlineCompletion",
            "registerOptions": { "documentSelector": selector },
        });
        let params = json!({ "registrations": [registration] });
        self.client.request("foreword-register", "client/registerCapability", params);
    }

    pub(super) fn shut_down(&mut self, id: RequestId) {
        tracing::info!("shutdown");
        self.phase = Phase::ShutDown;
        self.client.respond(id, &Value::Null);
    }

    pub(super) fn change_folders(&mut self, params: &Value) {
        let paths = |key: &str| -> Vec<PathBuf> {
            let list = params.pointer(key).and_then(Value::as_array).into_iter().flatten();
            list.filter_map(|it| foreword_session::uri::path_of(it.get("uri")?.as_str()?)).collect()
        };
        let added = paths("/event/added");
        self.workspaces.change(added.clone(), &paths("/event/removed"));
        added.into_iter().for_each(|it| self.index_folder(it));
    }
}

/// Waits for `initialize`; rejects other requests before it.
fn initialize(input: &Receiver<Incoming>, outbox: &Outbox) -> anyhow::Result<(RequestId, Value)> {
    for Incoming { message, .. } in input {
        match message {
            Message::Request(it) if it.method == "initialize" => return Ok((it.id, it.params)),
            Message::Request(it) => {
                let code = ErrorCode::ServerNotInitialized as i32;
                let what = format!("{}: server not initialized", it.method);
                outbox.send(&Response::new_err(it.id, code, what).into());
            }
            Message::Notification(it) if it.method == "exit" => break,
            Message::Notification(_) | Message::Response(_) => {}
        }
    }
    bail!("the editor ended the session before `initialize`")
}

fn log_initialize(params: &Value, folders: &[PathBuf]) {
    let client = |key: &str| {
        params.pointer("/clientInfo").and_then(|it| it.get(key)?.as_str()).unwrap_or("unknown")
    };
    let (name, version) = (client("name"), client("version"));
    tracing::info!(client = name, client_version = version, ?folders, "initialize");
}

/// The editor's initial folders.
fn folders(params: &Value) -> Vec<PathBuf> {
    let listed = params.get("workspaceFolders").and_then(Value::as_array).into_iter().flatten();
    let mut uris: Vec<&str> = listed.filter_map(|it| it.get("uri")?.as_str()).collect();
    if uris.is_empty() {
        uris.extend(params.get("rootUri").and_then(Value::as_str));
    }
    uris.into_iter().filter_map(foreword_session::uri::path_of).filter(|it| it.is_dir()).collect()
}
