//! `textDocument/inlineCompletion`: ghost text at the cursor, or after the selected item of the completion menu.

use std::sync::Arc;

use gen_lsp_types::{InlineCompletionParams, Range};
use lsp_server::RequestId;
use serde_json::Value;

use super::pending::Reply;
use super::state::Server;
use crate::lsp::suggestion::{BufferCursor, Presentation};
use crate::lsp::worker::Trigger;

impl Server {
    pub(super) fn inline_completion(&mut self, id: RequestId, it: InlineCompletionParams) {
        let at = it.text_document_position_params;
        let uri = at.text_document.uri.0;
        let Some(document) = self.documents.get(&uri) else {
            return self.client.respond(id, &Value::Null);
        };
        let text = Arc::clone(&document.text);
        let offset = self.encoding.offset(&text, at.position);
        let is_invoked = serde_json::to_value(it.context.trigger_kind).is_ok_and(|it| it == 1);
        let trigger = if is_invoked { Trigger::Invoked } else { Trigger::Automatic };
        let Some(selected) = it.context.selected_completion_info else {
            let position = self.encoding.position(&text, offset);
            let range = Range { start: position, end: position };
            let presentation = Presentation::GhostText { range, prefix: String::new() };
            let cursor = BufferCursor { uri, text, offset };
            return self.suggest(id, cursor, Reply { presentation, trigger });
        };
        // The menu's selected item counts as typed; the suggestion continues it.
        let span = self.encoding.span(&text, selected.range);
        let typed = format!("{}{}{}", &text[..span.start], selected.text, &text[span.end..]);
        let offset = span.start + selected.text.len();
        let presentation = Presentation::GhostText { range: selected.range, prefix: selected.text };
        let cursor = BufferCursor { uri, text: typed.into(), offset };
        self.suggest(id, cursor, Reply { presentation, trigger });
    }
}
