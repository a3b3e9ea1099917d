//! A suggestion for the editor and its later states.

use std::sync::Arc;

use foreword_session::answer::complete::Suggestion;
use gen_lsp_types::Range;
use serde_json::{Value, json};

/// The command that an editor runs after accepting a suggestion.
pub(super) const ACCEPTED_COMMAND: &str = "foreword.accepted";

/// Presentation of a suggestion.
#[derive(Clone)]
pub(super) enum Presentation {
    /// Ghost text that replaces `range`, which is empty or the menu's selected item; the text then starts with that
    /// item (`prefix`).
    GhostText { range: Range, prefix: String },
    /// A completion menu item, for editors without ghost text. It replaces `range`, the word before the cursor, and
    /// starts with that word: many clients insert at the start of the word, whatever the range.
    MenuItem { range: Range, word: String, lines: MenuLines },
}

/// Number of lines that a menu item may insert.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum MenuLines {
    /// Vim inserts line breaks in menu items as NUL characters.
    One,
    #[default]
    Many,
}

/// A cursor in an open document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BufferCursor {
    pub(super) uri: String,
    pub(super) text: Arc<str>,
    /// In bytes.
    pub(super) offset: usize,
}

impl BufferCursor {
    /// 1-based line of the cursor.
    pub(super) fn line(&self) -> u32 {
        self.text[..self.offset].matches('\n').count() as u32 + 1
    }

    /// The cursor's line up to the cursor, plus the first line of `insertion`.
    pub(super) fn line_with(&self, insertion: &str) -> String {
        let prefix = self.text[..self.offset].rsplit('\n').next().unwrap_or_default();
        format!("{prefix}{}", insertion.lines().next().unwrap_or_default()).trim().to_owned()
    }
}

/// A suggestion that the editor has or is expected to request.
pub(super) struct DisplayedSuggestion {
    pub(super) cursor: BufferCursor,
    pub(super) suggestion: Suggestion,
    pub(super) visibility: Visibility,
}

/// Whether the editor has the suggestion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Visibility {
    Displayed,
    Prefetched,
}

impl DisplayedSuggestion {
    /// The cursor's line with the suggestion.
    pub(super) fn line(&self) -> String {
        self.cursor.line_with(&self.suggestion.text)
    }

    /// The text after accepting, with the cursor after the suggestion.
    pub(super) fn accepted(&self) -> BufferCursor {
        let BufferCursor { uri, text, offset } = &self.cursor;
        let (before, behind) = text.split_at(*offset);
        let insertion = &self.suggestion.text;
        let text = format!("{before}{insertion}{behind}").into();
        BufferCursor { uri: uri.clone(), text, offset: offset + insertion.len() }
    }

    /// Whether the user typed something else.
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

    /// Remainder of the suggestion after the user typed its beginning.
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

/// Maximum characters of a menu item's label.
const MAX_LABEL: usize = 60;

/// The suggestion in the protocol's form; null if it cannot be presented.
pub(super) fn render(it: &Suggestion, presentation: &Presentation) -> Value {
    let accepted = json!({ "title": "accepted", "command": ACCEPTED_COMMAND, "arguments": [] });
    match presentation {
        Presentation::GhostText { range, prefix } => json!({ "items": [{
            "insertText": format!("{prefix}{}", it.text),
            "range": range,
            "command": accepted,
        }] }),
        Presentation::MenuItem { range, word, lines } => {
            let insertion = match lines {
                MenuLines::One => it.text.split(['\r', '\n']).next().unwrap_or_default(),
                MenuLines::Many => &it.text,
            };
            if insertion.trim().is_empty() {
                return Value::Null;
            }
            let text = format!("{word}{insertion}");
            let first = text.trim_start().lines().next().unwrap_or_default();
            // Kakoune's client inserts this text if it is the whole item.
            let line = text.lines().next().filter(|it| !it.trim().is_empty()).unwrap_or(first);
            json!({ "isIncomplete": true, "items": [{
                "label": first.chars().take(MAX_LABEL).collect::<String>(),
                "labelDetails": { "description": "foreword" },
                "kind": 1,
                "preselect": false,
                "sortText": "\u{7f}foreword",
                "filterText": line,
                "documentation": text,
                "textEdit": { "range": range, "newText": text },
                "command": accepted,
            }] })
        }
    }
}

#[cfg(test)]
mod tests {
    use foreword_session::answer::complete::ContextSource;
    use gen_lsp_types::Position;

    use super::*;

    const URI: &str = "file:///a";

    fn cursor(text: &str, offset: usize) -> BufferCursor {
        BufferCursor { uri: URI.to_owned(), text: text.into(), offset }
    }

    fn displayed(text: &str, offset: usize, insertion: &str) -> DisplayedSuggestion {
        let suggestion = Suggestion {
            text: insertion.into(),
            confidence: 1.0,
            sources: Vec::new(),
            context: ContextSource::Index,
        };
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

    #[track_caller]
    fn check_item(word: &str, text: &str, lines: MenuLines, label: &str, new_text: &str) {
        let it = displayed("", 0, text).suggestion;
        let at = |character| Position { line: 0, character };
        let range = Range { start: at(0), end: at(word.len() as u32) };
        let presentation = Presentation::MenuItem { range, word: word.to_owned(), lines };
        let item = render(&it, &presentation)["items"][0].clone();
        assert_eq!(
            (&item["label"], &item["textEdit"]["newText"]),
            (&label.into(), &new_text.into())
        );
        assert!(item["filterText"].as_str().unwrap().starts_with(word), "{item}");
    }

    #[test]
    fn a_menu_item_is_the_word_continued() {
        check_item("get_na", "me(self)", MenuLines::Many, "get_name(self)", "get_name(self)");
        check_item("return", " x", MenuLines::Many, "return x", "return x");
        check_item("", " x = 1", MenuLines::Many, "x = 1", " x = 1");
    }

    #[test]
    fn a_menu_item_has_one_line_where_the_editor_can_insert_no_more() {
        check_item("els", "e:\n    x", MenuLines::Many, "else:", "else:\n    x");
        check_item("els", "e:\r\n    x", MenuLines::One, "else:", "else:");
        let range = Range { start: Position::default(), end: Position::default() };
        let word = "else".to_owned();
        let presentation = Presentation::MenuItem { range, word, lines: MenuLines::One };
        assert_eq!(render(&displayed("", 0, "\n    x").suggestion, &presentation), Value::Null);
    }

    #[test]
    fn an_accepted_suggestion_is_part_of_the_text() {
        let it = displayed("x = \ny\n", 4, "f(1)\nz");
        assert_eq!(it.accepted(), cursor("x = f(1)\nz\ny\n", 10));
        assert_eq!(it.line(), "x = f(1)");
    }
}
