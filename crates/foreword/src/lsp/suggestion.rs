//! A suggestion on its way to the editor, and what becomes of it there.

use std::sync::Arc;

use gen_lsp_types::{Position, Range};
use serde_json::{Value, json};

use crate::answer::complete::Suggestion;

/// The command that an editor runs when a suggestion was accepted.
pub(super) const ACCEPTED_COMMAND: &str = "foreword.accepted";

/// How a suggestion is presented.
#[derive(Clone)]
pub(super) enum Presentation {
    /// Ghost text that replaces `range`: an empty one, or that of the menu's selected item, whose text it must begin
    /// with (`prefix`).
    GhostText { range: Range, prefix: String },
    /// An item of the completion menu, for editors without ghost text.
    MenuItem { at: Position, word: String },
}

/// A cursor in the text of an open document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BufferCursor {
    pub(super) uri: String,
    pub(super) text: Arc<str>,
    /// In bytes.
    pub(super) offset: usize,
}

impl BufferCursor {
    /// The cursor's line; counts from 1.
    pub(super) fn line(&self) -> u32 {
        self.text[..self.offset].matches('\n').count() as u32 + 1
    }

    /// The cursor's line up to the cursor, continued by the first line of `insertion`.
    pub(super) fn line_with(&self, insertion: &str) -> String {
        let prefix = self.text[..self.offset].rsplit('\n').next().unwrap_or_default();
        format!("{prefix}{}", insertion.lines().next().unwrap_or_default()).trim().to_owned()
    }
}

/// A suggestion that the editor has, or is expected to request.
pub(super) struct DisplayedSuggestion {
    pub(super) cursor: BufferCursor,
    pub(super) suggestion: Suggestion,
    pub(super) visibility: Visibility,
}

/// Whether the editor has a suggestion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Visibility {
    Displayed,
    Prefetched,
}

impl DisplayedSuggestion {
    /// The line that the suggestion makes of the cursor's line.
    pub(super) fn line(&self) -> String {
        self.cursor.line_with(&self.suggestion.text)
    }

    /// The text with the suggestion inserted and the cursor behind it.
    pub(super) fn accepted(&self) -> BufferCursor {
        let BufferCursor { uri, text, offset } = &self.cursor;
        let (before, behind) = text.split_at(*offset);
        let insertion = &self.suggestion.text;
        let text = format!("{before}{insertion}{behind}").into();
        BufferCursor { uri: uri.clone(), text, offset: offset + insertion.len() }
    }

    /// Whether something else was typed where it was displayed.
    pub(super) fn is_dismissed_by(&self, now: &BufferCursor) -> bool {
        let BufferCursor { uri, text, offset } = &self.cursor;
        let typed = now.text.get(*offset..now.offset).unwrap_or_default();
        let at_the_same_place = now.uri == *uri
            && now.offset > *offset
            && now.text.get(..*offset) == Some(&text[..*offset]);
        self.visibility == Visibility::Displayed
            && at_the_same_place
            && !self.suggestion.text.starts_with(typed)
    }

    /// What is left of the suggestion when the user has typed its beginning.
    pub(super) fn rest(&self, now: &BufferCursor) -> Option<Suggestion> {
        let BufferCursor { uri, text, offset } = &self.cursor;
        let typed = now.offset.checked_sub(*offset).filter(|_| now.uri == *uri)?;
        let suggestion = &self.suggestion;
        let beginning = suggestion.text.get(..typed)?;
        let is_same = now.text.len() == text.len() + typed
            && now.text.get(..*offset)? == &text[..*offset]
            && now.text.get(*offset..now.offset)? == beginning
            && now.text.get(now.offset..)? == &text[*offset..];
        let rest = suggestion.text[typed..].to_owned();
        (is_same && !rest.trim().is_empty())
            .then(|| Suggestion { text: rest, ..suggestion.clone() })
    }
}

/// A suggestion as the protocol has it.
pub(super) fn render(it: &Suggestion, presentation: &Presentation) -> Value {
    let accepted = json!({ "title": "accepted", "command": ACCEPTED_COMMAND, "arguments": [] });
    match presentation {
        Presentation::GhostText { range, prefix } => json!({ "items": [{
            "insertText": format!("{prefix}{}", it.text),
            "range": range,
            "command": accepted,
        }] }),
        Presentation::MenuItem { at, word } => {
            let label: String =
                it.text.trim().lines().next().unwrap_or_default().chars().take(60).collect();
            json!({ "isIncomplete": true, "items": [{
                "label": format!("{word}{label}"),
                "labelDetails": { "description": "foreword" },
                "kind": 1,
                "preselect": false,
                "sortText": "\u{7f}foreword",
                "filterText": word,
                "documentation": it.text,
                "textEdit": { "range": { "start": at, "end": at }, "newText": it.text },
                "command": accepted,
            }] })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const URI: &str = "file:///a";

    fn cursor(text: &str, offset: usize) -> BufferCursor {
        BufferCursor { uri: URI.to_owned(), text: text.into(), offset }
    }

    fn displayed(text: &str, offset: usize, insertion: &str) -> DisplayedSuggestion {
        let suggestion =
            Suggestion { text: insertion.into(), confidence: 1.0, sources: Vec::new() };
        let visibility = Visibility::Displayed;
        DisplayedSuggestion { cursor: cursor(text, offset), suggestion, visibility }
    }

    #[test]
    fn typing_its_beginning_shortens_it_and_anything_else_dismisses_it() {
        let it = displayed("x = \ny\n", 4, "f(1)");
        let rest = |text: &str, offset| it.rest(&cursor(text, offset)).map(|it| it.text);
        assert_eq!(rest("x = \ny\n", 4).as_deref(), Some("f(1)"));
        assert_eq!(rest("x = f(\ny\n", 6).as_deref(), Some("1)"));
        assert_eq!(rest("x = f(1)\ny\n", 8), None);
        assert_eq!(rest("x = g\ny\n", 5), None);
        let is_dismissed = |text: &str, offset| it.is_dismissed_by(&cursor(text, offset));
        assert!(is_dismissed("x = g\ny\n", 5));
        assert!(!is_dismissed("x = f\ny\n", 5) && !is_dismissed("x =\ny\n", 3));
        let elsewhere = BufferCursor { uri: "file:///b".to_owned(), ..cursor("x = g\ny\n", 5) };
        assert!(!it.is_dismissed_by(&elsewhere));
    }

    #[test]
    fn an_accepted_suggestion_is_part_of_the_text() {
        let it = displayed("x = \ny\n", 4, "f(1)\nz");
        assert_eq!(it.accepted(), cursor("x = f(1)\nz\ny\n", 10));
        assert_eq!(it.line(), "x = f(1)");
    }
}
