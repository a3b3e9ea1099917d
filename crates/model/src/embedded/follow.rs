//! The text after the cursor, as far as a completion must join it or not repeat it.

use crate::ngram::Model;
use crate::ngram::lexer::{Kind, Lexer};

/// Tokens of the rest of the line that a completion must be followed by.
const JOIN: usize = 3;

/// What of the text after the cursor matters.
#[derive(Debug)]
pub(super) struct Follow {
    /// The first tokens of the rest of the line; none when the cursor is at its end.
    pub(super) join: Vec<u32>,
    /// The next line that is not blank, without blanks around it.
    pub(super) next_line: String,
}

impl Follow {
    pub(super) fn new(model: &mut Model, suffix: &str) -> Self {
        let tokens =
            Lexer::new(suffix).take_while(|it| !matches!(it.kind, Kind::Break | Kind::Blank));
        let join = tokens.take(JOIN).map(|it| model.intern(&it.text)).collect();
        let lines = suffix.split('\n').skip(1).map(str::trim);
        let next_line = lines.into_iter().find(|it| !it.is_empty()).unwrap_or_default().to_owned();
        Self { join, next_line }
    }

    /// Whether a line stands below the cursor already. A line of brackets alone says nothing.
    pub(super) fn repeats(&self, line: &str) -> bool {
        let line = line.trim();
        line == self.next_line && line.contains(char::is_alphanumeric)
    }
}
