//! Likely next edits: commands, code actions, inline edits as Copilot's clients ask for them, and a proposed edit at the
//! cursor as ghost text.

use std::path::PathBuf;

use gen_lsp_types::{Position, Range};
use lsp_server::{ErrorCode, RequestId};
use serde_json::{Value, json};

use super::pending::Subject;
use super::state::Server;
use crate::lsp::pages::SHOW_COMMAND;
use crate::lsp::suggestion::{ACCEPTED_COMMAND, BufferCursor, Presentation};
use crate::lsp::worker::{
    ActionQuery, JUMP_COMMAND, NEXT_COMMAND, NextEditsQuery, NextEditsTask, NextForm, Task,
    WithoutEdits,
};

/// Id of the request that shows a place.
const SHOW_ID: &str = "foreword-next";

impl Server {
    /// Likely next edits after those since the last commit and in unsaved buffers.
    pub(super) fn next_edits(&mut self, id: RequestId, arguments: &Value) {
        match self.cursor_of(arguments) {
            Some(cursor) => {
                // An editor that asks after each change wants nothing before the first one.
                let without_edits = match arguments[2]["onlyAfterEdits"] == true {
                    true => WithoutEdits::Nothing,
                    false => WithoutEdits::Cursor,
                };
                self.find(id, Subject::NextEdits, (cursor, without_edits), NextForm::Places);
            }
            None => self.refuse(id, NEXT_COMMAND),
        }
    }

    pub(super) fn go_to_next_edit(&mut self, id: RequestId, arguments: &Value) {
        match self.cursor_of(arguments) {
            Some(cursor) => {
                self.find(id, Subject::Jump, (cursor, WithoutEdits::Cursor), NextForm::Jump);
            }
            None => self.refuse(id, JUMP_COMMAND),
        }
    }

    fn refuse(&self, id: RequestId, command: &str) {
        let message = format!("{command} takes the URI of an open file and a position");
        self.client.fail(id, ErrorCode::InvalidParams, &message);
    }

    /// Shows a place in the editor, if it can; the response contains it.
    pub(super) fn show_place(&self, id: RequestId, place: &Value) {
        if self.client.capabilities.show_document && !place.is_null() {
            let params =
                json!({ "uri": place["uri"], "takeFocus": true, "selection": place["range"] });
            self.client.request(SHOW_ID, "window/showDocument", params);
        }
        self.client.respond(id, place);
    }

    /// `textDocument/copilotInlineEdit`: one edit of the document, or none.
    pub(super) fn inline_edit(&mut self, id: RequestId, params: &Value) {
        let (document, position) = (&params["textDocument"], &params["position"]);
        let cursor = self.cursor_of(&json!([document["uri"], position]));
        let uri = document["uri"].as_str().unwrap_or_default();
        let is_current = |it: &i32| document.get("version").is_none_or(|asked| *asked == *it);
        let known = self.documents.get(uri).map(|it| it.version).filter(is_current);
        match cursor.filter(|_| known.is_some() && self.configuration.settings.enabled) {
            Some(cursor) => {
                let cursor = (cursor, WithoutEdits::Nothing);
                self.find(id, Subject::NextEdits, cursor, NextForm::InlineEdit);
            }
            None => self.client.respond(id, &json!({ "edits": [] })),
        }
    }

    /// The code actions at a range: show the prompt there, make the edits that follow, go to the next one.
    pub(super) fn code_actions(&mut self, id: RequestId, params: &Value) {
        let uri = &params["textDocument"]["uri"];
        let range = serde_json::from_value::<Range>(params["range"].clone());
        let (true, Ok(range)) = (uri.is_string(), range) else {
            return self.client.respond(id, &json!([]));
        };
        let position = params["range"]["start"].clone();
        let title = "foreword: show context here";
        let command =
            json!({ "title": title, "command": SHOW_COMMAND, "arguments": [uri, position] });
        let action = json!({ "title": title, "kind": "source", "command": command });
        let only = params.pointer("/context/only").cloned();
        let mut query = ActionQuery {
            range,
            position,
            only: only.and_then(|it| serde_json::from_value(it).ok()),
            others: Vec::new(),
            has_versions: self.client.capabilities.document_changes,
            has_jumps: self.client.capabilities.show_document,
        };
        query.others.extend(Some(action).filter(|it| query.is_meant(it)));
        match self.cursor_of(&json!([uri, query.position])) {
            Some(cursor) if self.configuration.settings.enabled => {
                let cursor = (cursor, WithoutEdits::Nothing);
                self.find(id, Subject::NextEdits, cursor, NextForm::Actions(query));
            }
            _ => self.client.respond(id, &query.others.into()),
        }
    }

    /// The file and the 1-based line of a URI of an open file and a position.
    fn cursor_of(&self, arguments: &Value) -> Option<(PathBuf, u32)> {
        let path = self.documents.get(arguments[0].as_str()?)?.path.clone()?;
        let position = serde_json::from_value::<Position>(arguments[1].clone()).ok()?;
        Some((path, position.line.saturating_add(1)))
    }

    fn find(
        &mut self,
        id: RequestId,
        subject: Subject,
        (cursor, without_edits): ((PathBuf, u32), WithoutEdits),
        form: NextForm,
    ) {
        self.apply_buffers();
        let query = self.query(cursor, without_edits);
        let task = NextEditsTask { query, form, encoding: self.encoding };
        self.start(Some(id), subject, Task::NextEdits(task));
    }

    fn query(&self, (path, line): (PathBuf, u32), without_edits: WithoutEdits) -> NextEditsQuery {
        let (session, changes) = (self.documents.session(), self.documents.changes);
        NextEditsQuery { path, line, session, changes, without_edits }
    }

    /// Where ghost text may be a proposed edit: not on the line that is being written.
    pub(super) fn edit_search(
        &self,
        cursor: &BufferCursor,
        presentation: &Presentation,
    ) -> Option<(NextEditsTask, Position)> {
        let is_ghost_text =
            matches!(presentation, Presentation::GhostText { prefix, .. } if prefix.is_empty());
        let is_quiet =
            self.documents.changes == 0 || self.documents.is_written_at(&cursor.uri, cursor.offset);
        let path = self.documents.get(&cursor.uri)?.path.clone()?;
        let position = self.encoding.position(&cursor.text, cursor.offset);
        (is_ghost_text && !is_quiet).then(|| {
            let query = self.query((path, cursor.line()), WithoutEdits::Nothing);
            let form = NextForm::InlineEdit;
            (NextEditsTask { query, form, encoding: self.encoding }, position)
        })
    }

    /// Answers with a proposed edit at the cursor.
    pub(super) fn finish_edit_at_cursor(&mut self, id: RequestId, range: Range, text: &str) {
        self.displayed = None;
        let command =
            json!({ "title": "accepted", "command": ACCEPTED_COMMAND, "arguments": ["edit"] });
        let item = json!({ "insertText": text, "range": range, "command": command });
        self.client.respond(id, &json!({ "items": [item] }));
    }
}
