//! A position in a file that is being edited. Secrets in its text are masked, so that no prompt has them; offsets stay.

use std::ops::Range;

use crate::secret::masked;

/// A position in a file that is being edited, with what is known of the editing.
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

/// A position that is not in the text, or in the middle of one of its characters.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("byte {offset} of {path} is no position for a cursor: {why}")]
#[non_exhaustive]
pub struct CursorError {
    /// The file.
    pub path: String,
    /// The offset that was given, in bytes.
    pub offset: usize,
    /// What is wrong with it.
    pub why: &'static str,
}

impl Cursor {
    /// A cursor at `offset`, in bytes, of the text that the editor has for the file at `path`, relative to the root.
    pub fn new(
        path: impl Into<String>,
        text: impl Into<String>,
        offset: usize,
    ) -> Result<Self, CursorError> {
        Self::replacing(path, text, offset..offset)
    }

    /// A selection that is going to be replaced: the hole is all of `range`, in bytes.
    pub fn replacing(
        path: impl Into<String>,
        text: impl Into<String>,
        range: Range<usize>,
    ) -> Result<Self, CursorError> {
        let (path, text) = (path.into(), masked(text.into()));
        let error = |offset, why| Err(CursorError { path: path.clone(), offset, why });
        if range.start > range.end {
            return error(range.start, "the selection ends before it");
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

    /// Adds files that were opened or edited recently, the most recent first.
    #[must_use]
    pub fn with_recent(self, recent: Vec<String>) -> Self {
        Self { recent, ..self }
    }

    /// Adds what is to be written here, in words; empty if that is unknown.
    #[must_use]
    pub fn with_intent(self, intent: impl Into<String>) -> Self {
        Self { intent: intent.into(), ..self }
    }

    /// The file, relative to the root.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The whole text of the file as the editor has it, but for secrets, which are masked.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Where the hole begins, in bytes.
    pub fn offset(&self) -> usize {
        self.hole.start
    }

    /// Where the text after the hole begins, in bytes; [`Self::offset`] unless a selection is being replaced.
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

    /// Files that were opened or edited recently, the most recent first.
    pub fn recent(&self) -> &[String] {
        &self.recent
    }

    /// What is to be written, in words; empty if that is unknown.
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
