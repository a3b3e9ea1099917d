//! Configuration changes.

use serde_json::{Value, json};

use super::state::Server;
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
    }
}
