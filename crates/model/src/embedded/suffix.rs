//! The text after the cursor, which a completion must join and must not repeat.

use super::preset::JOIN_TOKENS;
use crate::ngram::Model;
use crate::ngram::lexer::{Kind, Lexer};

/// The relevant part of the text after the cursor.
#[derive(Debug)]
pub(super) struct Suffix {
    /// The first tokens of the rest of the line; empty if the cursor is at its end.
    pub(super) join: Vec<u32>,
    /// The next line that is not blank, trimmed.
    pub(super) next_line: String,
}

impl Suffix {
    pub(super) fn new(model: &mut Model, suffix: &str) -> Self {
        let tokens =
            Lexer::new(suffix).take_while(|it| !matches!(it.kind, Kind::Break | Kind::Blank));
        let join = tokens.take(JOIN_TOKENS).map(|it| model.intern(&it.text)).collect();
        let lines = suffix.split('\n').skip(1).map(str::trim);
        let next_line = lines.into_iter().find(|it| !it.is_empty()).unwrap_or_default().to_owned();
        Self { join, next_line }
    }

    /// Whether the line is already below the cursor. Lines without a letter or digit never count.
    pub(super) fn repeats(&self, line: &str) -> bool {
        let line = line.trim();
        line == self.next_line && line.contains(char::is_alphanumeric)
    }
}
