//! The editor's open documents with their current text.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use gen_lsp_types::TextDocumentContentChangeEvent as Change;

use super::position::Encoding;

/// An open document.
pub(super) struct Document {
    pub(super) text: Arc<str>,
    /// `None` for documents that are not files (a new buffer, a diff).
    pub(super) path: Option<PathBuf>,
    /// The text when opened.
    opened: Arc<str>,
}

/// A document whose text changed.
pub(super) struct ChangedDocument {
    pub(super) path: PathBuf,
    pub(super) text: Arc<str>,
    /// The text when it was opened.
    pub(super) opened: Arc<str>,
}

/// The open documents by URI.
#[derive(Default)]
pub(super) struct Documents {
    open: BTreeMap<String, Document>,
    /// URIs of documents whose text was not yet given to the repository, the latest last.
    changed: Vec<String>,
}

/// Maximum bytes of all open documents.
const MAX_BYTES: usize = 512 << 20;

impl Documents {
    pub(super) fn open(&mut self, uri: &str, text: String) {
        let path = foreword_session::uri::path_of(uri);
        let text: Arc<str> = text.into();
        if !self.has_room(uri, text.len()) {
            return;
        }
        let document = Document { opened: Arc::clone(&text), text, path };
        self.open.insert(uri.to_owned(), document);
        self.mark_changed(uri);
    }

    /// Applies changes in order. A whole text opens a document that is not open: kakoune-lsp sends `didOpen` only to
    /// servers running at the time, and changes to all.
    pub(super) fn change(&mut self, uri: &str, mut changes: Vec<Change>, encoding: Encoding) {
        if !self.open.contains_key(uri) {
            let whole = changes.iter().position(|it| whole_text(it).is_some());
            let Some(whole) = whole else { return };
            changes.drain(..whole);
            self.open(uri, whole_text(&changes[0]).unwrap_or_default().to_owned());
        }
        let Some(document) = self.open.get(uri) else { return };
        let mut text = document.text.to_string();
        for change in changes {
            match change {
                Change::TextDocumentContentChangePartial(it) => {
                    let span = encoding.span(&text, it.range);
                    text.replace_range(span, &it.text);
                }
                Change::TextDocumentContentChangeWholeDocument(it) => text = it.text,
            }
        }
        if !self.has_room(uri, text.len()) {
            return;
        }
        let Some(document) = self.open.get_mut(uri) else { return };
        document.text = text.into();
        self.mark_changed(uri);
    }

    /// Whether a document of this size fits beside the others; otherwise the document is closed.
    fn has_room(&mut self, uri: &str, bytes: usize) -> bool {
        let others = self.open.iter().filter(|it| it.0 != uri).map(|it| it.1.text.len());
        let total = others.sum::<usize>() + bytes;
        if total > MAX_BYTES {
            tracing::warn!(total, "a document is not kept: the open ones have too many bytes");
            self.close(uri);
        }
        total <= MAX_BYTES
    }

    /// Removes a document; returns its path, if any.
    pub(super) fn close(&mut self, uri: &str) -> Option<PathBuf> {
        self.changed.retain(|it| it != uri);
        self.open.remove(uri)?.path
    }

    pub(super) fn get(&self, uri: &str) -> Option<&Document> {
        self.open.get(uri)
    }

    /// Documents changed since the last call, the latest last.
    pub(super) fn take_changed(&mut self) -> Vec<ChangedDocument> {
        let mut res = Vec::new();
        for uri in std::mem::take(&mut self.changed) {
            let Some(it) = self.open.get(&uri) else { continue };
            let Some(path) = it.path.clone() else { continue };
            let (text, opened) = (Arc::clone(&it.text), Arc::clone(&it.opened));
            res.push(ChangedDocument { path, text, opened });
        }
        res
    }

    fn mark_changed(&mut self, uri: &str) {
        self.changed.retain(|it| it != uri);
        self.changed.push(uri.to_owned());
    }
}

/// The text of a change that replaces the whole document.
fn whole_text(change: &Change) -> Option<&str> {
    match change {
        Change::TextDocumentContentChangeWholeDocument(it) => Some(&it.text),
        Change::TextDocumentContentChangePartial(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[track_caller]
    fn check(text: &str, changes: &serde_json::Value, expect: &str) {
        let mut documents = Documents::default();
        documents.open("file:///a.py", text.to_owned());
        let changes = serde_json::from_value(changes.clone()).unwrap();
        documents.change("file:///a.py", changes, Encoding::Utf16);
        assert_eq!(&*documents.get("file:///a.py").unwrap().text, expect);
    }

    fn part(from: (u32, u32), to: (u32, u32), text: &str) -> serde_json::Value {
        let at = |it: (u32, u32)| json!({ "line": it.0, "character": it.1 });
        json!({ "range": { "start": at(from), "end": at(to) }, "rangeLength": 0, "text": text })
    }

    #[test]
    fn changes_apply_one_after_the_other() {
        check("ab\ncd\n", &json!([part((0, 2), (0, 2), "x"), part((0, 3), (1, 1), "")]), "abxd\n");
        check("ab", &json!([{ "text": "whole" }, part((0, 0), (0, 1), "W")]), "Whole");
    }

    #[test]
    fn astral_characters_and_line_ends_keep_their_places() {
        check("\u{1f600}a\r\nb\r\n", &json!([part((0, 3), (0, 3), "!")]), "\u{1f600}a!\r\nb\r\n");
        check("\u{1f600}a\r\nb\r\n", &json!([part((1, 0), (2, 0), "")]), "\u{1f600}a\r\n");
        check("a\r\nb", &json!([part((0, 9), (9, 9), "")]), "a");
    }

    #[test]
    fn changed_documents_are_taken_once_the_latest_last() {
        let mut documents = Documents::default();
        documents.open("file:///a.py", "one\ntwo\n".to_owned());
        documents.open("file:///b.py", String::new());
        let edit = json!([part((1, 0), (1, 3), "2\n\nthree")]);
        documents.change("file:///a.py", serde_json::from_value(edit).unwrap(), Encoding::Utf8);
        let changed = documents.take_changed();
        let paths: Vec<_> = changed.iter().map(|it| it.path.to_str().unwrap()).collect();
        assert_eq!(paths, ["/b.py", "/a.py"]);
        assert_eq!((&*changed[1].opened, &*changed[1].text), ("one\ntwo\n", "one\n2\n\nthree\n"));
        assert!(documents.take_changed().is_empty());
    }

    #[test]
    fn a_change_of_a_document_that_is_not_open_is_ignored_unless_it_has_the_whole_text() {
        let mut documents = Documents::default();
        let mut change = |changes: serde_json::Value| {
            let changes = serde_json::from_value(changes).unwrap();
            documents.change("file:///x", changes, Encoding::Utf8);
            documents.get("file:///x").map(|it| it.text.to_string())
        };
        assert_eq!(change(json!([])), None);
        assert_eq!(change(json!([part((0, 0), (0, 0), "x")])), None);
        let later = part((0, 1), (0, 2), "B");
        assert_eq!(change(json!([later, { "text": "abc" }, later])).as_deref(), Some("aBc"));
        assert!(documents.close("file:///x").is_some());
    }
}
