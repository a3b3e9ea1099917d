//! `textDocument/completion`: one item in the completion menu, for editors without ghost text.

use std::sync::Arc;

use gen_lsp_types::CompletionParams;
use lsp_server::RequestId;
use serde_json::Value;

use super::pending::Reply;
use super::state::Server;
use crate::lsp::suggestion::{BufferCursor, Presentation};
use crate::lsp::worker::Trigger;

impl Server {
    pub(super) fn menu_completion(&mut self, id: RequestId, it: &CompletionParams) {
        let at = &it.text_document_position_params;
        let uri = at.text_document.uri.0.clone();
        let Some(document) = self.documents.get(&uri) else {
            return self.client.respond(id, &Value::Null);
        };
        let text = Arc::clone(&document.text);
        let offset = self.encoding.offset(&text, at.position);
        let position = self.encoding.position(&text, offset);
        let word = text[word_start(&text, offset)..offset].to_owned();
        let presentation = Presentation::MenuItem { at: position, word };
        let reply = Reply { presentation, trigger: Trigger::Invoked };
        self.suggest(id, BufferCursor { uri, text, offset }, reply);
    }
}

/// Where the word begins that ends at `offset`.
fn word_start(text: &str, offset: usize) -> usize {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let start = text[..offset].rfind(|c| !is_word(c)).map_or(0, |it| it + 1);
    (start..=offset).find(|it| text.is_char_boundary(*it)).unwrap_or(offset)
}
