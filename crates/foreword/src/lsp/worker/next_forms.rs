//! Likely next edits in the forms that editors ask for.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use foreword_session::answer::next::{LikelyPlace, changed_part, current};
use gen_lsp_types::{Position, Range};
use serde_json::{Value, json};

use super::next_edits::{NextEditsQuery, find};
use super::next_model;
use crate::lsp::documents::EditedDocument;
use crate::lsp::next_answer::NextEdits;
use crate::lsp::position::Encoding;
use crate::lsp::suggestion::ACCEPTED_COMMAND;
use crate::lsp::workspaces::Workspaces;

/// The command that lists places; its arguments are a URI and a position.
pub(in crate::lsp) const NEXT_COMMAND: &str = "foreword.nextEdits";

/// The command that shows the likeliest place; it has the same arguments.
pub(in crate::lsp) const JUMP_COMMAND: &str = "foreword.goToNextEdit";

/// Maximum characters of a line in a title.
const MAX_TITLE: usize = 60;

/// A request for likely next edits.
pub(in crate::lsp) struct NextEditsTask {
    pub(in crate::lsp) query: NextEditsQuery,
    pub(in crate::lsp) form: NextForm,
    pub(in crate::lsp) encoding: Encoding,
}

/// The form of an answer.
pub(in crate::lsp) enum NextForm {
    /// The places, likeliest first: each a location with a message, like a diagnostic's related information, and
    /// further data for programs.
    Places,
    /// The likeliest edit or place that is not at the cursor: a URI and a range, or null.
    Jump,
    /// Code actions at a range, after these.
    Actions(ActionQuery),
    /// `textDocument/copilotInlineEdit`: at most one edit of the document, at or below this line first.
    InlineEdit,
}

/// A request for code actions.
pub(in crate::lsp) struct ActionQuery {
    pub(in crate::lsp) range: Range,
    pub(in crate::lsp) position: Value,
    /// The kinds to give; all without.
    pub(in crate::lsp) only: Option<Vec<String>>,
    /// Actions that need no search.
    pub(in crate::lsp) others: Vec<Value>,
    /// Whether `documentChanges` are supported.
    pub(in crate::lsp) has_versions: bool,
    pub(in crate::lsp) has_jumps: bool,
}

/// A proposed edit in an editor's terms.
struct EditorEdit {
    uri: String,
    version: Option<i32>,
    range: Range,
    new_text: String,
    /// The new line.
    line: String,
    is_ascii: bool,
}

pub(super) fn answer(
    workspaces: &Workspaces,
    task: &NextEditsTask,
    cancelled: &AtomicBool,
) -> anyhow::Result<Value> {
    let found = find(workspaces, &task.query)?;
    let form = Form { found: &found, task };
    Ok(match &task.form {
        NextForm::Places => found.places.iter().map(|it| form.place(it)).collect(),
        NextForm::Jump => form.jump(),
        NextForm::Actions(query) => form.actions(query).into(),
        NextForm::InlineEdit => match form.inline_edit() {
            Some(edit) => json!({ "edits": [edit] }),
            None => form.by_model(workspaces, cancelled),
        },
    })
}

/// The changed part of the edit that is at the cursor, if there is one.
pub(super) fn at_cursor(
    workspaces: &Workspaces,
    task: &NextEditsTask,
    cursor: Position,
) -> Option<(Range, String)> {
    let found = find(workspaces, &task.query).ok()?;
    let form = Form { found: &found, task };
    let at = |it: Position| (it.line, it.character);
    let is_here =
        |it: &EditorEdit| at(it.range.start) <= at(cursor) && at(cursor) <= at(it.range.end);
    let places = found.places.iter().filter(|it| form.is_own(it));
    let edit = places.flat_map(|it| form.edits(it)).find(is_here)?;
    Some((edit.range, edit.new_text))
}

/// An answer in a form.
struct Form<'f> {
    found: &'f NextEdits,
    task: &'f NextEditsTask,
}

