//! The editor's capabilities, and messages to it.

use lsp_server::{ErrorCode, Notification, Request, RequestId, Response};
use serde_json::Value;

use super::capabilities::EditorCapabilities;
use crate::lsp::transport::Outbox;

/// Sends messages to the editor.
#[derive(Clone)]
pub(super) struct Client {
    outgoing: Outbox,
    pub(super) capabilities: EditorCapabilities,
}

impl Client {
    pub(super) fn new(outgoing: Outbox, capabilities: EditorCapabilities) -> Self {
        Self { outgoing, capabilities }
    }

    pub(super) fn respond(&self, id: RequestId, result: &Value) {
        self.outgoing.send(&Response::new_ok(id, result).into());
    }

    pub(super) fn fail(&self, id: RequestId, code: ErrorCode, message: &str) {
        let is_expected = matches!(code, ErrorCode::RequestCanceled | ErrorCode::MethodNotFound);
        match is_expected {
            true => tracing::debug!(%id, ?code, "request failed"),
            false => tracing::warn!(%id, ?code, "request failed"),
        }
        self.outgoing.send(&Response::new_err(id, code as i32, message.to_owned()).into());
    }

    pub(super) fn notify(&self, method: &str, params: Value) {
        self.outgoing.send(&Notification::new(method.to_owned(), params).into());
    }

    /// Sends a request; `id` identifies its response.
    pub(super) fn request(&self, id: &str, method: &str, params: Value) {
        let request = Request::new(RequestId::from(id.to_owned()), method.to_owned(), params);
        self.outgoing.send(&request.into());
    }
}
