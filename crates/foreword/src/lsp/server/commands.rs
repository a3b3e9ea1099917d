//! Commands: accepted suggestions, the page with the prompt at a position, and likely next edits.

use std::sync::Arc;

use gen_lsp_types::Position;
use lsp_server::{ErrorCode, RequestId};
use serde_json::{Value, json};

use super::pending::Subject;
use super::state::Server;
use crate::lsp::pages::SHOW_COMMAND;
use crate::lsp::suggestion::ACCEPTED_COMMAND;
use crate::lsp::worker::{ContextPageTask, JUMP_COMMAND, NEXT_COMMAND, Task};

impl Server {
    pub(super) fn execute_command(&mut self, id: RequestId, params: &Value) {
        match params.get("command").and_then(Value::as_str) {
            Some(ACCEPTED_COMMAND) => {
                self.client.respond(id, &Value::Null);
                self.accepted(&params["arguments"]);
            }
            Some(SHOW_COMMAND) => self.show_context(id, &params["arguments"]),
            Some(NEXT_COMMAND) => self.next_edits(id, &params["arguments"]),
            Some(JUMP_COMMAND) => self.go_to_next_edit(id, &params["arguments"]),
            _ => self.client.fail(id, ErrorCode::InvalidParams, "unknown command"),
        }
    }

    /// A proposed edit (an argument says so) has no suggestion after it.
    pub(super) fn accepted(&mut self, arguments: &Value) {
        match arguments.get(0).is_some_and(Value::is_string) {
            true => self.displayed = None,
            false => self.accept(),
        }
    }

    fn show_context(&mut self, id: RequestId, arguments: &Value) {
        let uri = arguments[0].as_str().unwrap_or_default();
        let position = serde_json::from_value::<Position>(arguments[1].clone());
        let (Some(document), Ok(position)) = (self.documents.get(uri), position) else {
            let message =
                format!("{SHOW_COMMAND} takes the URI of an open document and a position");
            return self.client.fail(id, ErrorCode::InvalidParams, &message);
        };
        let text = Arc::clone(&document.text);
        let offset = self.encoding.offset(&text, position);
        let path = document.path.clone();
        self.apply_buffers();
        let task = ContextPageTask { path, text, offset };
        self.start(Some(id), Subject::ContextPage, Task::ContextPage(task));
    }

    /// Opens a page in the editor; the response contains its location.
    pub(super) fn open_page(&mut self, id: RequestId, page: Result<String, String>) {
        match page.and_then(|text| self.add_page(text)) {
            Ok(uri) => {
                if self.client.capabilities.show_document {
                    let params = json!({ "uri": uri, "takeFocus": true });
                    self.client.request("foreword-show", "window/showDocument", params);
                }
                self.client.respond(id, &json!({ "uri": uri }));
            }
            Err(message) => self.client.fail(id, ErrorCode::RequestFailed, &message),
        }
    }

    fn add_page(&mut self, text: String) -> Result<String, String> {
        if self.client.capabilities.text_document_content {
            return Ok(self.pages.add(text));
        }
        let path = self.pages.write(&text).map_err(|it| format!("{it:#}"))?;
        Ok(foreword_session::uri::of_path(&path))
    }

    /// `workspace/textDocumentContent`: returns a page.
    pub(super) fn page_content(&self, id: RequestId, params: &Value) {
        let uri = params.get("uri").and_then(Value::as_str).unwrap_or_default();
        match self.pages.get(uri) {
            Some(text) => self.client.respond(id, &json!({ "text": text })),
            None => self.client.fail(id, ErrorCode::InvalidParams, "unknown page"),
        }
    }
}