impl ActionQuery {
    /// Whether an action is of a kind to give.
    pub(in crate::lsp) fn is_meant(&self, action: &Value) -> bool {
        let kind = action["kind"].as_str().unwrap_or_default();
        let includes = |it: &String| {
            let rest = kind.strip_prefix(it.as_str());
            it.is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        self.only.as_ref().is_none_or(|it| it.iter().any(includes))
    }
}

impl NextForm {
    /// The answer where there is none; `None` for a command, which fails.
    pub(super) fn nothing(&self) -> Option<Value> {
        match self {
            Self::Places | Self::Jump => None,
            Self::Actions(query) => Some(query.others.clone().into()),
            Self::InlineEdit => Some(json!({ "edits": [] })),
        }
    }
}

impl Form<'_> {
    fn place(&self, it: &LikelyPlace) -> Value {
        let reasons: Vec<&str> = it.reasons.iter().map(|it| it.text.as_str()).collect();
        let edit = |it: &EditorEdit| json!({ "range": it.range, "newText": it.new_text, "version": it.version });
        json!({
            "location": self.location(it),
            "message": reasons.first().copied().unwrap_or_default(),
            "path": it.path,
            "symbol": it.symbol,
            "text": it.text,
            "confidence": it.confidence,
            "certain": it.certain,
            "reasons": reasons,
            "edits": self.edits(it).iter().map(edit).collect::<Vec<Value>>(),
        })
    }

    fn location(&self, it: &LikelyPlace) -> Value {
        let at = |line: u32| json!({ "line": line, "character": 0 });
        // Ends at the start of the next line.
        json!({ "uri": self.uri(it), "range": { "start": at(it.start_line - 1), "end": at(it.end_line) } })
    }

    /// As the editor writes it.
    fn uri(&self, it: &LikelyPlace) -> String {
        let path = self.found.repository.workspace().root.join(&it.path);
        match self.document(&path) {
            Some(it) => it.uri.clone(),
            None => foreword_session::uri::of_path(&path),
        }
    }

    /// The open document of a file.
    fn document(&self, path: &Path) -> Option<&EditedDocument> {
        let documents = self.task.query.session.iter();
        documents.filter(|it| it.version.is_some()).find(|it| self.is_file(it, path))
    }

    fn is_file(&self, document: &EditedDocument, path: &Path) -> bool {
        let workspace = self.found.repository.workspace();
        document.path == path
            || workspace.relative(&document.path).is_ok_and(|it| workspace.root.join(it) == path)
    }

    /// A place in the cursor's file.
    fn is_own(&self, it: &LikelyPlace) -> bool {
        let workspace = self.found.repository.workspace();
        workspace.relative(&self.task.query.path).is_ok_and(|own| own == it.path)
    }

    /// The edits of a place; none if the editor or the disk has another text than the one that they were made for.
    fn edits(&self, place: &LikelyPlace) -> Vec<EditorEdit> {
        let (snapshot, root) = (&self.found.snapshot, &self.found.repository.workspace().root);
        if place.edits.is_empty() {
            return Vec::new();
        }
        let document = self.document(&root.join(&place.path));
        let text = match document {
            Some(it) => Some(Arc::clone(&it.text)),
            None => current(root, snapshot, &place.path).ok().map(Arc::from),
        };
        let known = snapshot.file(&place.path).map(|it| snapshot.text(it));
        let Some(text) = text.filter(|it| known.is_some_and(|known| known == *it)) else {
            return Vec::new();
        };
        let edit = |it: &foreword_session::answer::next::LikelyEdit| {
            let (range, new_text) = changed_part(&text, &it.edit);
            let position = |at| self.task.encoding.position(&text, at);
            EditorEdit {
                uri: self.uri(place),
                version: document.and_then(|it| it.version),
                range: Range { start: position(range.start), end: position(range.end) },
                new_text,
                line: it.edit.text.trim().chars().take(MAX_TITLE).collect(),
                is_ascii: text[it.edit.range.clone()].is_ascii(),
            }
        };
        place.edits.iter().map(edit).collect()
    }

    /// The first edit that is on another line than the cursor, or a place without edits that the cursor is not in.
    fn jump(&self) -> Value {
        let line = self.task.query.line;
        for place in &self.found.places {
            let is_own = self.is_own(place);
            let edits = self.edits(place);
            let other = edits.iter().find(|it| !is_own || it.range.start.line + 1 != line);
            if let Some(it) = other {
                return json!({ "uri": it.uri, "range": it.range });
            }
            let is_here = is_own && place.start_line <= line && line <= place.end_line;
            if edits.is_empty() && !is_here {
                return self.location(place);
            }
        }
        Value::Null
    }

