//! A position in a file that is being edited. Secrets in its text are masked, so that no prompt contains them; offsets
//! are unchanged. Whether a file may be used at all is for the caller to decide.

use std::ops::Range;

use crate::secret::masked;

/// A position in a file that is being edited, with editing context.
///
/// ```
/// use foreword_engine::scope::Cursor;
///
/// let cursor = Cursor::new("src/app.py", "def main():\n    \n", 16)?;
/// assert_eq!((cursor.prefix(), cursor.suffix()), ("def main():\n    ", "\n"));
/// assert!(Cursor::new("src/app.py", "é", 1).is_err());
/// # Ok::<(), foreword_engine::scope::CursorError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Cursor {
    path: String,
    text: String,
    hole: Range<usize>,
    recent: Vec<String>,
    intent: String,
}

/// Error: the offset is not in the text, or inside a character.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("byte {offset} of {path} is not a valid cursor position: {why}")]
#[non_exhaustive]
pub struct CursorError {
    /// The file.
    pub path: String,
    /// The offset, in bytes.
    pub offset: usize,
    /// Why it is invalid.
    pub why: &'static str,
}

impl Cursor {
    /// A cursor at byte `offset` of the text that the editor has for the file at `path`, relative to the root.
    pub fn new(
        path: impl Into<String>,
        text: impl Into<String>,
        offset: usize,
    ) -> Result<Self, CursorError> {
        Self::replacing(path, text, offset..offset)
    }

    /// A cursor with a selection to be replaced: the hole is `range`, in bytes.
    pub fn replacing(
        path: impl Into<String>,
        text: impl Into<String>,
        range: Range<usize>,
    ) -> Result<Self, CursorError> {
        Self::at(path.into(), masked(text.into()), range)
    }

    /// A cursor in a file that the user declares free of secrets: nothing is masked.
    pub fn unmasked(
        path: impl Into<String>,
        text: impl Into<String>,
        offset: usize,
    ) -> Result<Self, CursorError> {
        Self::at(path.into(), text.into(), offset..offset)
    }

    fn at(path: String, text: String, range: Range<usize>) -> Result<Self, CursorError> {
        let error = |offset, why| Err(CursorError { path: path.clone(), offset, why });
        if range.start > range.end {
            return error(range.start, "the selection ends before its start");
        }
        for offset in [range.start, range.end] {
            if offset > text.len() {
                return error(offset, "the text is shorter");
            }
            if !text.is_char_boundary(offset) {
                return error(offset, "it is inside a character");
            }
        }
        Ok(Self { path, text, hole: range, ..Self::default() })
    }

    /// A cursor at the end of a text.
    pub fn at_end(path: impl Into<String>, text: impl Into<String>) -> Self {
        let text = masked(text.into());
        Self { path: path.into(), hole: text.len()..text.len(), text, ..Self::default() }
    }

    /// Sets the recently opened or edited files, most recent first.
    #[must_use]
    pub fn with_recent(self, recent: Vec<String>) -> Self {
        Self { recent, ..self }
    }

    /// Sets the description of what is to be written; empty if unknown.
    #[must_use]
    pub fn with_intent(self, intent: impl Into<String>) -> Self {
        Self { intent: intent.into(), ..self }
    }

    /// The file, relative to the root.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The whole text of the file in the editor, with secrets masked unless the file is declared free of them.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Start of the hole, in bytes.
    pub fn offset(&self) -> usize {
        self.hole.start
    }

    /// End of the hole, in bytes; [`Self::offset`] unless a selection is being replaced.
    pub fn resume(&self) -> usize {
        self.hole.end
    }

    /// The text before the hole.
    pub fn prefix(&self) -> &str {
        &self.text[..self.hole.start]
    }

    /// The text after the hole.
    pub fn suffix(&self) -> &str {
        &self.text[self.hole.end..]
    }

    /// Recently opened or edited files, most recent first.
    pub fn recent(&self) -> &[String] {
        &self.recent
    }

    /// Description of what is to be written; empty if unknown.
    pub fn intent(&self) -> &str {
        &self.intent
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(range: Range<usize>, why: &str) {
        let error = Cursor::replacing("a.py", "aé\n", range).unwrap_err().to_string();
        assert!(error.contains("a.py") && error.contains(why), "{error}");
    }

    #[test]
    fn secrets_around_a_cursor_are_masked_and_offsets_stay() {
        let text = concat!("url = 'postgres://app:", "k8Jq2vX9tLw@db.internal/app'\nconnect(");
        let cursor = Cursor::new("a.py", text, text.len()).unwrap();
        assert_eq!(cursor.prefix(), "url = 'postgres://app:***********@db.internal/app'\nconnect(");
        assert_eq!(cursor.offset(), text.len());
    }

    #[test]
    fn a_position_that_the_text_does_not_have_is_an_error() {
        check(5..5, "the text is shorter");
        check(0..5, "the text is shorter");
        check(2..2, "inside a character");
        check(1..2, "inside a character");
        #[expect(clippy::reversed_empty_ranges, reason = "that is the error")]
        check(3..1, "ends before it");
        assert_eq!(Cursor::replacing("a.py", "aé\n", 1..3).unwrap().suffix(), "\n");
        assert_eq!(Cursor::at_end("a.py", "aé\n").offset(), 4);
    }
}
