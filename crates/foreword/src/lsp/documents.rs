//! The editor's open documents with their current text.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use gen_lsp_types::TextDocumentContentChangeEvent as Change;

use super::notebook;
use super::position::Encoding;
use super::written::{WrittenRanges, difference};

/// An open document.
pub(super) struct Document {
    pub(super) text: Arc<str>,
    /// Language by the editor; empty if it did not say.
    language: String,
    /// `None` for documents that are not files (a new buffer, a diff).
    pub(super) path: Option<PathBuf>,
    /// The text when it was first opened.
    opened: Arc<str>,
    /// The editor's number of this text.
    pub(super) version: i32,
    written: WrittenRanges,
}

/// A document as it was when it was first opened, and where it was changed since.
#[derive(Clone)]
pub(super) struct EditedDocument {
    pub(super) uri: String,
    pub(super) path: PathBuf,
    /// `None` if it is too large to compare.
    pub(super) opened: Option<Arc<str>>,
    pub(super) text: Arc<str>,
    /// `None` if it was closed.
    pub(super) version: Option<i32>,
    pub(super) written: WrittenRanges,
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
    /// Changed documents that were closed, by URI, the latest last.
    closed: Vec<(String, EditedDocument)>,
    /// Number of changes so far: the time.
    pub(super) changes: u64,
}

/// Maximum bytes of all open documents.
const MAX_BYTES: usize = 512 << 20;

/// Maximum bytes of a document that is compared for changed lines.
const MAX_COMPARED: usize = 1 << 20;

/// Maximum documents that are remembered after they were closed.
const MAX_CLOSED: usize = 16;

/// Maximum bytes of the cells before the cursor's cell.
const MAX_CELLS: usize = 64 << 10;

impl Documents {
    pub(super) fn open(&mut self, uri: &str, language: &str, text: String, version: i32) {
        let path = notebook::path_of(uri, language);
        let text: Arc<str> = text.into();
        if !self.has_room(uri, text.len()) {
            return;
        }
        let mut written = WrittenRanges::default();
        let mut opened = Arc::clone(&text);
        // What was changed before it was closed is still an edit of this session.
        let earlier =
            self.closed.iter().position(|it| it.0 == uri).map(|it| self.closed.remove(it).1);
        if let Some(it) = earlier.filter(|it| it.text == text) {
            written = it.written;
            opened = it.opened.unwrap_or(opened);
        }
        let language = language.to_owned();
        let document = Document { text, language, path, opened, version, written };
        self.open.insert(uri.to_owned(), document);
        self.mark_changed(uri);
    }

    /// Applies changes in order. A whole text opens a document that is not open: kakoune-lsp sends `didOpen` only to
    /// servers running at the time, and changes to all.
    pub(super) fn change(
        &mut self,
        (uri, version): (&str, i32),
        mut changes: Vec<Change>,
        encoding: Encoding,
    ) {
        if !self.open.contains_key(uri) {
            let whole = changes.iter().position(|it| whole_text(it).is_some());
            let Some(whole) = whole else { return };
            changes.drain(..whole);
            let text = whole_text(&changes[0]).unwrap_or_default().to_owned();
            self.open(uri, "", text, version);
        }
        let Some(document) = self.open.get(uri) else { return };
        let mut text = document.text.to_string();
        let mut written = document.written.clone();
        for change in changes {
            let (replaced, length, new) = match change {
                Change::TextDocumentContentChangePartial(it) => {
                    let span = encoding.span(&text, it.range);
                    let length = it.text.len();
                    text.replace_range(span.clone(), &it.text);
                    (span, length, None)
                }
                Change::TextDocumentContentChangeWholeDocument(it) => {
                    let (replaced, length) = difference(&text, &it.text);
                    (replaced, length, Some(it.text))
                }
            };
            text = new.unwrap_or(text);
            if !(replaced.is_empty() && length == 0) {
                self.changes += 1;
                written.add(&replaced, length, self.changes);
            }
        }
        if !self.has_room(uri, text.len()) {
            return;
        }
        let Some(document) = self.open.get_mut(uri) else { return };
        document.text = text.into();
        document.version = version;
        document.written = written;
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
        let document = self.open.remove(uri)?;
        let path = document.path.clone();
        if let Some(it) = document.state(uri, None) {
            self.closed.push((uri.to_owned(), it));
            if self.closed.len() > MAX_CLOSED {
                self.closed.remove(0);
            }
        }
        path
    }

    pub(super) fn get(&self, uri: &str) -> Option<&Document> {
        self.open.get(uri)
    }

    /// The path of a document, open or not.
    pub(super) fn path(&self, uri: &str) -> Option<PathBuf> {
        match self.open.get(uri) {
            Some(document) => document.path.clone(),
            None => foreword_session::uri::path_of(uri),
        }
    }

