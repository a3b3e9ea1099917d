//! Document synchronization: open documents, and overlays of unsaved buffers over their repositories.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use foreword_engine::index::Change;
use foreword_engine::source::Source;
use foreword_session::host::Repository;
use gen_lsp_types::{
    DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams,
};
use serde_json::Value;

use super::state::Server;
use crate::lsp::worker::{Job, Task};

/// Minimum size of a document that is prepared, in bytes; a smaller one is analysed within some milliseconds.
const MIN_PREPARED: usize = 16 << 10;

impl Server {
    pub(super) fn did_open(&mut self, params: Value) {
        let language = params.pointer("/textDocument/languageId").and_then(Value::as_str);
        let language = language.unwrap_or_default().to_owned();
        if let Ok(it) = serde_json::from_value::<DidOpenTextDocumentParams>(params) {
            let it = it.text_document;
            self.documents.open(&it.uri.0, &language, it.text, it.version);
            self.prepare(&it.uri.0);
        }
    }

    /// Has a document that was opened analysed. An editor that opens many, as after a restart, has only the last prepared.
    fn prepare(&mut self, uri: &str) {
        let document = self.documents.get(uri).filter(|it| it.text.len() >= MIN_PREPARED);
        let Some((path, text)) = document.and_then(|it| it.path.clone().zip(Some(it.text.clone())))
        else {
            return;
        };
        self.preparing.store(true, Ordering::Relaxed);
        self.preparing = Arc::default();
        let (cancelled, task) = (Arc::clone(&self.preparing), Task::Prepare(path, text));
        // A full queue has more urgent work.
        drop(self.jobs.try_send(Job { number: 0, cancelled, task }));
    }

    pub(super) fn did_change(&mut self, params: Value) {
        if let Ok(it) = serde_json::from_value::<DidChangeTextDocumentParams>(params) {
            let document = &it.text_document;
            let uri = &document.text_document_identifier.uri.0;
            let document = (uri.as_str(), document.version);
            self.documents.change(document, it.content_changes, self.encoding);
        }
    }

    pub(super) fn did_close(&mut self, params: Value) {
        let Ok(it) = serde_json::from_value::<DidCloseTextDocumentParams>(params) else { return };
        let Some(path) = self.documents.close(&it.text_document.uri.0) else { return };
        if let Some((repository, relative)) = self.workspaces.of_file(&path) {
            repository.apply(Change::Remove(relative));
        }
        self.workspaces.forget(&path);
    }

    pub(super) fn did_save(&mut self, params: &Value) {
        if let Some(path) = document_uri(params).and_then(foreword_session::uri::path_of) {
            self.workspaces.forget(&path);
        }
    }

    pub(super) fn did_focus(&mut self, params: &Value) {
        let uri = document_uri(params).filter(|it| self.documents.get(it).is_some());
        let path = uri.and_then(|it| self.documents.path(it));
        if let Some((repository, relative)) = path.and_then(|it| self.indexed(&it)) {
            repository.activity().touch(&relative);
        }
    }

    /// Overlays changed buffers on their repositories, except files that the index excludes.
    pub(super) fn apply_buffers(&mut self) {
        for it in self.documents.take_changed() {
            let Some((repository, relative)) = self.indexed(&it.path) else { continue };
            let opened = || Some(it.opened.to_string());
            repository.activity().edit(&relative, &it.text, opened);
            let source = Source { path: relative, text: it.text.to_string() };
            repository.apply(Change::Write(source));
        }
    }

    /// The repository of a file that its index has, and the path there.
    pub(super) fn indexed(&self, path: &Path) -> Option<(Arc<Repository>, String)> {
        let (repository, relative) = self.workspaces.of_file(path)?;
        let is_indexed = self.workspaces.is_indexed(path, &repository, &relative);
        is_indexed.then_some((repository, relative))
    }
}

fn document_uri(params: &Value) -> Option<&str> {
    params.pointer("/textDocument/uri")?.as_str()
}