    fn actions(&self, query: &ActionQuery) -> Vec<Value> {
        let mut res = query.others.clone();
        let lines = query.range.start.line..=query.range.end.line;
        let mut all = Vec::new();
        for place in &self.found.places {
            for it in self.edits(place) {
                let first = it.range.start.line;
                if self.is_own(place) && lines.contains(&first) {
                    let edit = workspace_edit(query, &[&it]);
                    let title = format!("foreword: change to {}", it.line);
                    res.push(json!({ "title": title, "kind": "quickfix", "edit": edit }));
                }
                all.push(it);
            }
        }
        if !all.is_empty() {
            let edits: Vec<&EditorEdit> = all.iter().collect();
            let (n, edit) = (all.len(), workspace_edit(query, &edits));
            let edits = if n == 1 { "edit that follows" } else { "edits that follow" };
            let title = format!("foreword: make {n} {edits}");
            res.push(json!({ "title": title, "kind": "source", "edit": edit }));
        }
        if query.has_jumps && !self.jump().is_null() {
            let title = "foreword: go to the next edit";
            let own = self.task.query.session.iter().find(|it| it.path == self.task.query.path);
            let arguments = json!([own.map(|it| &it.uri), query.position]);
            let command =
                json!({ "title": title, "command": JUMP_COMMAND, "arguments": arguments });
            res.push(json!({ "title": title, "kind": "source", "command": command }));
        }
        res.retain(|it| query.is_meant(it));
        res
    }

    /// The edit of the next-edit model at the likeliest place of the document; why there is none.
    fn by_model(&self, workspaces: &Workspaces, cancelled: &AtomicBool) -> Value {
        let own = |it: &&LikelyPlace| self.is_own(it) && it.edits.is_empty();
        let place = self.found.places.iter().find(own);
        let (Some(model), Some(place)) = (workspaces.edit_model(), place) else {
            return json!({ "edits": [] });
        };
        match next_model::ask(model, self.found, place, cancelled) {
            Ok(None) => json!({ "edits": [] }),
            Ok(Some(place)) => {
                let edit = self.first_edit(&self.edits(&place));
                json!({ "edits": edit.into_iter().collect::<Vec<_>>() })
            }
            Err(problem) => json!({ "edits": [], "problem": problem }),
        }
    }

    /// The edit of the document that is next at or below the cursor, else the first one.
    fn inline_edit(&self) -> Option<Value> {
        let own = self.found.places.iter().filter(|it| self.is_own(it));
        let edits: Vec<EditorEdit> = own.flat_map(|it| self.edits(it)).collect();
        self.first_edit(&edits)
    }

    fn first_edit(&self, edits: &[EditorEdit]) -> Option<Value> {
        let cursor = self.task.query.line - 1;
        let key = |it: &&EditorEdit| {
            let (line, character) = (it.range.start.line, it.range.start.character);
            (line < cursor, line, character)
        };
        let edit = edits.iter().min_by_key(key)?;
        let id = format!("edit:{}", edit.range.start.line);
        // A client may count in other units than the server was told: whole lines are the same in all of them.
        let (range, text) = match edit.is_ascii {
            true => (edit.range, edit.new_text.clone()),
            false => self.whole_lines(edit)?,
        };
        Some(json!({
            "text": text,
            "range": range,
            "textDocument": { "uri": edit.uri, "version": edit.version },
            "command": { "title": "accepted", "command": ACCEPTED_COMMAND, "arguments": [id] },
        }))
    }

    /// The edit from the beginning of its first line to the beginning of the line behind it; `None` at the end of a
    /// file without a line break.
    fn whole_lines(&self, edit: &EditorEdit) -> Option<(Range, String)> {
        let document = self.task.query.session.iter().find(|it| it.uri == edit.uri)?;
        let (text, encoding) = (&document.text, self.task.encoding);
        let start = Position { line: edit.range.start.line, character: 0 };
        let end = Position { line: edit.range.end.line + 1, character: 0 };
        let span = encoding.span(text, Range { start, end });
        let part = encoding.span(text, edit.range);
        text[span.clone()].ends_with('\n').then(|| {
            let new = [&text[span.start..part.start], &edit.new_text, &text[part.end..span.end]];
            (Range { start, end }, new.concat())
        })
    }
}

/// Edits by file: with versions where the client knows these.
fn workspace_edit(query: &ActionQuery, edits: &[&EditorEdit]) -> Value {
    let mut files: Vec<(&str, Option<i32>, Vec<Value>)> = Vec::new();
    for it in edits {
        let edit = json!({ "range": it.range, "newText": it.new_text });
        match files.iter_mut().find(|known| known.0 == it.uri) {
            Some(known) => known.2.push(edit),
            None => files.push((&it.uri, it.version, vec![edit])),
        }
    }
    if !query.has_versions {
        let changes = files.into_iter().map(|(uri, _, edits)| (uri.to_owned(), edits.into()));
        return json!({ "changes": changes.collect::<serde_json::Map<String, Value>>() });
    }
    let change = |(uri, version, edits): (&str, Option<i32>, Vec<Value>)| json!({ "textDocument": { "uri": uri, "version": version }, "edits": edits });
    json!({ "documentChanges": files.into_iter().map(change).collect::<Vec<Value>>() })
}
