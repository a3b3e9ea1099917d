//! `textDocument/completion`: one completion menu item, for editors without ghost text.
//!
//! The item replaces the word before the cursor. Text after the cursor stays, even in clients that could replace it
//! (`insertReplaceSupport`), because the suggestion continues at the cursor.

use std::sync::Arc;

use foreword_chunk::Language;
use gen_lsp_types::{CompletionParams, Range};
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
        let language = Language::of_path(&uri, "");
        let start = word_start(&text, offset, language);
        let position = |at| self.encoding.position(&text, at);
        let presentation = Presentation::MenuItem {
            range: Range { start: position(start), end: position(offset) },
            word: text[start..offset].to_owned(),
            lines: self.client.capabilities.menu_lines,
        };
        let reply = Reply { presentation, trigger: Trigger::Menu };
        self.suggest(id, BufferCursor { uri, text, offset }, reply);
    }
}

/// Start of the word that ends at `offset`, as editors define it: some replace their own word instead of the item's
/// range.
fn word_start(text: &str, offset: usize, language: Option<Language>) -> usize {
    let also = match language {
        Some(Language::Css) => '-',
        Some(Language::JavaScript | Language::TypeScript | Language::Tsx) => '$',
        _ => '_',
    };
    let is_word = |c: &char| c.is_alphanumeric() || *c == '_' || *c == also;
    let word = text[..offset].chars().rev().take_while(is_word);
    offset - word.map(char::len_utf8).sum::<usize>()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, path: &str, word: &str) {
        let start = word_start(text, text.len(), Language::of_path(path, ""));
        assert_eq!(&text[start..], word, "{text} in {path}");
    }

    #[test]
    fn a_word_is_what_editors_take_for_one() {
        check("def get_cookie_na", "a.py", "get_cookie_na");
        check("self.", "a.py", "");
        check("", "a.py", "");
        check("x = \u{fc}ber_\u{1f600}gr\u{fc}n", "a.py", "gr\u{fc}n");
        check("a { margin-to", "a.css", "margin-to");
        check("a-b", "a.py", "b");
        check("x.$el", "a.ts", "$el");
        check("$el", "a.php", "el");
    }
}
