//! Configuration changes, and loading and saving of the history.

use serde_json::{Value, json};

use super::state::{HistoryState, Server};
use crate::lsp::history;
use crate::lsp::interactions::Visit;
use crate::lsp::settings::Settings;

/// Id of the server's request for its settings.
pub(super) const REQUEST_ID: &str = "foreword-settings";

impl Server {
    pub(super) fn request_configuration(&self) {
        let params = json!({ "items": [{ "section": "foreword" }] });
        self.client.request(REQUEST_ID, "workspace/configuration", params);
    }

    pub(super) fn did_change_configuration(&mut self, params: &Value) {
        if self.client.capabilities.configuration {
            return self.request_configuration();
        }
        let section = params.pointer("/settings/foreword").cloned();
        self.configure(section.unwrap_or_default());
    }

    /// Applies the editor's settings: `section` over the options of `initialize`.
    pub(super) fn configure(&mut self, section: Value) {
        let settings = Settings::read(&self.configuration.options, section);
        self.configuration.settings = settings.unwrap_or_else(|message| {
            tracing::warn!("{message}");
            let params = json!({ "type": 2, "message": message });
            self.client.notify("window/showMessage", params);
            Settings::default()
        });
        let is_unread = self.configuration.history == HistoryState::Unread;
        if self.configuration.settings.remember && is_unread {
            self.configuration.history = HistoryState::Loaded;
            self.load_history();
        }
    }

    fn load_history(&mut self) {
        let folders = self.workspaces.folders();
        let repositories = folders.iter().filter_map(|it| self.workspaces.of_folder(it));
        let visits: Vec<Visit> = repositories.flat_map(|it| history::load(&it)).collect();
        self.interactions.prepend(&visits);
    }

    /// Saves the history for the next session, if enabled.
    pub(super) fn save_history(&self) {
        if !self.configuration.settings.remember {
            return;
        }
        let mut roots = Vec::new();
        let folders = self.workspaces.folders();
        for repository in folders.iter().filter_map(|it| self.workspaces.of_folder(it)) {
            let root = &repository.workspace().root;
            if !roots.contains(root) {
                roots.push(root.clone());
                let (visits, outcomes) = (self.interactions.visits(), self.interactions.outcomes());
                if let Err(error) = history::save(&repository, &visits, outcomes) {
                    tracing::warn!("the history was not written: {error:#}");
                }
            }
        }
    }
}
