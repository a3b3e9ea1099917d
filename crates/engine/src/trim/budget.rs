//! The token budget of a prompt and its shares.

use serde::{Deserialize, Serialize};

use crate::order::Order;

/// Counts the tokens of a text.
pub type Count<'c> = &'c dyn Fn(&str) -> usize;

/// The token budget of a prompt.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Budget {
    /// Tokens of the whole prompt.
    pub total: usize,
    /// Maximum share of `total` for the text before the cursor.
    pub prefix: f32,
    /// Maximum share of `total` for the text after the cursor.
    pub suffix: f32,
    /// Maximum share of the remaining tokens for one piece.
    pub piece: f32,
    /// Maximum lines of an excerpt (the best-scoring window).
    pub excerpt: usize,
    /// Weight of a line by its position next to code similar to the text around the cursor, relative to the words of an
    /// average line.
    pub likeness: f32,
    /// Fraction of its score that a line keeps if the text around the cursor shows it, too.
    pub known: f32,
    /// Two pieces are copies if at most this share of their words is in only one of them.
    pub news: f32,
    /// Maximum number of pieces.
    pub max_pieces: usize,
    /// Candidates below this share of the best score are dropped: more context is not always better.
    pub least_score: f32,
    /// Placement of the best pieces.
    pub order: Order,
    /// How the text around the cursor is trimmed.
    pub trim: Trim,
}

/// How the text around the cursor is trimmed if it does not fit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Trim {
    /// The nearest lines, and what they need from above: imports, headers of enclosing definitions, constants.
    #[default]
    Scope,
    /// The nearest lines only.
    Nearest,
}

impl Trim {
    /// All variants.
    pub const ALL: [Self; 2] = [Self::Scope, Self::Nearest];

    /// Name in settings.
    pub fn name(self) -> &'static str {
        match self {
            Self::Scope => "scope",
            Self::Nearest => "nearest",
        }
    }
}
