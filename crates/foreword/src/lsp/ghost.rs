//! A suggestion on its way to the editor, and what becomes of it there.

use std::sync::Arc;

use gen_lsp_types::{Position, Range};
use serde_json::{Value, json};

use crate::answer::complete::Suggestion;

/// What an editor calls when a suggestion was taken.
pub(super) const ACCEPTED: &str = "foreword.accepted";

/// How a suggestion is told.
#[derive(Clone)]
pub(super) enum Shape {
    /// Ghost text, in a range of its own or in that of the menu's selected item, which it must begin with.
    Ghost { range: Range, begin: String },
    /// An item of the menu, for editors without ghost text.
    Item { at: Position, word: String },
}

/// A suggestion that the editor got, or will ask for.
pub(super) struct Shown {
    pub(super) uri: String,
    pub(super) text: Arc<str>,
    pub(super) offset: usize,
    pub(super) suggestion: Suggestion,
    /// Whether the editor has it, or may soon ask for it.
    pub(super) is_told: bool,
}

impl Shown {
    /// The line that the suggestion makes of the cursor's line.
    pub(super) fn line(&self) -> String {
        line_of(&self.text[..self.offset], &self.suggestion.text)
    }

    /// The text with the suggestion in it, and the place behind it.
    pub(super) fn accepted(&self) -> (String, usize) {
        let (before, behind) = self.text.split_at(self.offset);
        let said = &self.suggestion.text;
        (format!("{before}{said}{behind}"), self.offset + said.len())
    }

    /// Whether something else was typed where it was shown.
    pub(super) fn is_refused_by(&self, uri: &str, text: &str, offset: usize) -> bool {
        let typed = text.get(self.offset..offset).unwrap_or_default();
        let at_the_same_place = uri == self.uri
            && offset > self.offset
            && text.get(..self.offset) == Some(&self.text[..self.offset]);
        self.is_told && at_the_same_place && !self.suggestion.text.starts_with(typed)
    }

    /// What is left of the suggestion when the user has typed into it.
    pub(super) fn rest(&self, uri: &str, text: &str, offset: usize) -> Option<Suggestion> {
        let typed = offset.checked_sub(self.offset).filter(|_| uri == self.uri)?;
        let suggestion = &self.suggestion;
        let begin = suggestion.text.get(..typed)?;
        let same = text.len() == self.text.len() + typed
            && text.get(..self.offset)? == &self.text[..self.offset]
            && text.get(self.offset..offset)? == begin
            && text.get(offset..)? == &self.text[self.offset..];
        let rest = suggestion.text[typed..].to_owned();
        (same && !rest.trim().is_empty()).then(|| Suggestion { text: rest, ..suggestion.clone() })
    }
}

/// A suggestion as the editor wants it.
pub(super) fn told(it: &Suggestion, shape: &Shape) -> Value {
    let accepted = json!({ "title": "accepted", "command": ACCEPTED, "arguments": [] });
    match shape {
        Shape::Ghost { range, begin } => json!({ "items": [{
            "insertText": format!("{begin}{}", it.text),
            "range": range,
            "command": accepted,
        }] }),
        Shape::Item { at, word } => {
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

/// The line that ends in `before` with the first line of what is written behind it.
pub(super) fn line_of(before: &str, said: &str) -> String {
    let begun = before.rsplit('\n').next().unwrap_or_default();
    format!("{begun}{}", said.lines().next().unwrap_or_default()).trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, offset: usize, said: &str) -> Shown {
        let (uri, text) = ("file:///a".to_owned(), text.into());
        let suggestion = Suggestion { text: said.into(), confidence: 1.0, sources: Vec::new() };
        Shown { uri, text, offset, suggestion, is_told: true }
    }

    #[test]
    fn typing_into_it_shortens_it_and_anything_else_refuses_it() {
        let it = shown("x = \ny\n", 4, "f(1)");
        let rest = |text: &str, offset| it.rest("file:///a", text, offset).map(|it| it.text);
        assert_eq!(rest("x = \ny\n", 4).as_deref(), Some("f(1)"));
        assert_eq!(rest("x = f(\ny\n", 6).as_deref(), Some("1)"));
        assert_eq!(rest("x = f(1)\ny\n", 8), None);
        assert_eq!(rest("x = g\ny\n", 5), None);
        let is_refused = |text: &str, offset| it.is_refused_by("file:///a", text, offset);
        assert!(is_refused("x = g\ny\n", 5));
        assert!(!is_refused("x = f\ny\n", 5) && !is_refused("x =\ny\n", 3));
        assert!(!it.is_refused_by("file:///b", "x = g\ny\n", 5));
    }

    #[test]
    fn what_is_taken_stands_in_the_text() {
        let it = shown("x = \ny\n", 4, "f(1)\nz");
        assert_eq!(it.accepted(), ("x = f(1)\nz\ny\n".to_owned(), 10));
        assert_eq!(it.line(), "x = f(1)");
    }
}