    /// The text of the cells in the same language before this one of a notebook; empty for other documents.
    pub(super) fn cells_before(&self, uri: &str) -> String {
        let (Some((notebook, number)), Some(own)) = (notebook::cell(uri), self.open.get(uri))
        else {
            return String::new();
        };
        let others = self.open.iter().filter(|it| it.1.language == own.language);
        let others = others.filter_map(|(uri, it)| Some((notebook::cell(uri)?, it)));
        let mut before: Vec<(u32, &str)> = others
            .filter(|((other, at), _)| *other == notebook && *at < number)
            .map(|((_, at), it)| (at, &*it.text))
            .collect();
        before.sort_unstable();
        let mut bytes = 0;
        let fitting = before.iter().rev().take_while(|it| {
            bytes += it.1.len();
            bytes <= MAX_CELLS
        });
        let from = before.len() - fitting.count();
        before[from..].iter().map(|it| format!("{}\n\n", it.1.trim_end())).collect()
    }
}

impl Document {
    /// The document if it is a file, and is open or was changed.
    fn state(&self, uri: &str, version: Option<i32>) -> Option<EditedDocument> {
        let is_meant = version.is_some() || !self.written.ranges().is_empty();
        Some(EditedDocument {
            uri: uri.to_owned(),
            path: self.path.clone().filter(|_| is_meant)?,
            opened: (self.opened.len() <= MAX_COMPARED).then(|| Arc::clone(&self.opened)),
            text: Arc::clone(&self.text),
            version,
            written: self.written.clone(),
        })
    }
}

impl Documents {
    /// The open documents, and changed ones that were closed.
    pub(super) fn session(&self) -> Vec<EditedDocument> {
        let open = self.open.iter().filter_map(|(uri, it)| it.state(uri, Some(it.version)));
        open.chain(self.closed.iter().map(|it| it.1.clone())).collect()
    }

    /// Whether the latest change of all documents was on the line of a byte of this one.
    pub(super) fn is_written_at(&self, uri: &str, offset: usize) -> bool {
        let Some(document) = self.open.get(uri) else { return false };
        let Some((range, time)) = document.written.ranges().last() else { return false };
        let text = &document.text;
        // The cursor may be in a text of the editor's, with the selected item of its menu.
        let (Some(before), Some(after)) = (text.get(..offset), text.get(offset..)) else {
            return false;
        };
        let start = before.rfind('\n').map_or(0, |it| it + 1);
        let end = after.find('\n').map_or(text.len(), |it| offset + it);
        *time == self.changes && range.start <= end && start <= range.end
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
        documents.open("file:///a.py", "python", text.to_owned(), 0);
        let changes = serde_json::from_value(changes.clone()).unwrap();
        documents.change(("file:///a.py", 0), changes, Encoding::Utf16);
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
        documents.open("file:///a.py", "", "one\ntwo\n".to_owned(), 0);
        documents.open("file:///b.py", "", String::new(), 0);
        let edit = json!([part((1, 0), (1, 3), "2\n\nthree")]);
        let edit = serde_json::from_value(edit).unwrap();
        documents.change(("file:///a.py", 1), edit, Encoding::Utf8);
        let changed = documents.take_changed();
        let paths: Vec<_> = changed.iter().map(|it| it.path.to_str().unwrap()).collect();
        assert_eq!(paths, ["/b.py", "/a.py"]);
        assert_eq!((&*changed[1].opened, &*changed[1].text), ("one\ntwo\n", "one\n2\n\nthree\n"));
        assert!(documents.take_changed().is_empty());
    }

    #[test]
    fn a_cell_begins_with_the_cells_before_it_in_their_order() {
        let mut documents = Documents::default();
        let cell = |at: u32| format!("vscode-notebook-cell:/a/b.ipynb#W{at}sZmlsZQ%3D%3D");
        for (at, language) in [(10, "python"), (2, "python"), (3, "markdown"), (1, "python")] {
            documents.open(&cell(at), language, format!("x = {at}\n"), 0);
        }
        let other = "vscode-notebook-cell:/a/c.ipynb#W0sZmlsZQ%3D%3D";
        documents.open(other, "python", "y = 0\n".to_owned(), 0);
        assert_eq!(documents.cells_before(&cell(10)), "x = 1\n\nx = 2\n\n");
        assert_eq!(documents.cells_before(&cell(1)), "");
        documents.open(&cell(2), "python", "x".repeat(MAX_CELLS), 0);
        assert_eq!(documents.cells_before(&cell(10)).len(), MAX_CELLS + 2);
        assert_eq!(documents.cells_before("file:///a/b.py"), "");
    }

    #[test]
    fn a_change_of_a_document_that_is_not_open_is_ignored_unless_it_has_the_whole_text() {
        let mut documents = Documents::default();
        let mut change = |changes: serde_json::Value| {
            let changes = serde_json::from_value(changes).unwrap();
            documents.change(("file:///x", 0), changes, Encoding::Utf8);
            documents.get("file:///x").map(|it| it.text.to_string())
        };
        assert_eq!(change(json!([])), None);
        assert_eq!(change(json!([part((0, 0), (0, 0), "x")])), None);
        let later = part((0, 1), (0, 2), "B");
        assert_eq!(change(json!([later, { "text": "abc" }, later])).as_deref(), Some("aBc"));
        assert!(documents.close("file:///x").is_some());
    }
}
